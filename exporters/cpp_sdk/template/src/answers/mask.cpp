// A label for each pixel, or none: two planes, the index of the label (-1: none) and how sure the model is, 0 to 1. The planes
// have a size of the model's own; a pixel of the picture has the label of the plane's pixel in which its centre lies.
#include "../answers.hpp"
#include "../fault.hpp"
#include "../runs.hpp"

#include <algorithm>
#include <cmath>

namespace modelyard {

namespace {

constexpr int kNone = -1;
constexpr double kEvenPixel = 0.501;       // up to here two labels of a pixel may be even
constexpr double kEvenShare = 0.001;  // such pixels that may have another label than in a golden sample, of all
constexpr double kOtherLabels = 1.0;        // difference where the labels are others

struct Planes {
    int height, width;
    std::vector<int> labels;  // by rows
    const float* sure;
};

int looked_up(int there, int num_there, int num_here) {
    return static_cast<int>((2 * static_cast<std::int64_t>(there) + 1) * num_here / (2 * static_cast<std::int64_t>(num_there)));
}

class Mask final : public Answers {
  public:
    using Answers::Answers;

    std::size_t usual_top() const override { return 100; }

    void check(const Tensor& answer) const override {
        if (answer.shape.size() != 3 || answer.shape[0] != 2 || answer.values.empty())
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with two planes");
    }

    std::vector<Prediction> encode(const Tensor& answer, const Picture& picture, const EncodeOptions& options) const override {
        Planes planes = planes_of(answer);
        for (std::size_t place = 0; place < planes.labels.size(); ++place) {
            int& label = planes.labels[place];
            if (label != kNone && planes.sure[place] < options.lowest[static_cast<std::size_t>(label)]) label = kNone;
        }
        const auto stretches = stretches_of(planes, picture.width_px, picture.height_px);
        const std::int64_t num_pixels = static_cast<std::int64_t>(picture.width_px) * picture.height_px;
        std::vector<Prediction> found;
        std::size_t num_looked_at = 0;
        for (const auto& [label, score] : ranked(planes)) {
            if (num_looked_at++ == options.top) break;
            if (stretches[label].empty()) continue;
            Prediction prediction;
            prediction.kind = "mask";
            prediction.label = labels_[label];
            prediction.score = score;
            prediction.width = picture.width_px;
            prediction.height = picture.height_px;
            prediction.counts = stretches_pack(stretches[label], num_pixels);
            found.push_back(std::move(prediction));
        }
        return found;
    }

    double difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const override {
        const Planes planes = planes_of(answer);
        const Json& golden = sample.at("mask");
        if (labels != labels_) return kOtherLabels;
        if (golden.at("height").whole() != planes.height || golden.at("width").whole() != planes.width)
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the planes have other sides than the golden sample's");
        std::vector<int> expected(planes.labels.size(), kNone);
        double worst = 0;
        for (const Json& segment : golden.at("segments").items()) {
            if (segment.items().size() != 3) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden mask has another form");
            double sum = 0;
            std::int64_t num = 0, at = 0;
            bool is_held = false;
            for (const std::int64_t run : runs_unpack(segment.items()[1].text())) {
                if (run > static_cast<std::int64_t>(expected.size()) - at)
                    throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden mask is larger than its planes");
                for (std::int64_t end = at + run; at < end; ++at) {
                    if (!is_held) continue;
                    const auto place = static_cast<std::size_t>(at % planes.height * planes.width + at / planes.height);
                    expected[place] = segment.items()[0].whole();
                    sum += planes.sure[place];
                    ++num;
                }
                is_held = !is_held;
            }
            const double apart = num ? std::abs(sum / static_cast<double>(num) - segment.items()[2].number()) : kOtherLabels;
            worst = std::max(worst, std::isnan(apart) ? kOtherLabels : apart);
        }
        double num_other = 0, num_even = 0;
        for (std::size_t place = 0; place < expected.size(); ++place) {
            if (expected[place] == planes.labels[place]) continue;
            (planes.sure[place] <= kEvenPixel ? num_even : num_other) += 1;
        }
        const auto num = static_cast<double>(expected.size());
        return std::max(worst, num_other / num + std::max(0.0, num_even / num - kEvenShare));
    }

  private:
    Planes planes_of(const Tensor& answer) const {
        Planes planes{static_cast<int>(answer.shape[1]), static_cast<int>(answer.shape[2]), {}, nullptr};
        const std::size_t num = answer.values.size() / 2;
        planes.sure = answer.values.data() + num;
        planes.labels.reserve(num);
        for (std::size_t place = 0; place < num; ++place) {
            if (!std::isfinite(answer.values[place]) || !std::isfinite(planes.sure[place]))
                throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a pixel that is no number");
            const double index = std::nearbyint(answer.values[place]);
            planes.labels.push_back(index == kNone ? kNone : static_cast<int>(label_at(index)));
        }
        return planes;
    }

    // By label, the pixels of the picture that follow one another down its columns.
    std::vector<std::vector<Stretch>> stretches_of(const Planes& planes, int width, int height) const {
        std::vector<std::vector<Stretch>> found(labels_.size());
        for (int x = 0; x < width; ++x) {
            const int column = looked_up(x, width, planes.width);
            for (int y = 0; y < height;) {
                const int first = y;
                const int label = planes.labels[static_cast<std::size_t>(looked_up(y, height, planes.height)) * planes.width + column];
                while (y < height &&
                       planes.labels[static_cast<std::size_t>(looked_up(y, height, planes.height)) * planes.width + column] == label)
                    ++y;
                if (label == kNone) continue;
                const std::int64_t start = static_cast<std::int64_t>(x) * height + first, end = static_cast<std::int64_t>(x) * height + y;
                found[static_cast<std::size_t>(label)].push_back({start, end});
            }
        }
        return found;
    }

    // Labels that hold a pixel of the planes, by how many, and how sure the model is of them on average.
    std::vector<std::pair<std::size_t, double>> ranked(const Planes& planes) const {
        std::vector<std::int64_t> nums(labels_.size());
        std::vector<double> sums(labels_.size());
        for (std::size_t place = 0; place < planes.labels.size(); ++place) {
            if (planes.labels[place] == kNone) continue;
            const auto label = static_cast<std::size_t>(planes.labels[place]);
            ++nums[label];
            sums[label] += planes.sure[place];
        }
        std::vector<std::pair<std::size_t, double>> order;
        for (std::size_t label = 0; label < nums.size(); ++label) {
            if (!nums[label]) continue;
            const double mean = sums[label] / static_cast<double>(nums[label]);
            order.emplace_back(label, rounded(std::clamp(mean, 0.0, 1.0), kScoreDigits));
        }
        std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) { return nums[a.first] > nums[b.first]; });
        return order;
    }
};

}  // namespace

std::unique_ptr<Answers> mask_answers(std::vector<std::string> labels) { return std::make_unique<Mask>(std::move(labels)); }

}  // namespace modelyard

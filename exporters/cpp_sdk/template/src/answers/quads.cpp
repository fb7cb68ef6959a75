// Lines of text with their corners, in the order in which they are read.
#include "../fault.hpp"
#include "../answers.hpp"
#include "../lines.hpp"
#include "../utf8.hpp"

#include <algorithm>
#include <cmath>

namespace modelyard {

namespace {

constexpr double kSure = 0.5;     // golden lines below are not compared: which of two unlikely symbols is read is a matter of rounding
constexpr double kMissing = 1.0;  // difference that counts for a line which only one side knows
constexpr double kLastSign = 0x10FFFF;

// Corners and score, and the text.
struct Line {
    std::vector<double> numbers;
    std::string text;
};

// How far the worst line is from the nearest one with the same text.
double farthest(const std::vector<Line>& expected, const std::vector<Line>& there) {
    double worst = 0;
    for (const Line& line : expected) {
        double nearest = kMissing;
        for (const Line& other : there) {
            if (other.text != line.text) continue;
            double apart = 0;
            for (std::size_t place = 0; place <= kCorners; ++place) apart = std::max(apart, std::abs(other.numbers[place] - line.numbers[place]));
            nearest = std::min(nearest, apart);
        }
        worst = std::max(worst, nearest);
    }
    return worst;
}

class Quads final : public Answers {
  public:
    using Answers::Answers;

    std::size_t usual_top() const override { return kMaxLines; }

    void check(const Tensor& answer) const override {
        if (answer.shape.size() != 2 || answer.shape[1] <= static_cast<std::int64_t>(kCorners) + 1)
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with lines of text");
    }

    std::vector<Prediction> encode(const Tensor& answer, const Picture& picture, const EncodeOptions& options) const override {
        std::vector<Prediction> found;
        for (const Line& line : lines_of(answer, options.lowest.empty() ? options.threshold : options.lowest[0])) {
            if (found.size() == options.top) break;
            Prediction prediction;
            prediction.kind = "polygon";
            prediction.label = labels_.empty() ? "text" : labels_[0];
            prediction.score = std::min(1.0, rounded(line.numbers[kCorners], kScoreDigits));
            std::vector<double>& points = prediction.polygons.emplace_back();
            for (std::size_t place = 0; place < kCorners; ++place)
                points.push_back(rounded(line.numbers[place] * (place % 2 ? picture.height_px : picture.width_px), kPixelDigits));
            prediction.text = line.text;
            found.push_back(std::move(prediction));
        }
        return found;
    }

    double difference(const Json& sample, const std::vector<std::string>&, const Tensor& answer) const override {
        std::vector<Line> golden;
        if (const Json* lines = sample.find("quads")) {
            for (const Json& given : lines->items()) {
                Line line{{}, given.at("text").text()};
                for (const Json& number : given.at("corners").items()) line.numbers.push_back(number.number());
                line.numbers.push_back(given.at("score").number());
                if (line.numbers.size() != kCorners + 1) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden line has not four corners");
                if (line.numbers[kCorners] >= kSure) golden.push_back(std::move(line));
            }
        }
        const std::vector<Line> there = lines_of(answer, kSure);
        return std::max(farthest(golden, there), farthest(there, golden));
    }

  private:
    // The rows that hold a line with that score or a higher one. Throws Fault.
    static std::vector<Line> lines_of(const Tensor& answer, double lowest) {
        if (!std::all_of(answer.values.begin(), answer.values.end(), [](float each) { return std::isfinite(each); }))
            throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with what is no number");
        const auto length = static_cast<std::size_t>(answer.shape[1]);
        std::vector<Line> found;
        for (std::size_t place = 0; place + length <= answer.values.size(); place += length) {
            const float* row = answer.values.data() + place;
            if (!(row[kCorners] > 0) || row[kCorners] < lowest) continue;
            Line line{{row, row + kCorners + 1}, ""};
            for (std::size_t at = kCorners + 1; at < length; ++at) {
                if (row[at] > kLastSign) throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with what is no character");
                if (row[at] >= 1) utf8_append(line.text, static_cast<std::uint32_t>(row[at]));
            }
            found.push_back(std::move(line));
        }
        return found;
    }
};

}  // namespace

std::unique_ptr<Answers> quads_answers(std::vector<std::string> labels) { return std::make_unique<Quads>(std::move(labels)); }

}  // namespace modelyard

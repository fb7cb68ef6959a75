// Boxes around things: rows of x, y, width, height as fractions of the picture, score, index of the label, best first. Rows
// that hold no box have the score 0.
#include "answers.hpp"
#include "fault.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace modelyard {

namespace {

constexpr std::size_t kRow = 6;
constexpr int kScoreDigits = 6;
constexpr int kPixelDigits = 2;
constexpr double kSmallestPx = 0.01;
constexpr double kLowestScore = 0.05;  // golden boxes from this score on are all compared; of those below, the best few
constexpr std::size_t kNumAlways = 10;
constexpr double kLeastScore = kLowestScore / 50;  // below it the last digits of a written score would weigh too much
constexpr double kMissingBox = 1.0;                // difference that counts for a box which only one side knows

using Row = std::array<double, kRow>;

// How far the worst of the wanted boxes is from the nearest of its label; the last of several may stand at the list's end, whose
// length is `most`, and need not be found. Scores below the lowest are measured as if they stood there.
double farthest(const std::vector<Row>& wanted, const std::vector<Row>& there, std::size_t most) {
    double worst = 0;
    for (std::size_t place = 0; place < wanted.size(); ++place) {
        const Row& row = wanted[place];
        const bool is_low = row[4] <= kLowestScore;
        const bool is_at_cut = place > 0 && place == wanted.size() - 1 && (is_low || wanted.size() == most);
        if (is_at_cut || (is_low && place >= kNumAlways)) continue;
        double nearest = -1;
        for (const Row& other : there) {
            if (other[5] != row[5]) continue;
            const double scale = std::clamp(std::max(other[4], row[4]), kLeastScore, kLowestScore);
            double apart = std::abs(other[4] - row[4]) * kLowestScore / scale;
            for (int side = 0; side < 4; ++side) {
                const double along = std::abs(other[side] - row[side]);
                apart = std::isnan(along) ? along : std::max(apart, along);
            }
            if (std::isnan(apart)) apart = kMissingBox;
            nearest = nearest < 0 ? apart : std::min(nearest, apart);
        }
        if (nearest < 0) return kMissingBox;
        worst = std::max(worst, nearest);
    }
    return worst;
}

class Boxes final : public Answers {
  public:
    using Answers::Answers;

    std::size_t usual_top() const override { return 100; }

    void check(const Tensor& answer) const override {
        if (answer.shape.size() != 2 || answer.shape[1] != static_cast<std::int64_t>(kRow))
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with rows of boxes");
    }

    std::vector<Said> encode(const Tensor& answer, const Picture& picture, const Wanted& wanted) const override {
        std::vector<Said> found;
        for (const Row& row : held(answer)) {
            if (found.size() == wanted.top) break;
            const std::size_t label = label_at(row[5]);
            if (row[4] < wanted.lowest[label]) continue;
            const double left = within(row[0]) * picture.width_px, right = within(row[0] + row[2]) * picture.width_px;
            const double upper = within(row[1]) * picture.height_px, lower = within(row[1] + row[3]) * picture.height_px;
            Said said;
            said.kind = "box";
            said.label = labels_[label];
            said.score = std::min(1.0, rounded(row[4], kScoreDigits));
            said.x = rounded(left, kPixelDigits);
            said.y = rounded(upper, kPixelDigits);
            said.width = std::max(kSmallestPx, rounded(right - left, kPixelDigits));
            said.height = std::max(kSmallestPx, rounded(lower - upper, kPixelDigits));
            found.push_back(std::move(said));
        }
        return found;
    }

    double difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const override {
        if (labels != labels_) return kMissingBox;
        std::vector<Row> wanted;
        if (const Json* rows = sample.find("detections")) {
            for (const Json& given : rows->items()) {
                if (given.items().size() != kRow) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden box has another length");
                Row row{};
                for (std::size_t place = 0; place < kRow; ++place) row[place] = given.items()[place].number();
                wanted.push_back(row);
            }
        }
        const std::vector<Row> there = held(answer);
        const auto most = static_cast<std::size_t>(answer.shape[0]);
        return std::max(farthest(wanted, there, most), farthest(there, wanted, most));
    }

  private:
    static double within(double fraction) { return std::min(1.0, std::max(0.0, fraction)); }

    static std::vector<Row> held(const Tensor& answer) {
        std::vector<Row> rows;
        for (std::size_t place = 0; place + kRow <= answer.values.size(); place += kRow) {
            if (!(answer.values[place + 4] > 0)) continue;
            Row row{};
            std::copy_n(answer.values.begin() + static_cast<std::ptrdiff_t>(place), kRow, row.begin());
            rows.push_back(row);
        }
        return rows;
    }
};

}  // namespace

std::unique_ptr<Answers> boxes_answers(std::vector<std::string> labels) { return std::make_unique<Boxes>(std::move(labels)); }

}  // namespace modelyard

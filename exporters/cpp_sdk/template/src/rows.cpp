#include "rows.hpp"

#include "fault.hpp"

#include <algorithm>
#include <cmath>

namespace modelyard {

namespace {

constexpr double kSmallestPx = 0.01;
constexpr double kLeastScore = kLowestScore / 50;  // below it the last digits of a written score would weigh too much

// How far the worst of the expected boxes is from the nearest of its label; the last of several may stand at the list's end, whose
// length is `most`, and need not be found. Scores below the lowest are measured as if they stood there.
double farthest(const std::vector<Row>& expected, const std::vector<Row>& there, std::size_t most) {
    double worst = 0;
    for (std::size_t place = 0; place < expected.size(); ++place) {
        const Row& row = expected[place];
        const bool is_low = row[4] <= kLowestScore;
        const bool is_at_cut = place > 0 && place == expected.size() - 1 && (is_low || expected.size() == most);
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

}  // namespace

std::vector<Row> rows_of(const Tensor& answer) {
    const auto length = static_cast<std::size_t>(answer.shape[1]);
    std::vector<Row> rows;
    for (std::size_t place = 0; place + length <= answer.values.size(); place += length) {
        if (!(answer.values[place + 4] > 0)) continue;
        Row row{};
        std::copy_n(answer.values.begin() + static_cast<std::ptrdiff_t>(place), kRow, row.begin());
        rows.push_back(row);
    }
    return rows;
}

std::vector<Row> golden_rows(const Json& sample) {
    std::vector<Row> found;
    const Json* rows = sample.find("detections");
    if (!rows) return found;
    for (const Json& given : rows->items()) {
        if (given.items().size() != kRow) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden box has another length");
        Row row{};
        for (std::size_t place = 0; place < kRow; ++place) row[place] = given.items()[place].number();
        found.push_back(row);
    }
    return found;
}

Bounds bounds_of(const Row& row, const Picture& picture) {
    const double left = within(row[0]) * picture.width_px, right = within(row[0] + row[2]) * picture.width_px;
    const double upper = within(row[1]) * picture.height_px, lower = within(row[1] + row[3]) * picture.height_px;
    return {
        rounded(left, kPixelDigits), rounded(upper, kPixelDigits), std::max(kSmallestPx, rounded(right - left, kPixelDigits)),
        std::max(kSmallestPx, rounded(lower - upper, kPixelDigits))};
}

double score_of(const Row& row) { return std::min(1.0, rounded(row[4], kScoreDigits)); }

double rows_apart(const std::vector<Row>& expected, const std::vector<Row>& there, std::size_t most) {
    return std::max(farthest(expected, there, most), farthest(there, expected, most));
}

}  // namespace modelyard

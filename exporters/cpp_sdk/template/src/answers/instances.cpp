// Single objects with their pixels: rows as of boxes, each followed by a square mask within its box, row by row: how likely each
// cell shows the object. Masks are laid over the picture here, bilinear between the cells' centres.
#include "../fault.hpp"
#include "../outlines.hpp"
#include "../rows.hpp"
#include "../runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace modelyard {

namespace {

constexpr double kObject = 0.5;   // a pixel belongs to an object from this likelihood on
constexpr double kEvenCell = 0.01;  // cells so near to one half may be on the other side of it than in a golden sample
constexpr int kPointDigits = 2;
constexpr double kNoArea = 1e-9;

struct Object {
    Row row;
    std::vector<double> cells;  // side * side
};

// The pixels whose centres a box covers along an axis: of each the cell before it, and how far it is on the way to the next.
struct Axis {
    std::int64_t first;
    std::vector<int> cells;
    std::vector<double> shares;
};

Axis between(double start, double size, int num_pixels, int num_cells) {
    const auto edge = [&](double fraction) { return static_cast<int>(std::ceil(within(fraction) * num_pixels - kObject)); };
    const int first = std::clamp(edge(start), 0, num_pixels - 1);
    const int stop = std::min(std::max(edge(start + size), first + 1), num_pixels);
    Axis axis{first, {}, {}};
    for (int pixel = first; pixel < stop; ++pixel) {
        const double at = (pixel + kObject - start * num_pixels) / std::max(size * num_pixels, kNoArea) * num_cells - kObject;
        const double place = std::clamp(at, 0.0, num_cells - 1.0);
        axis.cells.push_back(static_cast<int>(place));
        axis.shares.push_back(place - std::floor(place));
    }
    return axis;
}

// An object has at least one pixel: where none is inside, the likeliest.
std::string counts_of(const Object& object, int side, const Picture& picture) {
    const Axis columns = between(object.row[0], object.row[2], picture.width_px, side);
    const Axis rows = between(object.row[1], object.row[3], picture.height_px, side);
    const std::size_t num_rows = rows.cells.size();
    const auto mixed = [](double one, double other, double share) { return one * (1 - share) + other * share; };
    std::vector<Stretch> found;
    double likeliest = -std::numeric_limits<double>::infinity();
    std::size_t likeliest_row = 0;
    Stretch only{0, 0};
    std::vector<double> line(static_cast<std::size_t>(side));
    for (std::size_t column = 0; column < columns.cells.size(); ++column) {
        const int x = columns.cells[column], next_x = std::min(x + 1, side - 1);
        for (int y = 0; y < side; ++y) line[y] = mixed(object.cells[y * side + x], object.cells[y * side + next_x], columns.shares[column]);
        const std::int64_t top = (columns.first + static_cast<std::int64_t>(column)) * picture.height_px + rows.first;
        for (std::size_t row = 0; row < num_rows; ++row) {
            const int y = rows.cells[row];
            const double likely = mixed(line[y], line[std::min(y + 1, side - 1)], rows.shares[row]);
            const std::int64_t place = top + static_cast<std::int64_t>(row);
            if (likely > likeliest || (likely == likeliest && row < likeliest_row)) {
                likeliest = likely;
                likeliest_row = row;
                only = {place, place + 1};
            }
            if (likely < kObject) continue;
            if (row > 0 && !found.empty() && found.back().end == place) ++found.back().end;
            else found.push_back({place, place + 1});
        }
    }
    if (found.empty()) found.push_back(only);
    return stretches_pack(found, static_cast<std::int64_t>(picture.width_px) * picture.height_px);
}

std::vector<std::vector<double>> polygons_of(const Object& object, int side, const Picture& picture) {
    std::vector<std::vector<double>> found;
    for (const std::vector<Point>& outline : outlines_of(object.cells, side)) {
        std::vector<Point> ring;
        for (const Point& each : outline) {
            const double x = within(each[0] * object.row[2] + object.row[0]), y = within(each[1] * object.row[3] + object.row[1]);
            ring.push_back({rounded(x * picture.width_px, kPointDigits), rounded(y * picture.height_px, kPointDigits)});
        }
        std::vector<double> polygon;
        for (std::size_t place = 0; place < ring.size(); ++place) {
            if (ring[place] == ring[(place + ring.size() - 1) % ring.size()]) continue;
            polygon.insert(polygon.end(), ring[place].begin(), ring[place].end());
        }
        if (polygon.size() > 2 * 2) found.push_back(std::move(polygon));
    }
    return found;
}

double sides_apart(const Row& one, const Row& other) {
    double apart = 0;
    for (std::size_t place = 0; place < 5; ++place) apart = std::max(apart, std::abs(one[place] - other[place]));
    return apart;
}

// How far a mask is from a golden one: the share of its cells on the other side of one half, or the difference of their mean.
double mask_apart(const std::vector<double>& cells, int side, const Json& golden) {
    if (golden.items().size() != 2) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden mask has another form");
    std::vector<bool> is_inside(cells.size());
    std::size_t at = 0;
    bool is_held = false;
    for (const std::int64_t run : runs_unpack(golden.items()[0].text())) {
        if (run > static_cast<std::int64_t>(cells.size() - at)) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden mask is too large");
        for (const std::size_t end = at + static_cast<std::size_t>(run); at < end; ++at) is_inside[at % side * side + at / side] = is_held;
        is_held = !is_held;
    }
    double sum = 0, num_other = 0;
    for (std::size_t place = 0; place < cells.size(); ++place) {
        sum += cells[place];
        if ((cells[place] >= kObject) != is_inside[place] && std::abs(cells[place] - kObject) > kEvenCell) ++num_other;
    }
    const auto num = static_cast<double>(cells.size());
    return std::max(num_other / num, std::abs(sum / num - golden.items()[1].number()));
}

class Instances final : public Answers {
  public:
    using Answers::Answers;

    std::size_t usual_top() const override { return 100; }

    void check(const Tensor& answer) const override {
        const int side = answer.shape.size() == 2 && answer.shape[1] > static_cast<std::int64_t>(kRow) ? side_of(answer) : 0;
        if (side < 1 || answer.shape[1] != static_cast<std::int64_t>(side) * side + static_cast<std::int64_t>(kRow))
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with rows of a box and a square mask");
    }

    std::vector<Prediction> encode(const Tensor& answer, const Picture& picture, const EncodeOptions& options) const override {
        const int side = side_of(answer);
        std::vector<Prediction> found;
        for (const Object& object : objects_of(answer)) {
            const std::size_t label = label_at(object.row[5]);
            if (found.size() == options.top || object.row[4] < options.lowest[label]) continue;
            Prediction prediction;
            prediction.kind = "mask";
            prediction.label = labels_[label];
            prediction.score = score_of(object.row);
            prediction.width = picture.width_px;
            prediction.height = picture.height_px;
            prediction.counts = counts_of(object, side, picture);
            prediction.box = bounds_of(object.row, picture);
            prediction.polygons = polygons_of(object, side, picture);
            found.push_back(std::move(prediction));
        }
        return found;
    }

    double difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const override {
        const int side = side_of(answer);
        const Json& golden = sample.at("instances");
        const std::vector<Row> expected = golden_rows(sample);
        const std::vector<Json>& masks = golden.at("masks").items();
        if (golden.at("side").whole() != side || masks.size() != expected.size())
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the masks have other sides than the golden sample's");
        if (labels != labels_) return kMissingBox;
        const std::vector<Object> objects = objects_of(answer);
        std::vector<Row> there;
        for (const Object& each : objects) there.push_back(each.row);
        const double boxes_apart = rows_apart(expected, there, static_cast<std::size_t>(answer.shape[0]));
        double worst = boxes_apart;
        for (std::size_t place = 0; place < expected.size(); ++place) {
            if (expected[place][4] <= kLowestScore && place >= kNumAlways) continue;
            const Object* nearest = nullptr;
            for (const Object& each : objects) {
                if (each.row[5] != expected[place][5]) continue;
                if (!nearest || sides_apart(expected[place], each.row) < sides_apart(expected[place], nearest->row)) nearest = &each;
            }
            // Else that it is missing was counted, or it stands where the list was cut.
            if (nearest && sides_apart(expected[place], nearest->row) <= boxes_apart + kNoArea)
                worst = std::max(worst, mask_apart(nearest->cells, side, masks[place]));
        }
        return worst;
    }

  private:
    static int side_of(const Tensor& answer) {
        return static_cast<int>(std::lround(std::sqrt(static_cast<double>(answer.shape[1]) - static_cast<double>(kRow))));
    }

    // The rows that hold an object. Throws Fault where a number of theirs is none.
    static std::vector<Object> objects_of(const Tensor& answer) {
        const auto length = static_cast<std::size_t>(answer.shape[1]);
        std::vector<Object> found;
        for (std::size_t place = 0; place + length <= answer.values.size(); place += length) {
            const float* numbers = answer.values.data() + place;
            if (!(numbers[4] > 0)) continue;
            if (!std::all_of(numbers, numbers + length, [](float each) { return std::isfinite(each); }))
                throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a cell that is no number");
            Object object;
            std::copy_n(numbers, kRow, object.row.begin());
            object.cells.assign(numbers + kRow, numbers + length);
            found.push_back(std::move(object));
        }
        return found;
    }
};

}  // namespace

std::unique_ptr<Answers> instances_answers(std::vector<std::string> labels) { return std::make_unique<Instances>(std::move(labels)); }

}  // namespace modelyard

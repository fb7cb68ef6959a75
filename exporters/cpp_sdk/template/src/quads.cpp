#include "quads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace modelyard {

namespace {

constexpr double kUpright = 1.5;  // what is so many times as high as wide is a line that runs downwards
constexpr double kSameRow = 0.5;  // of the smaller height: lines that lie beside each other by so much are of one row
constexpr double kNowhere = 1e-9;

Corner minus(const Corner& one, const Corner& other) { return {one[0] - other[0], one[1] - other[1]}; }

double length_of(const Corner& way) { return std::hypot(way[0], way[1]); }

// How far a line reaches along a direction.
struct Extent {
    double low, high;
};

Extent extent_of(const Quad& quad, const Corner& direction) {
    Extent found{quad[0][0] * direction[0] + quad[0][1] * direction[1], 0};
    found.high = found.low;
    for (const Corner& corner : quad) {
        const double at = corner[0] * direction[0] + corner[1] * direction[1];
        found.low = std::min(found.low, at);
        found.high = std::max(found.high, at);
    }
    return found;
}

// As the lines run, together.
Corner direction_of(const std::vector<Quad>& quads) {
    Corner along{0, 0};
    for (const Quad& quad : quads)
        for (int axis = 0; axis < 2; ++axis) along[axis] += quad[1][axis] - quad[0][axis] + quad[2][axis] - quad[3][axis];
    const double length = std::max(length_of(along), kNowhere);
    along = {along[0] / length, along[1] / length};
    return along[0] < std::abs(along[1]) ? Corner{1, 0} : along;  // lines that run downwards, mostly
}

}  // namespace

Quad from_upper_left(const Quad& corners) {
    Quad by_x = corners;
    std::stable_sort(by_x.begin(), by_x.end(), [](const Corner& one, const Corner& other) { return one[0] < other[0]; });
    const auto is_higher = [](const Corner& one, const Corner& other) { return one[1] < other[1]; };
    std::stable_sort(by_x.begin(), by_x.begin() + 2, is_higher);
    std::stable_sort(by_x.begin() + 2, by_x.end(), is_higher);
    return {by_x[0], by_x[2], by_x[3], by_x[1]};
}

std::array<double, 2> sides_of(const Quad& corners) {
    std::array<double, 4> lengths{};
    for (std::size_t place = 0; place < 4; ++place) lengths[place] = length_of(minus(corners[(place + 1) % 4], corners[place]));
    return {std::max(lengths[0], lengths[2]), std::max(lengths[1], lengths[3])};
}

Quad as_read(const Quad& corners) {
    const auto [width, height] = sides_of(corners);
    return height >= kUpright * width ? Quad{corners[1], corners[2], corners[3], corners[0]} : corners;
}

Quad enlarged(const Quad& corners, double distance) {
    const auto outwards = [&](const Corner& way) {
        const double scale = distance / std::max(length_of(way), kNowhere);
        return Corner{way[0] * scale, way[1] * scale};
    };
    const Corner right = outwards(minus(corners[1], corners[0])), below = outwards(minus(corners[3], corners[0]));
    constexpr int rightwards[] = {-1, 1, 1, -1}, downwards[] = {-1, -1, 1, 1};
    Quad moved = corners;
    for (std::size_t place = 0; place < 4; ++place)
        for (int axis = 0; axis < 2; ++axis) moved[place][axis] += rightwards[place] * right[axis] + downwards[place] * below[axis];
    return moved;
}

std::vector<std::size_t> reading_order(const std::vector<Quad>& quads) {
    const Corner along = direction_of(quads), down{-along[1], along[0]};
    std::vector<Extent> heights;
    std::vector<double> lefts;
    for (const Quad& quad : quads) {
        heights.push_back(extent_of(quad, down));
        lefts.push_back(extent_of(quad, along).low);
    }
    std::vector<std::size_t> order(quads.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto middle = [&](std::size_t place) { return heights[place].low + heights[place].high; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) { return middle(one) < middle(other); });
    auto row = order.begin();
    const auto by_left = [&](std::size_t one, std::size_t other) { return lefts[one] < lefts[other]; };
    for (auto place = order.begin(); place != order.end(); ++place) {
        if (place == row) continue;
        const Extent &own = heights[*place], &last = heights[*(place - 1)];
        const double shared = std::min(own.high, last.high) - std::max(own.low, last.low);
        if (shared > kSameRow * std::min(own.high - own.low, last.high - last.low)) continue;
        std::stable_sort(row, place, by_left);
        row = place;
    }
    std::stable_sort(row, order.end(), by_left);
    return order;
}

}  // namespace modelyard

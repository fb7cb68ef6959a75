#include "outlines.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace modelyard {

namespace {

constexpr double kHalf = 0.5;
constexpr int kMargin = 2;  // cells around the grid: its outermost once more, and then nothing

using Step = std::pair<int, int>;

// From which side of a square to which the border runs, by the corners inside: 1, 2, 4, 8 clockwise from the top left; sides 0 to
// 3 from the top. Inside is on the left. Of two opposite corners the middle decides whether they are one.
std::vector<Step> steps_of(int corners, bool is_joined) {
    static const std::unordered_map<int, Step> steps{{1, {3, 0}}, {2, {0, 1}}, {3, {3, 1}},  {4, {1, 2}},  {6, {0, 2}},  {7, {3, 2}},
                                                     {8, {2, 3}}, {9, {2, 0}}, {11, {2, 1}}, {12, {1, 3}}, {13, {1, 0}}, {14, {0, 3}}};
    if (corners == 5) return is_joined ? std::vector<Step>{{3, 2}, {1, 0}} : std::vector<Step>{{3, 0}, {1, 2}};
    if (corners == 10) return is_joined ? std::vector<Step>{{0, 3}, {2, 1}} : std::vector<Step>{{0, 1}, {2, 3}};
    const auto found = steps.find(corners);
    return found == steps.end() ? std::vector<Step>{} : std::vector<Step>{found->second};
}

class Grid {
  public:
    Grid(const std::vector<double>& cells, int side) : cells_(cells), side_(side), length_(side + 2 * kMargin) {}

    // Which border follows which, in the order of the squares. A border is the number of its first cell, doubled, and one more
    // where the second lies below it.
    void follow(std::vector<int>& order, std::unordered_map<int, int>& onward) const {
        for (int y = 0; y + 1 < length_; ++y) {
            for (int x = 0; x + 1 < length_; ++x) {
                const double square[] = {at(y, x), at(y, x + 1), at(y + 1, x + 1), at(y + 1, x)};
                const int edges[] = {number(y, x), number(y, x + 1) + 1, number(y + 1, x), number(y, x) + 1};
                int corners = 0;
                for (int corner = 0; corner < 4; ++corner) corners |= (square[corner] >= kHalf) << corner;
                const bool is_joined = (square[0] + square[1] + square[2] + square[3]) / 4 >= kHalf;
                for (const auto& [from, to] : steps_of(corners, is_joined)) {
                    order.push_back(edges[from]);
                    onward[edges[from]] = edges[to];
                }
            }
        }
    }

    // Where between two neighbours one half is crossed.
    Point crossing(int edge) const {
        const int y = edge / 2 / length_, x = edge / 2 % length_;
        const int other_y = y + edge % 2, other_x = x + 1 - edge % 2;
        const double share = (kHalf - at(y, x)) / (at(other_y, other_x) - at(y, x));
        return {mark(x) + share * (mark(other_x) - mark(x)), mark(y) + share * (mark(other_y) - mark(y))};
    }

  private:
    int number(int y, int x) const { return 2 * (y * length_ + x); }

    double at(int y, int x) const {
        if (std::min(x, y) == 0 || std::max(x, y) == length_ - 1) return 0;
        const auto inner = [&](int place) { return std::clamp(place - kMargin, 0, side_ - 1); };
        return cells_[static_cast<std::size_t>(inner(y) * side_ + inner(x))];
    }

    double mark(int place) const { return std::clamp(place - kMargin + kHalf, 0.0, static_cast<double>(side_)) / side_; }

    const std::vector<double>& cells_;
    int side_, length_;
};

// Twice the area within a ring; negative where what is inside the border is inside the ring too.
double area_of(const std::vector<Point>& ring) {
    double area = 0;
    for (std::size_t place = 0; place < ring.size(); ++place) {
        const Point &here = ring[place], &next = ring[(place + 1) % ring.size()];
        area += here[0] * next[1] - here[1] * next[0];
    }
    return area;
}

}  // namespace

std::vector<std::vector<Point>> outlines_of(const std::vector<double>& cells, int side) {
    const Grid grid(cells, side);
    std::vector<int> order;
    std::unordered_map<int, int> onward;
    grid.follow(order, onward);
    std::vector<std::vector<Point>> found;
    // The last first, as the runtime follows them.
    for (auto first = order.rbegin(); first != order.rend(); ++first) {
        std::vector<Point> ring;
        for (auto step = onward.find(*first); step != onward.end();) {
            ring.push_back(grid.crossing(step->first));
            const int next = step->second;
            onward.erase(step);
            step = onward.find(next);
        }
        if (area_of(ring) < 0) found.push_back(std::move(ring));
    }
    return found;
}

}  // namespace modelyard

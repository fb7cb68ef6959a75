#include "regions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace modelyard {

namespace {

// Pixels of a row above the threshold that follow one another.
struct Run {
    int row, start, end;
    double sum;
};

std::vector<Run> runs_of(const float* values, int width, int height, float threshold) {
    std::vector<Run> runs;
    for (int row = 0; row < height; ++row) {
        const float* line = values + static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
        for (int x = 0; x < width; ++x) {
            if (!(line[x] > threshold)) continue;
            Run run{row, x, x, 0};
            for (; run.end < width && line[run.end] > threshold; ++run.end) run.sum += line[run.end];
            x = run.end;
            runs.push_back(run);
        }
    }
    return runs;
}

std::size_t root_of(std::vector<std::size_t>& parents, std::size_t run) {
    while (parents[run] != run) run = parents[run] = parents[parents[run]];
    return run;
}

// For each run the first one of its region.
std::vector<std::size_t> joined(const std::vector<Run>& runs) {
    std::vector<std::size_t> parents(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) parents[run] = run;
    std::size_t upper = 0;
    for (std::size_t lower = 0; lower < runs.size(); ++lower) {
        while (runs[upper].row < runs[lower].row - 1 || (runs[upper].row == runs[lower].row - 1 && runs[upper].end < runs[lower].start))
            ++upper;
        for (std::size_t each = upper; runs[each].row == runs[lower].row - 1 && runs[each].start <= runs[lower].end; ++each) {
            const std::size_t one = root_of(parents, each), other = root_of(parents, lower);
            parents[std::max(one, other)] = std::min(one, other);
        }
    }
    for (std::size_t run = 0; run < runs.size(); ++run) parents[run] = root_of(parents, run);
    return parents;
}

double turn(const Corner& one, const Corner& other, const Corner& point) {
    return (other[0] - one[0]) * (point[1] - one[1]) - (other[1] - one[1]) * (point[0] - one[0]);
}

// The convex hull (Andrew 1979).
std::vector<Corner> hull_of(std::vector<Corner> points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3) return points;
    std::vector<Corner> hull;
    for (int half = 0; half < 2; ++half) {
        const std::size_t first = hull.size();
        for (const Corner& point : points) {
            while (hull.size() > first + 1 && turn(hull[hull.size() - 2], hull.back(), point) <= 0) hull.pop_back();
            hull.push_back(point);
        }
        hull.pop_back();  // where the other half begins
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

}  // namespace

std::vector<Region> regions_of(const float* values, int width, int height, float threshold) {
    const std::vector<Run> runs = runs_of(values, width, height, threshold);
    const std::vector<std::size_t> firsts = joined(runs);
    std::map<std::size_t, std::vector<std::size_t>> by_first;
    for (std::size_t run = 0; run < runs.size(); ++run) by_first[firsts[run]].push_back(run);
    std::vector<Region> found;
    for (const auto& [first, own] : by_first) {
        Region region{{}, 0};
        double sum = 0, num = 0;
        for (const std::size_t run : own) {
            region.points.push_back({static_cast<double>(runs[run].start), static_cast<double>(runs[run].row)});
            region.points.push_back({static_cast<double>(runs[run].end - 1), static_cast<double>(runs[run].row)});
            sum += runs[run].sum;
            num += runs[run].end - runs[run].start;
        }
        region.mean = sum / num;
        found.push_back(std::move(region));
    }
    return found;
}

Quad smallest_rectangle(const std::vector<Corner>& points) {
    const std::vector<Corner> hull = hull_of(points);
    double smallest = std::numeric_limits<double>::infinity();
    Quad found{};
    for (std::size_t place = 0; place < hull.size(); ++place) {
        const Corner &from = hull[place], &to = hull[(place + 1) % hull.size()];
        const double length = std::hypot(to[0] - from[0], to[1] - from[1]);
        const Corner along = length > 0 ? Corner{(to[0] - from[0]) / length, (to[1] - from[1]) / length} : Corner{1, 0};
        const Corner across{-along[1], along[0]};
        constexpr double endless = std::numeric_limits<double>::infinity();
        Corner low{endless, endless}, high{-endless, -endless};
        for (const Corner& point : hull) {
            const Corner at{point[0] * along[0] + point[1] * along[1], point[0] * across[0] + point[1] * across[1]};
            for (std::size_t axis = 0; axis < 2; ++axis) {
                low[axis] = std::min(low[axis], at[axis]);
                high[axis] = std::max(high[axis], at[axis]);
            }
        }
        const double area = (high[0] - low[0]) * (high[1] - low[1]);
        if (!(area < smallest)) continue;
        smallest = area;
        const auto corner = [&](double one, double other) {
            return Corner{one * along[0] + other * across[0], one * along[1] + other * across[1]};
        };
        found = {corner(low[0], low[1]), corner(high[0], low[1]), corner(high[0], high[1]), corner(low[0], high[1])};
    }
    return found;
}

}  // namespace modelyard

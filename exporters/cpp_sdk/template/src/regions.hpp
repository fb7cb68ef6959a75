// Connected regions of a map, and the smallest rectangle around each.
#pragma once

#include "quads.hpp"

#include <vector>

namespace modelyard {

// Pixels that touch each other, also across corners.
struct Region {
    std::vector<Corner> points;  // the first and the last pixel of each of its runs
    double mean;                 // of the map's values
};

// The regions of a map above a threshold, from the top. values: height * width, row by row.
std::vector<Region> regions_of(const float* values, int width, int height, float threshold);

// The corners of the smallest rectangle around points, in order around it. One of its sides lies on a side of the convex hull
// (Freeman and Shapira 1975), so each of these is tried.
Quad smallest_rectangle(const std::vector<Corner>& points);

}  // namespace modelyard

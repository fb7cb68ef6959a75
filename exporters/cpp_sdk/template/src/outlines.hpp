// Outlines of what a grid of likelihoods holds.
#pragma once

#include <array>
#include <vector>

namespace modelyard {

using Point = std::array<double, 2>;  // x and y

// Closed borders of what is at least one half, by marching squares (Lorensen and Cline 1987, in the plane), without those of
// holes. cells: side * side, row by row; the outermost go on to the grid's edge. Points are fractions of the grid.
std::vector<std::vector<Point>> outlines_of(const std::vector<double>& cells, int side);

}  // namespace modelyard

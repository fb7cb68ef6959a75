// Quadrilaterals around lines of text: their corners go around as the text is read, from where it begins above.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace modelyard {

using Corner = std::array<double, 2>;  // x and y
using Quad = std::array<Corner, 4>;

// The corners clockwise, the upper left one first.
Quad from_upper_left(const Quad& corners);

// Width and height: the longer of two opposite sides.
std::array<double, 2> sides_of(const Quad& corners);

// From where the text begins: a line that runs downwards begins at its upper right.
Quad as_read(const Quad& corners);

// A rectangle with its sides moved outwards.
Quad enlarged(const Quad& corners, double distance);

// Places of quadrilaterals row by row, as their lines run; rows from the top, each from its beginning.
std::vector<std::size_t> reading_order(const std::vector<Quad>& quads);

}  // namespace modelyard

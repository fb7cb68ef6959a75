// Changes the size of pictures and cuts parts out of them, in Pillow's arithmetic. Pixels are RGB, rows from the top.
#pragma once

#include "quads.hpp"

#include <cstdint>
#include <vector>

namespace modelyard {

struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // height * width * 3
};

// Bilinear, over all pixels that a smaller one covers.
Pixels resized(const Pixels& source, int width, int height);

// The part of a picture within a quadrilateral, bicubic. corners: in its pixels, those of the result clockwise from the upper left.
Pixels flattened(const Pixels& source, const Quad& corners, int width, int height);

}  // namespace modelyard

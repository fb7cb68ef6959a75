// Turns a picture file into what the model takes: RGB, uint8, rows from the top.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace modelyard {

struct Picture {
    std::vector<std::uint8_t> pixels;  // height * width * 3; smaller than the file's picture where that was large
    int width = 0;
    int height = 0;
    int width_px = 0;  // of the file's picture, upright
    int height_px = 0;
};

// EXIF orientation applied, transparency laid over white, and a large picture shrunk by a whole factor while both sides stay at
// least min_side_px. Throws Fault.
Picture picture_decode(const std::uint8_t* data, std::size_t size, int min_side_px);

// The same of pixels in memory.
Picture picture_of(const std::uint8_t* pixels, int width, int height, int channels, std::size_t stride, int min_side_px);

}  // namespace modelyard

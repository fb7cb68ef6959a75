// How a camera was held.
#pragma once

#include <cstddef>
#include <cstdint>

namespace modelyard {

// The EXIF orientation of a JPEG or PNG file, 1 to 8; 1 where it has none.
int orientation_of(const std::uint8_t* data, std::size_t size);

// Whether a JPEG file has its end: decoders fill what is cut off with grey.
bool jpeg_is_whole(const std::uint8_t* data, std::size_t size);

}  // namespace modelyard

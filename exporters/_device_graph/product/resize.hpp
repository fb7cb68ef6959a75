// The resize of device_graph.py in C++17: antialiased bilinear, without keeping the aspect.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

// Weights of the pixels before in each pixel after, after x before: a triangle about its centre, as wide as the pixels shrink.
inline std::vector<float> resize_weights(std::int64_t before, std::int64_t after) {
  std::vector<float> weights(static_cast<std::size_t>(before * after));
  for (std::int64_t to = 0; to < after; ++to) {
    float* row = weights.data() + to * before;
    float total = 0;
    for (std::int64_t from = 0; from < before; ++from) {
      const std::int64_t apart = std::llabs((2 * from + 1) * after - (2 * to + 1) * before);
      row[from] = static_cast<float>(std::max<std::int64_t>(2 * std::max(before, after) - apart, 0));
      total += row[from];
    }
    for (std::int64_t from = 0; from < before; ++from) row[from] /= total;
  }
  return weights;
}

// The picture as the model sees it: all reds, then all greens, then all blues of side x side pixels, 0 to 255.
// `pixels` is height x width x 3 bytes of RGB.
inline std::vector<float> resized(const std::uint8_t* pixels, int width, int height, int side) {
  const std::vector<float> rows = resize_weights(height, side), columns = resize_weights(width, side);
  const auto place = [](std::size_t line, std::size_t length, std::size_t at) { return line * length + at; };
  const std::size_t w = width, h = height, s = side;
  std::vector<float> lines(s * w * 3, 0.0F), planes(3 * s * s, 0.0F);
  for (std::size_t y = 0; y < s; ++y)
    for (std::size_t from = 0; from < h; ++from)
      if (const float share = rows[place(y, h, from)]; share > 0)
        for (std::size_t at = 0; at < w * 3; ++at) lines[y * w * 3 + at] += share * pixels[from * w * 3 + at];
  for (std::size_t x = 0; x < s; ++x)
    for (std::size_t from = 0; from < w; ++from)
      if (const float share = columns[place(x, w, from)]; share > 0)
        for (std::size_t y = 0; y < s; ++y)
          for (std::size_t c = 0; c < 3; ++c) planes[(c * s + y) * s + x] += share * lines[(y * w + from) * 3 + c];
  return planes;
}

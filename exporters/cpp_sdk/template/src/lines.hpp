// A row of an answer with lines of text: x and y of four corners as fractions of the picture, from where the text begins, the
// score, and the characters as Unicode numbers. Rows without a line have the score 0.
#pragma once

#include <cstddef>

namespace modelyard {

constexpr std::size_t kMaxLines = 256;
constexpr std::size_t kMaxCharacters = 128;  // of a line; what is behind them is left out
constexpr std::size_t kCorners = 8;
constexpr std::size_t kLineLength = kCorners + 1 + kMaxCharacters;

}  // namespace modelyard

// Rows of x, y, width, height as fractions of the picture, score, index of the label, best first: what answers with boxes begin
// with. Rows that hold no box have the score 0.
#pragma once

#include "answers.hpp"

#include <array>

namespace modelyard {

constexpr std::size_t kRow = 6;
constexpr double kLowestScore = 0.05;  // golden boxes from this score on are all compared; of those below, the best few
constexpr std::size_t kNumAlways = 10;
constexpr double kMissingBox = 1.0;  // difference that counts for a box which only one side knows

using Row = std::array<double, kRow>;

// The rows that hold a box, without what follows it.
std::vector<Row> rows_of(const Tensor& answer);

// The rows of a golden sample. Throws Fault.
std::vector<Row> golden_rows(const Json& sample);

// Where a box lies, in pixels of the picture and within it.
Bounds bounds_of(const Row& row, const Picture& picture);

double score_of(const Row& row);

// The larger of both ways, what is missing there and what is too much here. most: the number of rows that the model answers with.
double rows_apart(const std::vector<Row>& expected, const std::vector<Row>& there, std::size_t most);

}  // namespace modelyard

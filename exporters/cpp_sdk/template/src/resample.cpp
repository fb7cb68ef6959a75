#include "resample.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace modelyard {

namespace {

constexpr int kColours = 3;
constexpr int kPrecision = 32 - 8 - 2;  // bits of a weight behind the point

// Of a result's pixel along an axis, the pixels that it is mixed from.
struct Mix {
    int first;
    std::vector<int> weights;
};

// Triangles of at least a pixel to both sides.
std::vector<Mix> mixes_of(int num_from, int num_to) {
    std::vector<Mix> mixes;
    const double scale = static_cast<double>(num_from) / num_to, support = std::max(scale, 1.0);
    for (int place = 0; place < num_to; ++place) {
        const double middle = (place + 0.5) * scale;
        const int first = std::max(0, static_cast<int>(middle - support + 0.5));
        const int stop = std::min(num_from, static_cast<int>(middle + support + 0.5));
        std::vector<double> shares;
        double sum = 0;
        for (int each = first; each < stop; ++each) {
            shares.push_back(std::max(0.0, 1.0 - std::abs((each - middle + 0.5) * (1.0 / support))));
            sum += shares.back();
        }
        Mix mix{first, {}};
        for (const double share : shares) mix.weights.push_back(static_cast<int>(0.5 + (sum != 0 ? share * (1.0 / sum) : share) * (1 << kPrecision)));
        mixes.push_back(std::move(mix));
    }
    return mixes;
}

std::uint8_t mixed(const Mix& mix, const std::uint8_t* source, std::size_t step) {
    int sum = 1 << (kPrecision - 1);
    for (std::size_t place = 0; place < mix.weights.size(); ++place) sum += source[place * step] * mix.weights[place];
    return static_cast<std::uint8_t>(std::clamp(sum >> kPrecision, 0, 255));
}

Pixels across(const Pixels& source, int width) {
    const std::vector<Mix> mixes = mixes_of(source.width, width);
    Pixels found{width, source.height, {}};
    found.rgb.reserve(static_cast<std::size_t>(width) * source.height * kColours);
    for (int y = 0; y < source.height; ++y)
        for (const Mix& mix : mixes)
            for (int channel = 0; channel < kColours; ++channel) {
                const std::size_t start = (static_cast<std::size_t>(y) * source.width + mix.first) * kColours + channel;
                found.rgb.push_back(mixed(mix, source.rgb.data() + start, kColours));
            }
    return found;
}

Pixels down(const Pixels& source, int height) {
    const std::vector<Mix> mixes = mixes_of(source.height, height);
    const std::size_t row = static_cast<std::size_t>(source.width) * kColours;
    Pixels found{source.width, height, {}};
    found.rgb.reserve(row * height);
    for (const Mix& mix : mixes)
        for (std::size_t at = 0; at < row; ++at) found.rgb.push_back(mixed(mix, source.rgb.data() + mix.first * row + at, row));
    return found;
}

using Equations = std::array<std::array<double, 9>, 8>;  // the right side behind the left

// Gauss' elimination; false where there is not one solution.
bool solved(Equations& rows) {
    for (std::size_t column = 0; column < 8; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < 8; ++row)
            if (std::abs(rows[row][column]) > std::abs(rows[pivot][column])) pivot = row;
        if (rows[pivot][column] == 0) return false;
        std::swap(rows[pivot], rows[column]);
        for (std::size_t row = 0; row < 8; ++row) {
            if (row == column) continue;
            const double factor = rows[row][column] / rows[column][column];
            for (std::size_t each = column; each < 9; ++each) rows[row][each] -= factor * rows[column][each];
        }
    }
    for (std::size_t row = 0; row < 8; ++row) rows[row][8] /= rows[row][row];
    return true;
}

// Eight numbers that take the corners of a result to those of a quadrilateral.
std::array<double, 8> perspective(const Quad& corners, int width, int height) {
    const double ends[4][2] = {{0, 0}, {1.0 * width, 0}, {1.0 * width, 1.0 * height}, {0, 1.0 * height}};
    Equations rows{};
    for (std::size_t place = 0; place < 4; ++place) {
        const double to_x = ends[place][0], to_y = ends[place][1], x = corners[place][0], y = corners[place][1];
        rows[2 * place] = {to_x, to_y, 1, 0, 0, 0, -to_x * x, -to_y * x, x};
        rows[2 * place + 1] = {0, 0, 0, to_x, to_y, 1, -to_x * y, -to_y * y, y};
    }
    std::array<double, 8> numbers{};
    if (solved(rows)) {
        for (std::size_t row = 0; row < 8; ++row) numbers[row] = rows[row][8];
        return numbers;
    }
    // Three corners on a line: the upright rectangle around them.
    double left = corners[0][0], right = left, upper = corners[0][1], lower = upper;
    for (const Corner& each : corners) {
        left = std::min(left, each[0]), right = std::max(right, each[0]);
        upper = std::min(upper, each[1]), lower = std::max(lower, each[1]);
    }
    return {(right - left) / width, 0, left, 0, (lower - upper) / height, upper, 0, 0};
}

double cubic(double one, double two, double three, double four, double way) {
    const double first = three - one, second = 2 * (one - two) + three - four, third = -one + two - three + four;
    return two + way * (first + way * (second + way * third));
}

// The colour at a place, bicubic; black outside of the picture.
void sample(const Pixels& source, double x, double y, std::uint8_t* rgb) {
    if (!(x >= 0 && x < source.width && y >= 0 && y < source.height)) return;
    x -= 0.5, y -= 0.5;
    const int column = static_cast<int>(std::floor(x)), row = static_cast<int>(std::floor(y));
    const double right = x - column, below = y - row;
    std::size_t columns[4];
    for (int each = 0; each < 4; ++each) columns[each] = static_cast<std::size_t>(std::clamp(column - 1 + each, 0, source.width - 1)) * kColours;
    for (int channel = 0; channel < kColours; ++channel) {
        double lines[4];
        for (int each = 0; each < 4; ++each) {
            const int at = row - 1 + each;
            if (each > 0 && (at < 0 || at >= source.height)) {
                lines[each] = lines[each - 1];
                continue;
            }
            const int within = std::clamp(at, 0, source.height - 1);
            const std::uint8_t* line = source.rgb.data() + static_cast<std::size_t>(within) * source.width * kColours + channel;
            lines[each] = cubic(line[columns[0]], line[columns[1]], line[columns[2]], line[columns[3]], right);
        }
        rgb[channel] = static_cast<std::uint8_t>(std::clamp(cubic(lines[0], lines[1], lines[2], lines[3], below), 0.0, 255.0));
    }
}

}  // namespace

Pixels resized(const Pixels& source, int width, int height) {
    if (width != source.width) {
        const Pixels wide = across(source, width);
        return height == source.height ? wide : down(wide, height);
    }
    return height == source.height ? source : down(source, height);
}

Pixels flattened(const Pixels& source, const Quad& corners, int width, int height) {
    const std::array<double, 8> to = perspective(corners, width, height);
    Pixels found{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * kColours)};
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column) {
            const double x = column + 0.5, y = row + 0.5, depth = to[6] * x + to[7] * y + 1;
            std::uint8_t* rgb = found.rgb.data() + (static_cast<std::size_t>(row) * width + column) * kColours;
            sample(source, (to[0] * x + to[1] * y + to[2]) / depth, (to[3] * x + to[4] * y + to[5]) / depth, rgb);
        }
    return found;
}

}  // namespace modelyard

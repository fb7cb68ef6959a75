#include "picture.hpp"

#include "exif.hpp"
#include "fault.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_ONLY_GIF
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_FAILURE_STRINGS  // one of them is not for several threads
#include "stb_image.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

namespace modelyard {

namespace {

constexpr std::uint64_t kMostPixels = 100000000;
constexpr int kChannels = 3;
constexpr const char* kBroken = "the file is broken, or of a kind that is not read";

struct Plane {
    std::vector<std::uint8_t> pixels;
    int width = 0;
    int height = 0;
};

bool starts_with(const std::uint8_t* data, std::size_t size, const char* mark, std::size_t length) {
    return size >= length && std::memcmp(data, mark, length) == 0;
}

[[noreturn]] void unreadable(const std::string& why) { throw Fault(MODELYARD_PICTURE_UNREADABLE, "the picture cannot be decoded: " + why); }

void size_check(std::uint32_t width, std::uint32_t height) {
    if (static_cast<std::uint64_t>(width) * height > kMostPixels) {
        throw Fault(
            MODELYARD_PICTURE_TOO_LARGE,
            "the picture has " + std::to_string(width) + " x " + std::to_string(height) + " pixels, at most 100,000,000 are decoded");
    }
}

// One colour over white, in Pillow's arithmetic (alpha_composite).
std::uint8_t over_white(std::uint32_t colour, std::uint32_t alpha) {
    if (alpha == 0) return 255;
    const std::uint32_t outer = alpha * 255 + 255 * (255 - alpha);
    const std::uint32_t share = alpha * 255 * 255 * 128 / outer;
    const std::uint32_t sum = colour * share + 255 * (255 * 128 - share) + (128 << 7);
    return static_cast<std::uint8_t>(((sum >> 8) + sum) >> 8 >> 7);
}

// Means of squares of the picture, in Pillow's arithmetic (reduce); at its right and lower edge, of what is left of them.
Plane shrunk(const Plane& given, int factor) {
    if (factor <= 1) return given;
    Plane small;
    small.width = (given.width + factor - 1) / factor;
    small.height = (given.height + factor - 1) / factor;
    small.pixels.resize(static_cast<std::size_t>(small.width) * small.height * kChannels);
    std::uint8_t* out = small.pixels.data();
    for (int y = 0; y < small.height; ++y) {
        const int lowest = std::min((y + 1) * factor, given.height);
        for (int x = 0; x < small.width; ++x) {
            const int rightmost = std::min((x + 1) * factor, given.width);
            std::uint32_t sums[kChannels] = {0, 0, 0};
            for (int from_y = y * factor; from_y < lowest; ++from_y) {
                const std::uint8_t* in = &given.pixels[(static_cast<std::size_t>(from_y) * given.width + x * factor) * kChannels];
                for (int from_x = x * factor; from_x < rightmost; ++from_x)
                    for (std::uint32_t& sum : sums) sum += *in++;
            }
            const std::uint32_t num = static_cast<std::uint32_t>(lowest - y * factor) * static_cast<std::uint32_t>(rightmost - x * factor);
            const auto share = static_cast<std::uint32_t>(4294967296.0F / static_cast<float>(num * 256));
            for (const std::uint32_t sum : sums) *out++ = static_cast<std::uint8_t>(((sum + num / 2) * share) >> 24);
        }
    }
    return small;
}

// Undoes an EXIF orientation.
Plane upright(const Plane& given, int orientation) {
    if (orientation <= 1 || orientation > 8) return given;
    const bool is_on_its_side = orientation >= 5;
    const bool is_mirrored = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool is_upside_down = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Plane turned;
    turned.width = is_on_its_side ? given.height : given.width;
    turned.height = is_on_its_side ? given.width : given.height;
    turned.pixels.resize(given.pixels.size());
    std::uint8_t* out = turned.pixels.data();
    for (int y = 0; y < turned.height; ++y) {
        for (int x = 0; x < turned.width; ++x, out += kChannels) {
            int from_x = is_on_its_side ? y : x;
            int from_y = is_on_its_side ? x : y;
            if (is_mirrored) from_x = given.width - 1 - from_x;
            if (is_upside_down) from_y = given.height - 1 - from_y;
            std::memcpy(out, &given.pixels[(static_cast<std::size_t>(from_y) * given.width + from_x) * kChannels], kChannels);
        }
    }
    return turned;
}

// What a JPEG decoder could leave out already, as the runtime's does: an eighth, a quarter or half of each side.
int jpeg_factor(const Plane& given, int min_side_px) {
    const int most = std::min(given.width, given.height) / min_side_px;
    return most >= 8 ? 8 : most >= 4 ? 4 : most >= 2 ? 2 : 1;
}

Picture finished(Plane plane, int orientation, bool is_jpeg, int min_side_px) {
    Picture picture;
    picture.width_px = orientation >= 5 ? plane.height : plane.width;
    picture.height_px = orientation >= 5 ? plane.width : plane.height;
    if (is_jpeg) plane = shrunk(plane, jpeg_factor(plane, min_side_px));
    plane = upright(shrunk(plane, std::min(plane.width, plane.height) / min_side_px), orientation);
    picture.pixels = std::move(plane.pixels);
    picture.width = plane.width;
    picture.height = plane.height;
    return picture;
}

std::uint32_t png_number(const std::uint8_t* data) {
    return std::uint32_t{data[0]} << 24 | std::uint32_t{data[1]} << 16 | std::uint32_t{data[2]} << 8 | data[3];
}

// The fourth channel of an uncompressed bitmap of 32 bits means nothing.
bool alpha_is_filling(const std::uint8_t* data, std::size_t size) {
    return size > 34 && starts_with(data, size, "BM", 2) && data[28] == 32 && data[30] == 0;
}

}  // namespace

Picture picture_decode(const std::uint8_t* data, std::size_t size, int min_side_px) {
    const bool is_jpeg = starts_with(data, size, "\xFF\xD8\xFF", 3);
    const bool is_png = starts_with(data, size, "\x89PNG\r\n\x1A\n", 8);
    const bool is_known = is_jpeg || is_png || starts_with(data, size, "BM", 2) || starts_with(data, size, "GIF8", 4);
    if (!is_known) unreadable("not a JPEG, PNG, BMP or GIF file");
    if (size > INT_MAX) unreadable("the file is larger than 2 GB");
    const int length = static_cast<int>(size);
    int width = 0, height = 0, channels = 0;
    if (is_png && size >= 24) size_check(png_number(data + 16), png_number(data + 20));
    if (!stbi_info_from_memory(data, length, &width, &height, &channels)) unreadable(kBroken);
    size_check(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
    if (is_jpeg && !jpeg_is_whole(data, size)) unreadable("the file is cut off");
    const std::unique_ptr<stbi_uc, void (*)(void*)> rgba(
        stbi_load_from_memory(data, length, &width, &height, &channels, 4), stbi_image_free);
    if (!rgba) unreadable(kBroken);
    size_check(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
    const bool is_opaque = alpha_is_filling(data, size);
    Plane plane{std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * kChannels), width, height};
    const std::uint8_t* in = rgba.get();
    for (std::uint8_t* out = plane.pixels.data(); out != plane.pixels.data() + plane.pixels.size(); out += kChannels, in += 4)
        for (int place = 0; place < kChannels; ++place) out[place] = is_opaque ? in[place] : over_white(in[place], in[3]);
    return finished(std::move(plane), orientation_of(data, size), is_jpeg, min_side_px);
}

Picture picture_of(const std::uint8_t* pixels, int width, int height, int channels, std::size_t stride, int min_side_px) {
    size_check(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
    Plane plane{std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * kChannels), width, height};
    std::uint8_t* out = plane.pixels.data();
    for (int y = 0; y < height; ++y) {
        const std::uint8_t* in = pixels + static_cast<std::size_t>(y) * stride;
        for (int x = 0; x < width; ++x, in += channels) {
            for (int place = 0; place < kChannels; ++place) {
                const std::uint8_t colour = channels == 1 ? in[0] : in[place];
                *out++ = channels == 4 ? over_white(colour, in[3]) : colour;
            }
        }
    }
    return finished(std::move(plane), 1, false, min_side_px);
}

}  // namespace modelyard

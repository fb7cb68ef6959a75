#include "exif.hpp"

#include <cstring>

namespace modelyard {

namespace {

constexpr int kOrientationTag = 0x0112;
constexpr int kShort = 3;
constexpr int kLong = 4;
constexpr std::size_t kEntryBytes = 12;

struct Bytes {
    const std::uint8_t* data;
    std::size_t size;

    bool starts_with(const char* text, std::size_t length) const { return size >= length && std::memcmp(data, text, length) == 0; }
    Bytes from(std::size_t place) const { return place < size ? Bytes{data + place, size - place} : Bytes{data, 0}; }
    std::uint32_t number(std::size_t place, int bytes, bool is_big) const {
        if (place > size || size - place < static_cast<std::size_t>(bytes)) return 0;
        std::uint32_t value = 0;
        for (int each = 0; each < bytes; ++each) value = value << 8 | data[place + (is_big ? each : bytes - 1 - each)];
        return value;
    }
};

// Of a TIFF structure, which EXIF is.
int orientation_in(Bytes tiff) {
    const bool is_big = tiff.starts_with("MM", 2);
    if (!is_big && !tiff.starts_with("II", 2)) return 1;
    const std::size_t first = tiff.number(4, 4, is_big);
    const std::size_t num_entries = tiff.number(first, 2, is_big);
    for (std::size_t entry = 0; entry < num_entries; ++entry) {
        const std::size_t place = first + 2 + entry * kEntryBytes;
        if (place + kEntryBytes > tiff.size) break;
        if (tiff.number(place, 2, is_big) != kOrientationTag) continue;
        const std::uint32_t type = tiff.number(place + 2, 2, is_big);
        const std::uint32_t value = tiff.number(place + 8, type == kLong ? 4 : 2, is_big);
        return (type == kShort || type == kLong) && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

bool is_jpeg(Bytes file) { return file.starts_with("\xFF\xD8\xFF", 3); }

int orientation_of_png(Bytes file) {
    for (std::size_t place = 8; place + 12 <= file.size;) {
        const std::size_t length = file.number(place, 4, true);
        if (length > file.size - place - 12) break;
        if (file.from(place + 4).starts_with("eXIf", 4)) return orientation_in(Bytes{file.data + place + 8, length});
        place += 12 + length;
    }
    return 1;
}

// Goes over the segments of a JPEG file: `exif` becomes that of the first such segment. Returns whether the end was reached.
bool jpeg_walk(Bytes file, Bytes* exif) {
    std::size_t place = 2;
    bool is_in_scan = false;
    while (place + 1 < file.size) {
        const std::uint8_t mark = file.data[place + 1];
        if (file.data[place] != 0xFF || (is_in_scan && (mark == 0x00 || (mark >= 0xD0 && mark <= 0xD7)))) {
            if (!is_in_scan) return false;
            place += file.data[place] == 0xFF ? 2 : 1;
            continue;
        }
        if (mark == 0xFF) {  // filling
            ++place;
            continue;
        }
        if (mark == 0xD9) return true;
        const std::size_t length = file.number(place + 2, 2, true);
        if (length < 2 || length > file.size - place - 2) return false;
        if (mark == 0xE1 && exif && !exif->size && file.from(place + 4).starts_with("Exif\0\0", 6) && length > 8) {
            *exif = Bytes{file.data + place + 10, length - 8};
        }
        is_in_scan = mark == 0xDA;
        place += 2 + length;
    }
    return false;
}

}  // namespace

int orientation_of(const std::uint8_t* data, std::size_t size) {
    const Bytes file{data, size};
    if (file.starts_with("\x89PNG", 4)) return orientation_of_png(file);
    Bytes exif{data, 0};
    if (!is_jpeg(file)) return 1;
    jpeg_walk(file, &exif);
    return orientation_in(exif);
}

bool jpeg_is_whole(const std::uint8_t* data, std::size_t size) { return jpeg_walk(Bytes{data, size}, nullptr); }

}  // namespace modelyard

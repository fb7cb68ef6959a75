#include "utf8.hpp"

#include "fault.hpp"

namespace modelyard {

void utf8_append(std::string& text, std::uint32_t sign) {
    if (sign < 0x80) {
        text += static_cast<char>(sign);
        return;
    }
    const int more = sign < 0x800 ? 1 : sign < 0x10000 ? 2 : 3;
    const std::uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(lead[more] | (sign >> (6 * more)));
    for (int place = more - 1; place >= 0; --place) text += static_cast<char>(0x80 | ((sign >> (6 * place)) & 0x3F));
}

std::u32string utf8_read(const std::string& text, modelyard_status kind) {
    constexpr std::uint32_t lowest[] = {0, 0x80, 0x800, 0x10000};
    std::u32string signs;
    for (std::size_t at = 0; at < text.size();) {
        const auto first = static_cast<std::uint8_t>(text[at++]);
        const int more = first < 0x80 ? 0 : first >> 5 == 0x6 ? 1 : first >> 4 == 0xE ? 2 : first >> 3 == 0x1E ? 3 : -1;
        std::uint32_t sign = more == 0 ? first : first & (0x3F >> (more < 0 ? 0 : more));
        bool is_right = more >= 0 && at + static_cast<std::size_t>(more < 0 ? 0 : more) <= text.size();
        for (int place = 0; is_right && place < more; ++place) {
            const auto next = static_cast<std::uint8_t>(text[at++]);
            is_right = next >> 6 == 2;
            sign = sign << 6 | (next & 0x3F);
        }
        is_right = is_right && sign >= lowest[more] && sign <= 0x10FFFF && sign >> 11 != 0x1B;
        if (!is_right) throw Fault(kind, "the text is not UTF-8: byte " + std::to_string(at));
        signs += static_cast<char32_t>(sign);
    }
    return signs;
}

}  // namespace modelyard

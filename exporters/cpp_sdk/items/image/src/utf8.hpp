// Texts are UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace modelyard {

// Adds a character by its Unicode number.
void utf8_append(std::string& text, std::uint32_t sign);

// The Unicode numbers of a text. Throws Fault (MODELYARD_ARTEFACT_UNREADABLE) where it is not UTF-8.
std::u32string utf8_read(const std::string& text);

}  // namespace modelyard

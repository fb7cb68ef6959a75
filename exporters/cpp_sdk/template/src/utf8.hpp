// Texts are UTF-8.
#pragma once

#include "modelyard.h"

#include <cstdint>
#include <string>

namespace modelyard {

// Adds a character by its Unicode number.
void utf8_append(std::string& text, std::uint32_t sign);

// The Unicode numbers of a text. `kind` is the status of the Fault where it is not UTF-8.
std::u32string utf8_read(const std::string& text, modelyard_status kind = MODELYARD_ARTEFACT_UNREADABLE);

}  // namespace modelyard

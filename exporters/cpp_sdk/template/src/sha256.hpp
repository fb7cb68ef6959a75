#pragma once

#include <string>

namespace modelyard {

// SHA-256 of bytes as 64 hexadecimal digits (FIPS 180-4).
std::string sha256_hex(const std::string& bytes);

}  // namespace modelyard

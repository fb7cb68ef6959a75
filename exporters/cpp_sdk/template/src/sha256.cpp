#include "sha256.hpp"

#include <array>
#include <cstdint>

namespace modelyard {

namespace {

constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t turned(std::uint32_t value, int by) { return value >> by | value << (32 - by); }

void block_add(std::array<std::uint32_t, 8>& state, const unsigned char* block) {
    std::array<std::uint32_t, 64> words{};
    for (int at = 0; at < 16; ++at)
        for (int byte = 0; byte < 4; ++byte) words[at] = words[at] << 8 | block[at * 4 + byte];
    for (int at = 16; at < 64; ++at) {
        const std::uint32_t early = words[at - 15], late = words[at - 2];
        words[at] = words[at - 16] + (turned(early, 7) ^ turned(early, 18) ^ early >> 3) + words[at - 7] +
                    (turned(late, 17) ^ turned(late, 19) ^ late >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (int at = 0; at < 64; ++at) {
        const std::uint32_t first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[at] + words[at];
        const std::uint32_t second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
    }
    const std::uint32_t sums[] = {a, b, c, d, e, f, g, h};
    for (int at = 0; at < 8; ++at) state[at] += sums[at];
}

}  // namespace

std::string sha256_hex(const std::string& bytes) {
    std::array<std::uint32_t, 8> state = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const std::size_t num_whole = bytes.size() / 64 * 64;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    for (std::size_t place = 0; place < num_whole; place += 64) block_add(state, data + place);
    std::string rest = bytes.substr(num_whole) + '\x80';
    rest.resize(rest.size() <= 56 ? 56 : 120, '\0');
    const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
    for (int byte = 7; byte >= 0; --byte) rest += static_cast<char>(bits >> (8 * byte) & 0xFF);
    for (std::size_t place = 0; place < rest.size(); place += 64)
        block_add(state, reinterpret_cast<const unsigned char*>(rest.data()) + place);
    std::string hex;
    for (const std::uint32_t word : state)
        for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 0xF];
    return hex;
}

}  // namespace modelyard

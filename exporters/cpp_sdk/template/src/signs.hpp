// What the tokenizers library, whose ids are given here, knows of Unicode characters; and UTF-32, in which texts are rewritten.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace modelyard {

// Characters, as ranges of their numbers.
class SignSet {
  public:
    // Adds a range behind those that are there.
    void add(char32_t first, char32_t last) { ranges_.emplace_back(first, last); }
    bool holds(char32_t sign) const;

  private:
    std::vector<std::pair<char32_t, char32_t>> ranges_;
};

using SignMap = std::unordered_map<char32_t, std::u32string>;

// The tables, read when they are first asked for.
struct Signs {
    static const Signs& known();

    SignSet ends;           // white space that a text does not begin or end with
    SignSet white;          // white space that parts words
    SignSet pattern_white;  // what \s stands for
    SignSet removed;        // what BERT's cleaning takes out
    SignSet blank;          // what it turns into a space
    SignSet ideograph;      // Chinese characters, each a word
    SignSet mark;           // accents
    SignSet punctuation;
    SignMap lower;
    SignMap canonical;   // parts of a character
    SignMap compatible;  // parts of one that only means the same; where they are other ones
    std::unordered_map<char32_t, int> classes;  // by which accents are ordered; 0 of those that are not here
    std::unordered_map<std::uint64_t, char32_t> pairs;
};

// Every character taken apart, and its accents in order: NFD, or NFKD where is_compatible.
std::u32string taken_apart(const std::u32string& text, bool is_compatible);

// What was taken apart, put together: of NFKD NFKC.
std::u32string put_together(const std::u32string& text);

}  // namespace modelyard

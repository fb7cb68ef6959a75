// Texts to the ids that a model takes: what tokenizer.json says, with the ids that the tokenizers library gives.
#pragma once

#include "json.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace modelyard {

// Rewrites a text, or what is left of it between special tokens.
using Normalizer = std::function<std::u32string(const std::u32string&)>;

using Words = std::vector<std::u32string>;

// Takes a text apart.
using Splitter = std::function<Words(const std::u32string&)>;

// The pieces that a vocabulary knows a word by.
class Pieces {
  public:
    virtual ~Pieces() = default;
    virtual void append(const std::u32string& word, std::vector<std::int64_t>& ids) const = 0;
};

// Each throws Fault for what it does not know, so that a model is refused when it is loaded.
Normalizer normalizer_of(const Json& spec);
Splitter splitter_of(const Json& spec);
std::unique_ptr<Pieces> pieces_of(const Json& spec);

// Throws Fault, with these words, where a definition is not one that the library knows.
void expect(bool is_right, const std::string& otherwise);

class Tokenizer {
  public:
    // The content of a tokenizer.json. Throws Fault.
    explicit Tokenizer(const Json& definition);

    // Cut off, and with the special tokens around it, as the file says.
    std::vector<std::int64_t> ids(const std::u32string& text) const;

  private:
    struct Special {
        std::u32string content;
        std::int64_t id;
    };

    const Special* special_at(const std::u32string& text, std::size_t at) const;
    void append(const std::u32string& part, std::vector<std::int64_t>& ids) const;

    std::vector<Special> specials_;  // longest first
    Normalizer normalizer_;
    Splitter splitter_;
    std::unique_ptr<Pieces> pieces_;
    std::vector<std::int64_t> before_, behind_;
    std::size_t most_;  // ids of a text
};

}  // namespace modelyard

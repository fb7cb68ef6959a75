// The patterns of tokenizers: a text, white space in a row, or one of some characters. Not regular expressions in general.
#pragma once

#include "json.hpp"
#include "signs.hpp"

#include <string>

namespace modelyard {

class Pattern {
  public:
    // {"String": ...} or {"Regex": ...}. Throws Fault for another one.
    explicit Pattern(const Json& spec);

    // The number of characters that match from there on; 0: none do.
    std::size_t length(const std::u32string& text, std::size_t at) const;

  private:
    void characters(const std::u32string& members);

    std::u32string text_;  // empty: a character of the set, or several
    SignSet set_;
    bool is_run_ = false;
};

}  // namespace modelyard

#include "pattern.hpp"

#include "fault.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <vector>

namespace modelyard {

namespace {

constexpr char32_t kHighest = 0x10FFFF;

[[noreturn]] void unknown(const std::string& pattern) {
    throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the tokenizer: this library knows no pattern " + pattern);
}

}  // namespace

Pattern::Pattern(const Json& spec) {
    if (const Json* text = spec.find("String")) {
        text_ = utf8_read(text->text());
        if (text_.empty()) unknown("without characters");
        return;
    }
    const std::string& written = spec.at("Regex").text();
    const std::u32string regex = utf8_read(written);
    if (regex == U"\\s+" || regex == U"\\s") {
        set_ = Signs::known().pattern_white;
        is_run_ = regex.back() == U'+';
    } else if (regex == U"[\\s\\S]") {
        set_.add(0, kHighest);
    } else if (
        regex.size() > 2 && regex.front() == U'[' && regex.back() == U']' && regex[1] != U'^' &&
        regex.find_first_of(U"[]\\&", 1) == regex.size() - 1) {
        characters(regex.substr(1, regex.size() - 2));
    } else {
        unknown(written);
    }
}

// Single ones, and ranges.
void Pattern::characters(const std::u32string& members) {
    std::vector<std::pair<char32_t, char32_t>> ranges;
    for (std::size_t at = 0; at < members.size(); ++at) {
        const bool is_range = at + 2 < members.size() && members[at + 1] == U'-';
        ranges.emplace_back(members[at], members[is_range ? at + 2 : at]);
        if (is_range) at += 2;
    }
    std::sort(ranges.begin(), ranges.end());
    for (const auto& [first, last] : ranges) set_.add(first, last);
}

std::size_t Pattern::length(const std::u32string& text, std::size_t at) const {
    if (!text_.empty()) return text.compare(at, text_.size(), text_) == 0 ? text_.size() : 0;
    std::size_t end = at;
    while (end < text.size() && set_.holds(text[end]) && (is_run_ || end == at)) ++end;
    return end - at;
}

}  // namespace modelyard

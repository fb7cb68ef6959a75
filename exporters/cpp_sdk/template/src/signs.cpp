#include "signs.hpp"

#include "sign_tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

namespace modelyard {

namespace {

constexpr int kHex = 16;
// Hangul, whose syllables follow from a formula (Unicode Standard, 3.12).
constexpr char32_t kSyllable = 0xAC00, kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7;
constexpr char32_t kLeads = 19, kVowels = 21, kTails = 28;

std::uint64_t pair_of(char32_t first, char32_t second) { return static_cast<std::uint64_t>(first) << 32 | second; }

// An entry of a table: a range, and what is behind it.
struct Entry {
    char32_t first = 0, last = 0;
    std::vector<char32_t> numbers;
    std::int64_t shift = 0;
};

class Reader {
  public:
    explicit Reader(const char* text) : at_(text) {}

    bool has_more() const { return *at_ != 0; }

    Entry entry() {
        while (*at_ == ' ') ++at_;
        Entry entry;
        entry.first = entry.last = number();
        if (*at_ == '-') {
            ++at_;
            entry.last = number();
        }
        if (*at_ == '+' || *at_ == '~') {
            const int sign = *at_++ == '+' ? 1 : -1;
            entry.shift = sign * static_cast<std::int64_t>(number());
        } else if (*at_ == '=') {
            do {
                ++at_;
                entry.numbers.push_back(number());
            } while (*at_ == ',');
        }
        return entry;
    }

  private:
    char32_t number() {
        char* end = nullptr;
        const unsigned long value = std::strtoul(at_, &end, kHex);
        at_ = end;
        return static_cast<char32_t>(value);
    }

    const char* at_;
};

Signs read() {
    Signs signs;
    using Take = std::function<void(const Entry&)>;
    const auto set = [](SignSet& into) { return Take([&into](const Entry& entry) { into.add(entry.first, entry.last); }); };
    const auto map = [](SignMap& into) {
        return Take([&into](const Entry& entry) { into[entry.first] = std::u32string(entry.numbers.begin(), entry.numbers.end()); });
    };
    const std::map<std::string, Take> tables{
        {"ends", set(signs.ends)},
        {"white", set(signs.white)},
        {"pattern_white", set(signs.pattern_white)},
        {"removed", set(signs.removed)},
        {"blank", set(signs.blank)},
        {"ideograph", set(signs.ideograph)},
        {"mark", set(signs.mark)},
        {"punctuation", set(signs.punctuation)},
        {"lower",
         [&](const Entry& entry) {
             for (char32_t sign = entry.first; sign <= entry.last; ++sign)
                 signs.lower[sign] = std::u32string(1, static_cast<char32_t>(sign + entry.shift));
         }},
        {"lower_long", map(signs.lower)},
        {"canonical", map(signs.canonical)},
        {"compatible", map(signs.compatible)},
        {"class",
         [&](const Entry& entry) {
             for (char32_t sign = entry.first; sign <= entry.last; ++sign) signs.classes[sign] = static_cast<int>(entry.numbers[0]);
         }},
        {"pair", [&](const Entry& entry) { signs.pairs[pair_of(entry.numbers[0], entry.numbers[1])] = entry.first; }},
    };
    std::string name;
    for (const char* line : kSignTables) {
        const std::string text = line;
        const std::size_t end = text.find(' ');
        const Take& take = tables.at(text.substr(0, end));
        for (Reader reader(line + end); reader.has_more();) take(reader.entry());
    }
    return signs;
}

int class_of(const Signs& signs, char32_t sign) {
    const auto found = signs.classes.find(sign);
    return found == signs.classes.end() ? 0 : found->second;
}

void append_parts(const Signs& signs, char32_t sign, bool is_compatible, std::u32string& text) {
    if (sign >= kSyllable && sign < kSyllable + kLeads * kVowels * kTails) {
        const char32_t number = sign - kSyllable;
        text += kLead + number / (kVowels * kTails);
        text += kVowel + number / kTails % kVowels;
        if (number % kTails) text += kTail + number % kTails;
        return;
    }
    if (is_compatible) {
        const auto found = signs.compatible.find(sign);
        if (found != signs.compatible.end()) {
            text += found->second;
            return;
        }
    }
    const auto found = signs.canonical.find(sign);
    if (found == signs.canonical.end()) text += sign;
    else text += found->second;
}

// One character for two; 0 where there is none.
char32_t joined(const Signs& signs, char32_t first, char32_t second) {
    if (first >= kLead && first < kLead + kLeads && second >= kVowel && second < kVowel + kVowels)
        return kSyllable + ((first - kLead) * kVowels + (second - kVowel)) * kTails;
    const bool is_open = first >= kSyllable && first < kSyllable + kLeads * kVowels * kTails && (first - kSyllable) % kTails == 0;
    if (is_open && second > kTail && second < kTail + kTails) return first + (second - kTail);
    const auto found = signs.pairs.find(pair_of(first, second));
    return found == signs.pairs.end() ? 0 : found->second;
}

}  // namespace

bool SignSet::holds(char32_t sign) const {
    const auto behind = std::upper_bound(
        ranges_.begin(), ranges_.end(), sign, [](char32_t value, const std::pair<char32_t, char32_t>& range) { return value < range.first; });
    return behind != ranges_.begin() && sign <= std::prev(behind)->second;
}

const Signs& Signs::known() {
    static const Signs signs = read();
    return signs;
}

std::u32string taken_apart(const std::u32string& text, bool is_compatible) {
    const Signs& signs = Signs::known();
    std::u32string apart;
    for (const char32_t sign : text) append_parts(signs, sign, is_compatible, apart);
    const auto is_accent = [&](char32_t sign) { return class_of(signs, sign) != 0; };
    for (auto at = apart.begin(); at != apart.end();) {
        const auto first = std::find_if(at, apart.end(), is_accent);
        at = std::find_if_not(first, apart.end(), is_accent);
        std::stable_sort(first, at, [&](char32_t one, char32_t other) { return class_of(signs, one) < class_of(signs, other); });
    }
    return apart;
}

std::u32string put_together(const std::u32string& text) {
    const Signs& signs = Signs::known();
    std::u32string whole;
    std::size_t starter = std::u32string::npos;
    int last = 0;
    for (const char32_t sign : text) {
        const int own = class_of(signs, sign);
        if (starter != std::u32string::npos && (starter + 1 == whole.size() || last < own)) {
            if (const char32_t both = joined(signs, whole[starter], sign)) {
                whole[starter] = both;
                continue;
            }
        }
        if (own == 0) starter = whole.size();
        last = own;
        whole += sign;
    }
    return whole;
}

}  // namespace modelyard

// The normalizers of tokenizer.json.
#include "fault.hpp"
#include "pattern.hpp"
#include "signs.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

#include <map>

namespace modelyard {

namespace {

std::u32string lowered(const std::u32string& text) {
    const Signs& signs = Signs::known();
    std::u32string low;
    for (const char32_t sign : text) {
        const auto found = signs.lower.find(sign);
        if (found == signs.lower.end()) low += sign;
        else low += found->second;
    }
    return low;
}

std::u32string cleaned(const std::u32string& text) {
    const Signs& signs = Signs::known();
    std::u32string clean;
    for (const char32_t sign : text)
        if (!signs.removed.holds(sign)) clean += signs.blank.holds(sign) ? U' ' : sign;
    return clean;
}

std::u32string set_apart(const std::u32string& text) {
    const Signs& signs = Signs::known();
    std::u32string apart;
    for (const char32_t sign : text) {
        if (signs.ideograph.holds(sign)) apart.append({U' ', sign, U' '});
        else apart += sign;
    }
    return apart;
}

std::u32string without_accents(const std::u32string& text) {
    const Signs& signs = Signs::known();
    std::u32string bare;
    for (const char32_t sign : taken_apart(text, false))
        if (!signs.mark.holds(sign)) bare += sign;
    return bare;
}

Normalizer bert(const Json& spec) {
    const bool is_lower = spec.at("lowercase").is_true();
    const Json& accents = spec.at("strip_accents");
    const bool is_bare = accents.is_null() ? is_lower : accents.is_true();
    const bool is_clean = spec.at("clean_text").is_true(), is_apart = spec.at("handle_chinese_chars").is_true();
    return [=](const std::u32string& given) {
        std::u32string text = is_clean ? cleaned(given) : given;
        if (is_apart) text = set_apart(text);
        if (is_bare) text = without_accents(text);
        return is_lower ? lowered(text) : text;
    };
}

Normalizer replaced(const Json& spec) {
    return [pattern = Pattern(spec.at("pattern")), by = utf8_read(spec.at("content").text())](const std::u32string& text) {
        std::u32string other;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = pattern.length(text, at);
            if (length) other += by;
            else other += text[at];
            at += length ? length : 1;
        }
        return other;
    };
}

Normalizer sequence(const Json& spec) {
    std::vector<Normalizer> steps;
    for (const Json& each : spec.at("normalizers").items()) steps.push_back(normalizer_of(each));
    return [steps](std::u32string text) {
        for (const Normalizer& step : steps) text = step(text);
        return text;
    };
}

}  // namespace

Normalizer normalizer_of(const Json& spec) {
    using Maker = Normalizer (*)(const Json&);
    static const std::map<std::string, Maker> makers{
        {"Sequence", sequence},
        {"Replace", replaced},
        {"BertNormalizer", bert},
        {"Lowercase", [](const Json&) { return Normalizer(lowered); }},
        {"NFKC", [](const Json&) { return Normalizer([](const std::u32string& text) { return put_together(taken_apart(text, true)); }); }},
    };
    const std::string& type = spec.at("type").text();
    const auto maker = makers.find(type);
    if (maker == makers.end()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the tokenizer: this library knows no normalizer " + type);
    return maker->second(spec);
}

}  // namespace modelyard

// The pre-tokenizers of tokenizer.json.
#include "fault.hpp"
#include "pattern.hpp"
#include "signs.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

#include <map>

namespace modelyard {

namespace {

// Ends the word that is being read.
void close(Words& words, std::u32string& word) {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
}

Words at_spaces(const std::u32string& text) {
    const Signs& signs = Signs::known();
    Words words;
    std::u32string word;
    for (const char32_t sign : text) {
        if (signs.white.holds(sign)) close(words, word);
        else word += sign;
    }
    close(words, word);
    return words;
}

Words bert_words(const std::u32string& text) {
    const Signs& signs = Signs::known();
    Words words;
    for (const std::u32string& each : at_spaces(text)) {
        std::u32string word;
        for (const char32_t sign : each) {
            const bool is_mark = signs.punctuation.holds(sign);
            if (is_mark) close(words, word);
            word += sign;
            if (is_mark) close(words, word);
        }
        close(words, word);
    }
    return words;
}

Splitter split(const Json& spec) {
    if (spec.at("behavior").text() != "Isolated" || spec.at("invert").is_true())
        throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the tokenizer: this library only splits with the behaviour Isolated");
    return [pattern = Pattern(spec.at("pattern"))](const std::u32string& text) {
        Words words;
        std::u32string word;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = pattern.length(text, at);
            if (length) {
                close(words, word);
                words.push_back(text.substr(at, length));
            } else {
                word += text[at];
            }
            at += length ? length : 1;
        }
        close(words, word);
        return words;
    };
}

Splitter metaspace(const Json& spec) {
    const std::u32string replacement = utf8_read(spec.at("replacement").text());
    if (spec.at("prepend_scheme").text() != "always" || replacement.size() != 1)
        throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the tokenizer: this library prepends one character, and always");
    return [space = replacement[0], is_split = spec.at("split").is_true()](const std::u32string& text) {
        Words words;
        std::u32string word;
        if (!text.empty() && text[0] != space && text[0] != U' ') word += space;
        for (const char32_t sign : text) {
            const char32_t own = sign == U' ' ? space : sign;
            if (is_split && own == space) close(words, word);
            word += own;
        }
        close(words, word);
        return words;
    };
}

Splitter splitters_in_turn(const Json& spec) {
    std::vector<Splitter> steps;
    for (const Json& each : spec.at("pretokenizers").items()) steps.push_back(splitter_of(each));
    return [steps](const std::u32string& text) {
        Words words{text};
        for (const Splitter& step : steps) {
            Words next;
            for (const std::u32string& word : words)
                for (std::u32string& part : step(word)) next.push_back(std::move(part));
            words = std::move(next);
        }
        return words;
    };
}

}  // namespace

Splitter splitter_of(const Json& spec) {
    using Maker = Splitter (*)(const Json&);
    static const std::map<std::string, Maker> makers{
        {"Sequence", splitters_in_turn},
        {"Split", split},
        {"Metaspace", metaspace},
        {"BertPreTokenizer", [](const Json&) { return Splitter(bert_words); }},
        {"WhitespaceSplit", [](const Json&) { return Splitter(at_spaces); }},
    };
    const std::string& type = spec.at("type").text();
    const auto maker = makers.find(type);
    if (maker == makers.end()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the tokenizer: this library knows no pre-tokenizer " + type);
    return maker->second(spec);
}

}  // namespace modelyard

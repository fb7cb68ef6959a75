#include "tokenizer.hpp"

#include "fault.hpp"
#include "utf8.hpp"

#include <algorithm>

namespace modelyard {

namespace {

const Json* given(const Json& spec, const std::string& key) {
    const Json* value = spec.find(key);
    return value && !value->is_null() ? value : nullptr;
}

}  // namespace

Tokenizer::Tokenizer(const Json& definition) : pieces_(pieces_of(definition.at("model"))), most_(SIZE_MAX) {
    for (const Json& each : definition.at("added_tokens").items()) {
        for (const char* key : {"single_word", "lstrip", "rstrip", "normalized"})
            expect(!each.at(key).is_true(), std::string("this library knows no added token with ") + key);
        expect(!each.at("content").text().empty(), "an added token is empty");
        specials_.push_back({utf8_read(each.at("content").text()), each.at("id").whole()});
    }
    std::stable_sort(specials_.begin(), specials_.end(), [](const Special& one, const Special& other) {
        return one.content.size() > other.content.size();
    });
    normalizer_ = given(definition, "normalizer") ? normalizer_of(definition.at("normalizer")) : [](const std::u32string& text) { return text; };
    splitter_ = given(definition, "pre_tokenizer") ? splitter_of(definition.at("pre_tokenizer"))
                                                   : [](const std::u32string& text) { return Words{text}; };
    if (const Json* around = given(definition, "post_processor")) {
        expect(around->at("type").text() == "TemplateProcessing", "this library knows no post-processor " + around->at("type").text());
        std::vector<std::int64_t>* into = &before_;
        for (const Json& each : around->at("single").items()) {
            if (each.find("Sequence")) {
                expect(into == &before_, "the text stands twice in the template");
                into = &behind_;
                continue;
            }
            const Json& special = around->at("special_tokens").at(each.at("SpecialToken").at("id").text());
            for (const Json& id : special.at("ids").items()) into->push_back(id.whole());
        }
        expect(into == &behind_, "the text is missing in the template");
    }
    if (const Json* cut = given(definition, "truncation")) {
        expect(cut->at("direction").text() == "Right", "this library cuts texts off at their end only");
        const int most = cut->at("max_length").whole();
        expect(most > static_cast<int>(before_.size() + behind_.size()), "no token of a text is left");
        most_ = static_cast<std::size_t>(most);
    }
}

std::vector<std::int64_t> Tokenizer::ids(const std::u32string& text) const {
    std::vector<std::int64_t> found = before_;
    const std::size_t most = most_ - behind_.size();
    std::size_t begun = 0;
    for (std::size_t at = 0; at < text.size() && found.size() < most;) {
        const Special* special = special_at(text, at);
        if (!special) {
            ++at;
            continue;
        }
        append(text.substr(begun, at - begun), found);
        found.push_back(special->id);
        at += special->content.size();
        begun = at;
    }
    append(text.substr(begun), found);
    found.resize(std::min(found.size(), most));
    found.insert(found.end(), behind_.begin(), behind_.end());
    return found;
}

const Tokenizer::Special* Tokenizer::special_at(const std::u32string& text, std::size_t at) const {
    for (const Special& each : specials_)
        if (text.compare(at, each.content.size(), each.content) == 0) return &each;
    return nullptr;
}

void Tokenizer::append(const std::u32string& part, std::vector<std::int64_t>& ids) const {
    if (part.empty()) return;
    for (const std::u32string& word : splitter_(normalizer_(part))) {
        if (!word.empty()) pieces_->append(word, ids);
        if (ids.size() >= most_) return;
    }
}

}  // namespace modelyard

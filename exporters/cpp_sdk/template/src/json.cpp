#include "json.hpp"

#include "fault.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <locale>
#include <sstream>

namespace modelyard {

namespace {

constexpr int kDeepest = 64;

[[noreturn]] void broken(const std::string& why) { throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "JSON: " + why); }

}  // namespace

class JsonReader {
  public:
    explicit JsonReader(const std::string& text) : text_(text) { digits_.imbue(std::locale::classic()); }

    Json whole() {
        Json value = any(0);
        skip();
        if (at_ != text_.size()) broken("something follows the end");
        return value;
    }

  private:
    Json any(int depth) {
        if (depth > kDeepest) broken("too deep");
        skip();
        Json value;
        switch (peek()) {
            case '{': object(value, depth); break;
            case '[': list(value, depth); break;
            case '"':
                value.kind_ = Json::Kind::text;
                value.text_ = string();
                break;
            case 't':
            case 'f':
                value.kind_ = Json::Kind::boolean;
                value.number_ = peek() == 't' ? 1 : 0;
                word(peek() == 't' ? "true" : "false");
                break;
            case 'n': word("null"); break;
            default: number(value);
        }
        return value;
    }

    void object(Json& value, int depth) {
        value.kind_ = Json::Kind::object;
        take('{');
        if (ends('}')) return;
        do {
            skip();
            std::string key = string();
            skip();
            take(':');
            value.fields_.emplace_back(std::move(key), any(depth + 1));
            skip();
        } while (goes_on('}'));
    }

    void list(Json& value, int depth) {
        value.kind_ = Json::Kind::list;
        take('[');
        if (ends(']')) return;
        do {
            value.items_.push_back(any(depth + 1));
            skip();
        } while (goes_on(']'));
    }

    void number(Json& value) {
        const std::size_t end = text_.find_first_not_of("+-.0123456789eE", at_);
        digits_.clear();
        digits_.str(text_.substr(at_, end == std::string::npos ? end : end - at_));
        value.kind_ = Json::Kind::number;
        if (!(digits_ >> value.number_) || digits_.peek() != std::char_traits<char>::eof()) broken("not a number");
        at_ = end == std::string::npos ? text_.size() : end;
    }

    std::string string() {
        take('"');
        std::string text;
        for (;;) {
            const char sign = next();
            if (sign == '"') return text;
            if (sign != '\\') {
                text += sign;
                continue;
            }
            const char escaped = next();
            switch (escaped) {
                case 'b': text += '\b'; break;
                case 'f': text += '\f'; break;
                case 'n': text += '\n'; break;
                case 'r': text += '\r'; break;
                case 't': text += '\t'; break;
                case 'u': utf8_append(text, code_point()); break;
                case '"':
                case '\\':
                case '/': text += escaped; break;
                default: broken("an unknown escape");
            }
        }
    }

    std::uint32_t code_point() {
        const std::uint32_t first = hex4();
        if (first < 0xD800 || first > 0xDBFF) return first;
        if (next() != '\\' || next() != 'u') broken("half a character");
        const std::uint32_t second = hex4();
        if (second < 0xDC00 || second > 0xDFFF) broken("half a character");
        return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    }

    std::uint32_t hex4() {
        std::uint32_t value = 0;
        for (int place = 0; place < 4; ++place) {
            const char sign = next();
            const int digit = sign >= '0' && sign <= '9'   ? sign - '0'
                              : sign >= 'a' && sign <= 'f' ? sign - 'a' + 10
                              : sign >= 'A' && sign <= 'F' ? sign - 'A' + 10
                                                           : -1;
            if (digit < 0) broken("an unknown escape");
            value = value * 16 + static_cast<std::uint32_t>(digit);
        }
        return value;
    }

    bool ends(char closing) {
        skip();
        if (peek() != closing) return false;
        ++at_;
        return true;
    }

    bool goes_on(char closing) {
        const char sign = next();
        if (sign != ',' && sign != closing) broken("a comma is missing");
        return sign == ',';
    }

    void word(const char* expected) {
        for (const char* sign = expected; *sign; ++sign) take(*sign);
    }

    void take(char expected) {
        if (next() != expected) broken(std::string("expected ") + expected);
    }

    void skip() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    char peek() const {
        if (at_ >= text_.size()) broken("it ends too early");
        return text_[at_];
    }

    char next() {
        const char sign = peek();
        ++at_;
        return sign;
    }

    const std::string& text_;
    std::size_t at_ = 0;
    std::istringstream digits_;  // kept, since a vocabulary has many numbers
};

Json Json::read(const std::string& text) { return JsonReader(text).whole(); }

const Json* Json::find(const std::string& key) const {
    for (const auto& [name, value] : fields())
        if (name == key) return &value;
    return nullptr;
}

const Json& Json::at(const std::string& key) const {
    const Json* value = find(key);
    if (!value) broken(key + " is missing");
    return *value;
}

bool Json::is_true() const {
    if (kind_ != Kind::boolean) broken("true or false is expected");
    return number_ != 0;
}

double Json::number() const {
    if (kind_ != Kind::number) broken("a number is expected");
    return number_;
}

int Json::whole() const {
    const double value = number();
    if (value != std::floor(value) || std::abs(value) > 2147483647.0) broken("a whole number is expected");
    return static_cast<int>(value);
}

const std::string& Json::text() const {
    if (kind_ != Kind::text) broken("a text is expected");
    return text_;
}

const std::vector<Json>& Json::items() const {
    if (kind_ != Kind::list) broken("a list is expected");
    return items_;
}

const std::vector<std::pair<std::string, Json>>& Json::fields() const {
    if (kind_ != Kind::object) broken("an object is expected");
    return fields_;
}

}  // namespace modelyard

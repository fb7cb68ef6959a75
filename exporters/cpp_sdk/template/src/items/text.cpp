// Texts: the ids of the artefact's tokenizer.
#include "../fault.hpp"
#include "../items.hpp"
#include "../signs.hpp"
#include "../tokenizer.hpp"
#include "../utf8.hpp"

namespace modelyard {

namespace {

constexpr char32_t kMark = 0xFEFF;  // of byte order, at the beginning of a file
constexpr const char* kTypical = "?";

class Texts final : public Items {
  public:
    Texts(const Json& decode, const Asset& asset)
        : pad_id_(decode.at("pad_id").whole()), tokenizer_(Json::read(asset(decode.at("tokenizer").text()))) {}

    modelyard_status unreadable() const override { return MODELYARD_TEXT_UNREADABLE; }

    Item typical() const override { return read(reinterpret_cast<const std::uint8_t*>(kTypical), 1); }

    Item read(const std::uint8_t* data, std::size_t size) const override {
        const std::u32string text = utf8_read(std::string(reinterpret_cast<const char*>(data), size), MODELYARD_TEXT_UNREADABLE);
        const SignSet& white = Signs::known().ends;
        std::size_t begin = !text.empty() && text[0] == kMark ? 1 : 0, end = text.size();
        while (begin < end && white.holds(text[begin])) ++begin;
        while (end > begin && white.holds(text[end - 1])) --end;
        if (begin == end) throw Fault(MODELYARD_TEXT_MISSING, "the text holds nothing but white space");
        Item item{{}, tokenizer_.ids(text.substr(begin, end - begin))};
        if (item.tokens.empty()) item.tokens.push_back(pad_id_);
        return item;
    }

  private:
    std::int64_t pad_id_;
    Tokenizer tokenizer_;
};

}  // namespace

std::unique_ptr<Items> text_items(const Json& decode, const Asset& asset) { return std::make_unique<Texts>(decode, asset); }

}  // namespace modelyard

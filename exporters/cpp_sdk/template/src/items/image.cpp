// Pictures: RGB, uint8, of any size.
#include "../fault.hpp"
#include "../items.hpp"

namespace modelyard {

namespace {

constexpr std::uint8_t kGrey = 128;

class Pictures final : public Items {
  public:
    explicit Pictures(const Json& decode) : min_side_px_(decode.at("min_side_px").whole()) {
        if (min_side_px_ < 1) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "min_side_px is not positive");
    }

    modelyard_status unreadable() const override { return MODELYARD_PICTURE_UNREADABLE; }

    Item typical() const override {
        const std::vector<std::uint8_t> grey(static_cast<std::size_t>(min_side_px_) * min_side_px_ * 3, kGrey);
        return read_pixels(grey.data(), min_side_px_, min_side_px_, 3, static_cast<std::size_t>(min_side_px_) * 3);
    }

    Item read(const std::uint8_t* data, std::size_t size) const override { return {picture_decode(data, size, min_side_px_), {}}; }

    Item read_pixels(const std::uint8_t* pixels, int width, int height, int channels, std::size_t stride) const override {
        return {picture_of(pixels, width, height, channels, stride, min_side_px_), {}};
    }

  private:
    int min_side_px_;
};

}  // namespace

std::unique_ptr<Items> image_items(const Json& decode, const Asset&) { return std::make_unique<Pictures>(decode); }

}  // namespace modelyard

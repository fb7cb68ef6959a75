#include "items.hpp"

#include "fault.hpp"
#include "kinds.hpp"

#include <map>

namespace modelyard {

#define MODELYARD_DECLARED(name) std::unique_ptr<Items> name##_items(const Json& decode, const Asset& asset);
MODELYARD_ITEMS(MODELYARD_DECLARED)
#undef MODELYARD_DECLARED

std::unique_ptr<Items> items_of(const Json& decode, const Asset& asset) {
    using Maker = std::unique_ptr<Items> (*)(const Json&, const Asset&);
#define MODELYARD_MADE(name) {#name, name##_items},
    static const std::map<std::string, Maker> makers{MODELYARD_ITEMS(MODELYARD_MADE)};
#undef MODELYARD_MADE
    const std::string& kind = decode.at("kind").text();
    const auto maker = makers.find(kind);
    if (maker == makers.end()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "this library reads no items of the kind " + kind);
    return maker->second(decode, asset);
}

Item Items::read_pixels(const std::uint8_t*, int, int, int, std::size_t) const {
    throw Fault(MODELYARD_ARGUMENT_INVALID, "this model reads no pictures");
}

}  // namespace modelyard

#include "pipeline.hpp"

#include "fault.hpp"
#include "kinds.hpp"

#include <map>

namespace modelyard {

#define MODELYARD_DECLARED(name) std::unique_ptr<Graph> name##_pipeline(const Json& spec, const Opener& opened);
MODELYARD_PIPELINES(MODELYARD_DECLARED)
#undef MODELYARD_DECLARED

std::unique_ptr<Graph> pipeline_of(const Json& spec, const Opener& opened) {
    using Maker = std::unique_ptr<Graph> (*)(const Json&, const Opener&);
#define MODELYARD_MADE(name) {#name, name##_pipeline},
    static const std::map<std::string, Maker> makers{MODELYARD_PIPELINES(MODELYARD_MADE)};
#undef MODELYARD_MADE
    const std::string& kind = spec.at("kind").text();
    const auto maker = makers.find(kind);
    if (maker == makers.end()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "this library knows no pipeline of the kind " + kind);
    return maker->second(spec, opened);
}

}  // namespace modelyard

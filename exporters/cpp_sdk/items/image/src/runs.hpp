// Run lengths of masks: COCO's compressed text, columns first, alternating background and foreground.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace modelyard {

std::string runs_pack(const std::vector<std::int64_t>& runs);

// The inverse. Throws Fault (MODELYARD_ARTEFACT_UNREADABLE).
std::vector<std::int64_t> runs_unpack(const std::string& counts);

}  // namespace modelyard

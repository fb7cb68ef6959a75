// Run lengths of masks: COCO's compressed text, columns first, alternating background and foreground.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace modelyard {

// Pixels that follow one another down the columns of a picture.
struct Stretch {
    std::int64_t start, end;
};

// The mask of stretches in their order; of two that touch the second goes on at the top of the next column.
std::string stretches_pack(const std::vector<Stretch>& stretches, std::int64_t num_pixels);

std::string runs_pack(const std::vector<std::int64_t>& runs);

// The inverse. Throws Fault (MODELYARD_ARTEFACT_UNREADABLE).
std::vector<std::int64_t> runs_unpack(const std::string& counts);

}  // namespace modelyard

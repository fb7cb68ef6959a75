#include "runs.hpp"

#include "fault.hpp"

namespace modelyard {

namespace {

constexpr int kMostChars = 7;  // of one number: more than any picture needs

}  // namespace

std::string stretches_pack(const std::vector<Stretch>& stretches, std::int64_t num_pixels) {
    std::vector<std::int64_t> runs;
    std::int64_t at = 0;
    for (const Stretch& each : stretches) {
        if (!runs.empty() && each.start == at) {
            runs.back() += each.end - each.start;
        } else {
            runs.push_back(each.start - at);
            runs.push_back(each.end - each.start);
        }
        at = each.end;
    }
    if (at < num_pixels) runs.push_back(num_pixels - at);
    return runs_pack(runs);
}

std::string runs_pack(const std::vector<std::int64_t>& runs) {
    std::string counts;
    for (std::size_t place = 0; place < runs.size(); ++place) {
        // From the third on, what differs from the last of its colour.
        std::int64_t value = place > 2 ? runs[place] - runs[place - 2] : runs[place];
        for (bool is_open = true; is_open;) {
            std::int64_t low = value & 0x1F;
            value >>= 5;
            is_open = low & 0x10 ? value != -1 : value != 0;
            counts += static_cast<char>((low | (is_open ? 0x20 : 0)) + 48);
        }
    }
    return counts;
}

std::vector<std::int64_t> runs_unpack(const std::string& counts) {
    std::vector<std::int64_t> runs;
    const auto broken = [] { return Fault(MODELYARD_ARTEFACT_UNREADABLE, "a golden mask has no compressed run lengths"); };
    for (std::size_t at = 0; at < counts.size();) {
        std::int64_t value = 0;
        int num = 0;
        for (bool is_open = true; is_open; ++num) {
            const int code = at < counts.size() ? static_cast<unsigned char>(counts[at++]) - 48 : -1;
            if (code < 0 || code > 63 || num == kMostChars) throw broken();
            value |= static_cast<std::int64_t>(code & 0x1F) << (5 * num);
            is_open = code & 0x20;
            if (!is_open && (code & 0x10)) value -= std::int64_t{1} << (5 * (num + 1));
        }
        if (runs.size() > 2) value += runs[runs.size() - 2];
        if (value < 0) throw broken();
        runs.push_back(value);
    }
    return runs;
}

}  // namespace modelyard

// Lines of text in a picture: one graph says which pixels lie in the core of a line (DB, Liao et al. 2020), another one reads
// lines. Regions become rectangles, which are cut out, sorted by length and read in batches; what is read is decoded greedily
// (CTC, Graves et al. 2006). The answer has a row a line: corners as fractions of the picture, score, Unicode numbers.
#include "../fault.hpp"
#include "../lines.hpp"
#include "../pipeline.hpp"
#include "../regions.hpp"
#include "../resample.hpp"
#include "../utf8.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace modelyard {

namespace {

constexpr int kStridePx = 32;     // both sides of the picture in which lines are looked for are a multiple of it
constexpr int kHeightPx = 48;     // of a line of text
constexpr int kLineStridePx = 8;  // the width of a line is a multiple of it; one symbol is read in each of these steps
constexpr int kMaxWidthPx = 2400;
constexpr double kSmallest = 3.0;  // shorter side of a region in pixels of the map
constexpr std::size_t kBatch = 8;
constexpr double kWider = 1.25;  // within a batch no line is so many times as wide as the narrowest
constexpr std::uint8_t kPadding = 128;

int seen(int side, double scale) { return std::max(kStridePx, static_cast<int>(std::nearbyint(side * scale / kStridePx)) * kStridePx); }

int steps_of(int width) { return (width + kLineStridePx - 1) / kLineStridePx; }

bool is_space(char32_t sign) {
    return (sign >= 0x09 && sign <= 0x0D) || (sign >= 0x1C && sign <= 0x20) || sign == 0x85 || sign == 0xA0 || sign == 0x1680 ||
           (sign >= 0x2000 && sign <= 0x200A) || sign == 0x2028 || sign == 0x2029 || sign == 0x202F || sign == 0x205F || sign == 0x3000;
}

struct ReadLine {
    std::u32string text;
    double score = 0;  // mean probability of its symbols
};

class TextLines final : public Graph {
  public:
    TextLines(const Json& spec, const Opener& opened)
        : detector_(opened("model.onnx", "picture", "map")), recogniser_(opened(spec.at("recogniser").text(), "line", "symbols")),
          side_px_(spec.at("side_px").whole()), threshold_(static_cast<float>(spec.at("threshold").number())),
          least_score_(spec.at("least_score").number()), unclip_(spec.at("unclip").number()) {
        for (const Json& symbol : spec.at("symbols").items()) symbols_.push_back(utf8_read(symbol.text()));
    }

    Tensor answer(const Item& item) const override {
        const Picture& picture = item.picture;
        const Pixels pixels{picture.width, picture.height, picture.pixels};
        std::vector<Quad> quads = quads_of(pixels);
        std::vector<Pixels> lines;
        for (Quad& quad : quads) {
            quad = as_read(quad);
            lines.push_back(line_of(pixels, quad));
        }
        const std::vector<ReadLine> read = lines_read(lines);
        Tensor answer{{kMaxLines, kLineLength}, std::vector<float>(kMaxLines * kLineLength)};
        std::size_t at = 0;
        for (std::size_t place = 0; place < quads.size(); ++place) {
            if (read[place].text.empty()) continue;
            float* row = answer.values.data() + kLineLength * at++;
            for (const Corner& corner : quads[place]) {
                *row++ = static_cast<float>(corner[0] / picture.width);
                *row++ = static_cast<float>(corner[1] / picture.height);
            }
            *row++ = static_cast<float>(read[place].score);
            for (const char32_t sign : read[place].text.substr(0, kMaxCharacters)) *row++ = static_cast<float>(sign);
        }
        return answer;
    }

  private:
    // Where lines are, in pixels of the picture, in the order in which they are read.
    std::vector<Quad> quads_of(const Pixels& picture) const {
        const double scale = std::min(1.0, static_cast<double>(side_px_) / std::max(picture.width, picture.height));
        const Pixels shown = resized(picture, seen(picture.width, scale), seen(picture.height, scale));
        const Tensor map = detector_->run(shown.rgb, {1, shown.height, shown.width, 3});
        if (map.shape.size() != 3 || map.shape[0] != 1) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the detector does not answer with a map");
        const int height = static_cast<int>(map.shape[1]), width = static_cast<int>(map.shape[2]);
        const double scales[] = {static_cast<double>(picture.width) / width, static_cast<double>(picture.height) / height};
        std::vector<Quad> found;
        for (const Region& region : regions_of(map.values.data(), width, height, threshold_)) {
            if (region.mean < least_score_) continue;
            const Quad corners = from_upper_left(smallest_rectangle(region.points));
            const auto [wide, high] = sides_of(corners);
            const double across = wide + 1, down = high + 1;
            if (std::min(across, down) < kSmallest) continue;
            Quad quad = enlarged(corners, 0.5 + across * down * unclip_ / (2 * (across + down)));
            for (Corner& corner : quad) {  // pixels are counted from their middle
                corner[0] = std::clamp((corner[0] + 0.5) * scales[0], 0.0, static_cast<double>(picture.width));
                corner[1] = std::clamp((corner[1] + 0.5) * scales[1], 0.0, static_cast<double>(picture.height));
            }
            found.push_back(quad);
        }
        std::vector<Quad> ordered;
        for (const std::size_t place : reading_order(found))
            if (ordered.size() < kMaxLines) ordered.push_back(found[place]);
        return ordered;
    }

    // A line, turned upright, without its perspective.
    static Pixels line_of(const Pixels& picture, const Quad& corners) {
        const auto sides = sides_of(corners);
        const int width = std::max(1, static_cast<int>(std::nearbyint(sides[0])));
        const int height = std::max(1, static_cast<int>(std::nearbyint(sides[1])));
        const auto across = static_cast<int>(std::nearbyint(static_cast<double>(width) * kHeightPx / height));
        return resized(flattened(picture, corners, width, height), std::clamp(across, 1, kMaxWidthPx), kHeightPx);
    }

    std::vector<ReadLine> lines_read(const std::vector<Pixels>& lines) const {
        std::vector<std::size_t> order(lines.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return lines[a].width < lines[b].width; });
        std::vector<ReadLine> found(lines.size());
        for (std::size_t first = 0, stop = 0; first < order.size(); first = stop) {
            const double widest = kWider * std::max(lines[order[first]].width, kHeightPx);
            while (stop < order.size() && stop < first + kBatch && lines[order[stop]].width <= widest) ++stop;
            batch_read(lines, order.data() + first, stop - first, found);
        }
        return found;
    }

    // Lines of one width: what is missing at their end is grey.
    void batch_read(const std::vector<Pixels>& lines, const std::size_t* places, std::size_t num, std::vector<ReadLine>& found) const {
        const int num_steps = steps_of(lines[places[num - 1]].width);
        const std::size_t stride = static_cast<std::size_t>(num_steps) * kLineStridePx * 3;
        std::vector<std::uint8_t> stacked(num * kHeightPx * stride, kPadding);
        for (std::size_t number = 0; number < num; ++number) {
            const Pixels& line = lines[places[number]];
            const std::size_t own = static_cast<std::size_t>(line.width) * 3;
            for (std::size_t y = 0; y < kHeightPx; ++y)
                std::copy_n(line.rgb.data() + y * own, own, stacked.data() + (number * kHeightPx + y) * stride);
        }
        const Tensor steps = recogniser_->run(stacked, {static_cast<std::int64_t>(num), kHeightPx, static_cast<std::int64_t>(stride / 3), 3});
        if (steps.shape != std::vector<std::int64_t>{static_cast<std::int64_t>(num), num_steps, 2})
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the recogniser does not answer with a symbol for each step");
        for (std::size_t number = 0; number < num; ++number) {
            const float* own = steps.values.data() + number * num_steps * 2;
            found[places[number]] = decoded(own, steps_of(lines[places[number]].width));
        }
    }

    ReadLine decoded(const float* steps, int num_steps) const {
        ReadLine line;
        std::size_t last = 0, num = 0;
        for (int step = 0; step < num_steps; ++step) {
            const float given = steps[2 * step];
            if (!(given >= 0 && given <= static_cast<float>(symbols_.size())))
                throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a symbol that does not exist");
            const auto symbol = static_cast<std::size_t>(given);
            if (symbol > 0 && symbol != last) {
                line.text += symbols_[symbol - 1];
                line.score += steps[2 * step + 1];
                ++num;
            }
            last = symbol;
        }
        if (num) line.score /= static_cast<double>(num);
        while (!line.text.empty() && is_space(line.text.back())) line.text.pop_back();
        line.text.erase(line.text.begin(), std::find_if_not(line.text.begin(), line.text.end(), is_space));
        return line;
    }

    std::unique_ptr<Session> detector_, recogniser_;
    int side_px_;
    float threshold_;
    double least_score_, unclip_;
    std::vector<std::u32string> symbols_;
};

}  // namespace

std::unique_ptr<Graph> text_lines_pipeline(const Json& spec, const Opener& opened) { return std::make_unique<TextLines>(spec, opened); }

}  // namespace modelyard

// Whether a picture is like those that were learned from, and where it is not: one plane of anomaly scores, 0 to 1. The score of
// the picture is the largest of the plane. One of the two labels is the normal one; the other is answered from its threshold on,
// one half where there is none.
#include "../answers.hpp"
#include "../fault.hpp"

#include <algorithm>
#include <cmath>

namespace modelyard {

namespace {

constexpr const char* kNormalNames[] = {"normal", "good", "ok", "正常", "良品", "合格"};  // in any case
constexpr const char* kSpaces = " \t\n\v\f\r";
constexpr double kNeutralScore = 0.5;
constexpr float kLevels = 255;
constexpr double kNoLevel = 1.0;  // difference that counts for a place that is no number

bool is_normal(const std::string& label) {
    const std::size_t first = label.find_first_not_of(kSpaces);
    if (first == std::string::npos) return false;
    std::string name = label.substr(first, label.find_last_not_of(kSpaces) + 1 - first);
    for (char& sign : name)
        if (sign >= 'A' && sign <= 'Z') sign = static_cast<char>(sign - 'A' + 'a');
    return std::find(std::begin(kNormalNames), std::end(kNormalNames), name) != std::end(kNormalNames);
}

class HeatMaps final : public Answers {
  public:
    explicit HeatMaps(std::vector<std::string> labels) : Answers(std::move(labels)) {
        if (labels_.empty()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model has no label for normal pictures");
        const auto named = std::find_if(labels_.begin(), labels_.end(), is_normal);
        normal_ = named == labels_.end() ? labels_.front() : *named;
        const auto other = std::find_if(labels_.begin(), labels_.end(), [&](const std::string& label) { return label != normal_; });
        if (other != labels_.end()) defect_ = *other;
    }

    std::size_t usual_top() const override { return 1; }

    void check(const Tensor& answer) const override {
        if (answer.shape.size() != 2 || answer.values.empty())
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with a plane");
    }

    // The thresholds decide which label it is; it is left out where its score is below `options.threshold`.
    std::vector<Prediction> encode(const Tensor& answer, const Picture&, const EncodeOptions& options) const override {
        HeatMap map = heat_map_of(answer);
        const auto own = options.thresholds.find(defect_);
        const bool is_defect = map.score >= (own == options.thresholds.end() ? kNeutralScore : own->second);
        Prediction prediction;
        prediction.kind = "class";
        prediction.label = is_defect ? defect_ : normal_;
        prediction.score = is_defect ? map.score : rounded(1.0 - map.score, kScoreDigits);
        prediction.heat_map = std::move(map);
        std::vector<Prediction> found;
        if (prediction.score >= options.threshold) found.push_back(std::move(prediction));
        return found;
    }

    double difference(const Json& sample, const std::vector<std::string>&, const Tensor& answer) const override {
        const Json& golden = sample.at("heat_map");
        const std::vector<Json>& places = golden.at("values").items();
        if (golden.at("height").whole() != answer.shape[0] || golden.at("width").whole() != answer.shape[1] ||
            places.size() != answer.values.size())
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the plane has other sides than the golden sample's");
        double worst = 0;
        for (std::size_t place = 0; place < places.size(); ++place) {
            const double apart = std::abs(answer.values[place] - places[place].number());
            worst = std::max(worst, std::isnan(apart) ? kNoLevel : apart);
        }
        return worst;
    }

  private:
    static HeatMap heat_map_of(const Tensor& answer) {
        HeatMap map;
        map.height = static_cast<int>(answer.shape[0]);
        map.width = static_cast<int>(answer.shape[1]);
        map.values.reserve(answer.values.size());
        for (const float place : answer.values) {
            if (!std::isfinite(place)) throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a place that is no number");
            map.values.push_back(static_cast<std::uint8_t>(std::nearbyint(std::clamp(place, 0.0f, 1.0f) * kLevels)));
        }
        map.score = rounded(within(*std::max_element(answer.values.begin(), answer.values.end())), kScoreDigits);
        return map;
    }

    std::string normal_, defect_ = "defect";
};

}  // namespace

std::unique_ptr<Answers> heat_map_answers(std::vector<std::string> labels) { return std::make_unique<HeatMaps>(std::move(labels)); }

}  // namespace modelyard

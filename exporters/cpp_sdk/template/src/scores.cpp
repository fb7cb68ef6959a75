#include "scores.hpp"

#include "fault.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace modelyard {

namespace {

constexpr double kMissingLabel = 1.0;  // difference that counts for a label which only one side knows

}  // namespace

std::size_t Scores::usual_top() const { return 5; }

void Scores::check(const Tensor& answer) const {
    if (answer.shape.size() != 1 || answer.values.size() != labels_.size())
        throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with a score for each label");
}

std::vector<Prediction> Scores::encode(const Tensor& answer, const Picture&, const EncodeOptions& options) const {
    std::vector<std::size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return answer.values[a] < answer.values[b]; });
    std::vector<Prediction> found;
    for (auto place = order.rbegin(); place != order.rend() && found.size() < options.top; ++place) {
        const double score = std::clamp(rounded(answer.values[*place], kScoreDigits), 0.0, 1.0);
        if (std::isnan(answer.values[*place])) throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a score that is no number");
        if (score < options.lowest[*place]) continue;
        Prediction prediction;
        prediction.kind = "class";
        prediction.label = labels_[*place];
        prediction.score = score;
        found.push_back(std::move(prediction));
    }
    return found;
}

double Scores::difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const {
    const std::vector<Json>& scores = sample.at("scores").items();
    if (labels.size() != labels_.size() || scores.size() != labels_.size()) return kMissingLabel;
    double worst = 0;
    for (std::size_t place = 0; place < labels_.size(); ++place) {
        const auto same = std::find(labels.begin(), labels.end(), labels_[place]);
        if (same == labels.end()) return kMissingLabel;
        const double apart = std::abs(answer.values[place] - scores[static_cast<std::size_t>(same - labels.begin())].number());
        worst = std::max(worst, std::isnan(apart) ? kMissingLabel : apart);
    }
    return worst;
}

}  // namespace modelyard

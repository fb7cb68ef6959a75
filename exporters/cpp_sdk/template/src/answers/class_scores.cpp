// Scores of labels that exclude each other.
#include "../scores.hpp"

#include <algorithm>

namespace modelyard {

namespace {

class ClassScores final : public Scores {
  public:
    using Scores::Scores;

    std::optional<Beside> beside(const Tensor& answer, const Thresholds& thresholds, const std::vector<double>& limits) const override {
        std::vector<std::size_t> possible;
        for (std::size_t place = 0; place < labels_.size(); ++place)
            if (answer.values[place] >= limits[place]) possible.push_back(place);
        std::stable_sort(possible.begin(), possible.end(), [&](std::size_t a, std::size_t b) { return answer.values[a] > answer.values[b]; });
        Beside found{possible.size() != 1 || possible[0] != predicted(answer, thresholds), {}};
        for (const std::size_t place : possible) found.possible_labels.push_back(labels_[place]);
        return found;
    }

  private:
    // Where each label has a threshold, the one that is furthest above its own; otherwise the one with the highest score.
    std::size_t predicted(const Tensor& answer, const Thresholds& thresholds) const {
        std::vector<double> ranks(answer.values.begin(), answer.values.end());
        const auto has_own = [&](const std::string& label) { return thresholds.count(label) && thresholds.at(label) > 0; };
        if (std::all_of(labels_.begin(), labels_.end(), has_own))
            for (std::size_t place = 0; place < labels_.size(); ++place) ranks[place] /= thresholds.at(labels_[place]);
        return static_cast<std::size_t>(std::max_element(ranks.begin(), ranks.end()) - ranks.begin());
    }
};

}  // namespace

std::unique_ptr<Answers> class_scores_answers(std::vector<std::string> labels) { return std::make_unique<ClassScores>(std::move(labels)); }

}  // namespace modelyard

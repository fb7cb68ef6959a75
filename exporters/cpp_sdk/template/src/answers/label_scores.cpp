// Scores of labels that stand by themselves.
#include "../scores.hpp"

namespace modelyard {

std::unique_ptr<Answers> label_scores_answers(std::vector<std::string> labels) { return std::make_unique<Scores>(std::move(labels)); }

}  // namespace modelyard

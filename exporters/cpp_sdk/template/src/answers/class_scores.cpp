// Scores of labels that exclude each other.
#include "../scores.hpp"

namespace modelyard {

std::unique_ptr<Answers> class_scores_answers(std::vector<std::string> labels) { return scores_answers(std::move(labels)); }

}  // namespace modelyard

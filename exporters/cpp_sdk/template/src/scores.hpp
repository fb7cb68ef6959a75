// A score a label, 0 to 1: what kinds of scores have in common.
#pragma once

#include "answers.hpp"

namespace modelyard {

std::unique_ptr<Answers> scores_answers(std::vector<std::string> labels);

}  // namespace modelyard

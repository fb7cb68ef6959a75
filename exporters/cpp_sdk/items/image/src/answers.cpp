#include "answers.hpp"

#include "fault.hpp"

#include <cmath>

namespace modelyard {

std::unique_ptr<Answers> answers_of(const std::string& output, std::vector<std::string> labels) {
    if (output == "class_scores" || output == "label_scores") return scores_answers(std::move(labels));
    if (output == "boxes") return boxes_answers(std::move(labels));
    if (output == "mask") return mask_answers(std::move(labels));
    throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "this library knows no answers of the kind " + output);
}

std::size_t Answers::label_at(double index) const {
    if (!(index >= 0) || index >= static_cast<double>(labels_.size()))
        throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a label that does not exist");
    return static_cast<std::size_t>(index);
}

double rounded(double value, int digits) {
    const double unit = std::pow(10.0, digits);
    return std::nearbyint(value * unit) / unit;
}

}  // namespace modelyard

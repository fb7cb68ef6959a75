#include "answers.hpp"

#include "fault.hpp"
#include "kinds.hpp"

#include <algorithm>
#include <cmath>

namespace modelyard {

#define MODELYARD_DECLARED(name) std::unique_ptr<Answers> name##_answers(std::vector<std::string> labels);
MODELYARD_KINDS(MODELYARD_DECLARED)
#undef MODELYARD_DECLARED

std::unique_ptr<Answers> answers_of(const std::string& output, std::vector<std::string> labels) {
    using Maker = std::unique_ptr<Answers> (*)(std::vector<std::string>);
#define MODELYARD_MADE(name) {#name, name##_answers},
    static const std::map<std::string, Maker> makers{MODELYARD_KINDS(MODELYARD_MADE)};
#undef MODELYARD_MADE
    const auto maker = makers.find(output);
    if (maker == makers.end()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "this library knows no answers of the kind " + output);
    return maker->second(std::move(labels));
}

std::optional<Beside> Answers::beside(const Tensor&, const Thresholds&, const std::vector<double>&) const { return std::nullopt; }

std::size_t Answers::label_at(double index) const {
    if (!(index >= 0) || index >= static_cast<double>(labels_.size()))
        throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a label that does not exist");
    return static_cast<std::size_t>(index);
}

double rounded(double value, int digits) {
    const double unit = std::pow(10.0, digits);
    return std::nearbyint(value * unit) / unit;
}

double within(double value) { return std::min(1.0, std::max(0.0, value)); }

}  // namespace modelyard

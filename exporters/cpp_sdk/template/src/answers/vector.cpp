// A direction for the whole picture: numbers whose squares add up to one, to be compared with those of other pictures.
#include "../answers.hpp"
#include "../fault.hpp"

#include <algorithm>
#include <cmath>

namespace modelyard {

namespace {

constexpr double kLengthTolerance = 1e-2;
constexpr int kDigits = 6;
constexpr double kNoNumber = 1.0;  // difference that counts for what is no number

class Vectors final : public Answers {
  public:
    using Answers::Answers;

    std::size_t usual_top() const override { return 1; }

    void check(const Tensor& answer) const override {
        if (answer.shape.size() != 1 || answer.values.empty())
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with a vector");
    }

    std::vector<Prediction> encode(const Tensor& answer, const Picture&, const EncodeOptions&) const override {
        double squares = 0;
        for (const float each : answer.values) squares += static_cast<double>(each) * each;
        if (!(std::abs(std::sqrt(squares) - 1.0) <= kLengthTolerance))
            throw Fault(MODELYARD_ANSWER_INVALID, "the model answers with a vector whose length is not one");
        std::vector<Prediction> found(1);
        found[0].kind = "vector";
        for (const float each : answer.values) found[0].values.push_back(rounded(each, kDigits));
        return found;
    }

    double difference(const Json& sample, const std::vector<std::string>&, const Tensor& answer) const override {
        const std::vector<Json>& golden = sample.at("vector").items();
        if (golden.size() != answer.values.size())
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the vector has another length than the golden sample's");
        double worst = 0;
        for (std::size_t place = 0; place < golden.size(); ++place) {
            const double apart = std::abs(answer.values[place] - golden[place].number());
            worst = std::max(worst, std::isnan(apart) ? kNoNumber : apart);
        }
        return worst;
    }
};

}  // namespace

std::unique_ptr<Answers> vector_answers(std::vector<std::string> labels) { return std::make_unique<Vectors>(std::move(labels)); }

}  // namespace modelyard

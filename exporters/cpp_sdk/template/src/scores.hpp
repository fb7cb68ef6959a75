// A score a label, 0 to 1: what kinds of scores have in common.
#pragma once

#include "answers.hpp"

namespace modelyard {

class Scores : public Answers {
  public:
    using Answers::Answers;

    std::size_t usual_top() const override;
    void check(const Tensor& answer) const override;
    std::vector<Prediction> encode(const Tensor& answer, const Picture& picture, const EncodeOptions& options) const override;
    double difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const override;
};

}  // namespace modelyard

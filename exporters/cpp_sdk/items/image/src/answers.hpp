// Kinds of answers: how what the model gives becomes annotations, and how far it is from a golden sample.
#pragma once

#include "json.hpp"
#include "session.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace modelyard {

struct Said {
    const char* kind = "";
    std::string label;
    double score = 0;
    double x = 0, y = 0, width = 0, height = 0;
    std::string counts;
};

// What is asked for: at most `top` annotations, and the lowest score of each label, in their order.
struct Wanted {
    std::size_t top;
    std::vector<double> lowest;
};

class Answers {
  public:
    explicit Answers(std::vector<std::string> labels) : labels_(std::move(labels)) {}
    virtual ~Answers() = default;

    virtual std::size_t usual_top() const = 0;
    // Looks whether the model answers in the form of this kind. Throws Fault.
    virtual void check(const Tensor& answer) const = 0;
    // Best first.
    virtual std::vector<Said> encode(const Tensor& answer, const Picture& picture, const Wanted& wanted) const = 0;
    // The largest difference from a golden sample. labels: names in the order of the sample's scores.
    virtual double difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const = 0;

  protected:
    // The label of a number that the model gives. Throws Fault where there is none.
    std::size_t label_at(double index) const;

    std::vector<std::string> labels_;
};

// The kind of that name, by the manifest's `output`. Throws Fault.
std::unique_ptr<Answers> answers_of(const std::string& output, std::vector<std::string> labels);

std::unique_ptr<Answers> scores_answers(std::vector<std::string> labels);
std::unique_ptr<Answers> boxes_answers(std::vector<std::string> labels);
std::unique_ptr<Answers> mask_answers(std::vector<std::string> labels);

double rounded(double value, int digits);

}  // namespace modelyard

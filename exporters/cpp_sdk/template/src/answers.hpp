// Kinds of answers: how what the model gives becomes annotations, and how far it is from a golden sample.
#pragma once

#include "json.hpp"
#include "session.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace modelyard {

struct HeatMap {
    double score = 0;
    int width = 0, height = 0;
    std::vector<std::uint8_t> values;
};

struct Bounds {
    double x = 0, y = 0, width = 0, height = 0;
};

struct Prediction {
    const char* kind = "";
    std::string label;
    double score = 0;
    double x = 0, y = 0, width = 0, height = 0;
    std::string counts;
    std::optional<HeatMap> heat_map;
    std::vector<double> values;
    std::optional<Bounds> box;
    std::vector<std::vector<double>> polygons;  // x and y in turn
    std::string text;
};

// Digits behind the point.
inline constexpr int kScoreDigits = 6;
inline constexpr int kPixelDigits = 2;

using Thresholds = std::map<std::string, double>;

// What stands beside the annotations of an item, where an error rate was chosen for the model.
struct Beside {
    bool asks_a_person;
    std::vector<std::string> possible_labels;  // best first
};

// What is asked for: at most `top` annotations, and the lowest score of each label, in their order.
struct EncodeOptions {
    std::size_t top;
    std::vector<double> lowest;
    double threshold;  // for every label; negative: the model's own thresholds
    const Thresholds& thresholds;
};

class Answers {
  public:
    explicit Answers(std::vector<std::string> labels) : labels_(std::move(labels)) {}
    virtual ~Answers() = default;

    virtual std::size_t usual_top() const = 0;
    // Looks whether the model answers in the form of this kind. Throws Fault.
    virtual void check(const Tensor& answer) const = 0;
    // Best first.
    virtual std::vector<Prediction> encode(const Tensor& answer, const Picture& picture, const EncodeOptions& options) const = 0;
    // limits: lowest score with which each label is possible, in their order; nothing where the kind knows no error rate.
    virtual std::optional<Beside> beside(const Tensor& answer, const Thresholds& thresholds, const std::vector<double>& limits) const;
    // The largest difference from a golden sample. labels: names in the order of the sample's scores.
    virtual double difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const = 0;

  protected:
    // The label of a number that the model gives. Throws Fault where there is none.
    std::size_t label_at(double index) const;

    std::vector<std::string> labels_;
};

// The kind of that name, by the manifest's `output`. Throws Fault.
std::unique_ptr<Answers> answers_of(const std::string& output, std::vector<std::string> labels);

double rounded(double value, int digits);

double within(double value);

}  // namespace modelyard

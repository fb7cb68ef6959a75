// Boxes around things.
#include "../fault.hpp"
#include "../rows.hpp"

namespace modelyard {

namespace {

class Boxes final : public Answers {
  public:
    using Answers::Answers;

    std::size_t usual_top() const override { return 100; }

    void check(const Tensor& answer) const override {
        if (answer.shape.size() != 2 || answer.shape[1] != static_cast<std::int64_t>(kRow))
            throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer with rows of boxes");
    }

    std::vector<Prediction> encode(const Tensor& answer, const Picture& picture, const EncodeOptions& options) const override {
        std::vector<Prediction> found;
        for (const Row& row : rows_of(answer)) {
            if (found.size() == options.top) break;
            const std::size_t label = label_at(row[5]);
            if (row[4] < options.lowest[label]) continue;
            const Bounds bounds = bounds_of(row, picture);
            Prediction prediction;
            prediction.kind = "box";
            prediction.label = labels_[label];
            prediction.score = score_of(row);
            prediction.x = bounds.x;
            prediction.y = bounds.y;
            prediction.width = bounds.width;
            prediction.height = bounds.height;
            found.push_back(std::move(prediction));
        }
        return found;
    }

    double difference(const Json& sample, const std::vector<std::string>& labels, const Tensor& answer) const override {
        if (labels != labels_) return kMissingBox;
        return rows_apart(golden_rows(sample), rows_of(answer), static_cast<std::size_t>(answer.shape[0]));
    }
};

}  // namespace

std::unique_ptr<Answers> boxes_answers(std::vector<std::string> labels) { return std::make_unique<Boxes>(std::move(labels)); }

}  // namespace modelyard

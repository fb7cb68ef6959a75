// A loaded artefact: reads items, asks the model, and says what it answers.
#pragma once

#include "answers.hpp"
#include "items.hpp"
#include "modelyard.h"
#include "session.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace modelyard {

// The bytes of a file; `kind` is the status of the Fault where it cannot be read.
std::string file_bytes(const std::filesystem::path& path, modelyard_status kind);

class Model {
  public:
    Model(const std::string& folder, const std::string& library, int num_threads);

    const Items& items() const { return *items_; }
    Tensor predict(const Item& item) const;
    std::vector<Prediction> encode(const Tensor& answer, const Item& item, double threshold, std::size_t top) const;
    // Nothing where no error rate was chosen for the model.
    std::optional<Beside> beside(const Tensor& answer) const;
    modelyard_selftest_result selftest() const;
    // path: empty for the first golden sample.
    modelyard_bench_result bench(const std::string& path, int num_runs) const;

  private:
    void hashes_check(const std::vector<std::string>& names) const;
    void open(const Json& manifest, const std::string& library, int num_threads);
    Json golden() const;
    Item decode(const std::string& bytes) const;

    std::filesystem::path folder_;
    std::unique_ptr<Items> items_;
    double tolerance_ = 0;
    std::vector<std::string> labels_;
    Thresholds thresholds_;
    std::vector<double> limits_;  // with which each label is possible; empty where no error rate was chosen
    std::unique_ptr<Answers> answers_;
    std::unique_ptr<Graph> graph_;
    std::string version_;  // of ONNX Runtime
};

}  // namespace modelyard

// A loaded artefact: reads pictures, asks the model, and says what it answers.
#pragma once

#include "answers.hpp"
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

    Picture decode(const std::string& bytes) const;
    int min_side_px() const { return min_side_px_; }
    Tensor predict(const Picture& picture) const;
    std::vector<Said> encode(const Tensor& answer, const Picture& picture, double threshold, std::size_t top) const;
    modelyard_selftest_result selftest() const;
    // path: empty for the first golden sample.
    modelyard_bench_result bench(const std::string& path, int num_runs) const;

  private:
    void hashes_check(const std::vector<std::string>& names) const;
    void open(const Json& manifest, const std::string& library, int num_threads);
    Json golden() const;

    std::filesystem::path folder_;
    int min_side_px_ = 0;
    double tolerance_ = 0;
    std::vector<std::string> labels_;
    Thresholds thresholds_;
    std::unique_ptr<Answers> answers_;
    std::unique_ptr<Graph> graph_;
    std::string version_;  // of ONNX Runtime
};

}  // namespace modelyard

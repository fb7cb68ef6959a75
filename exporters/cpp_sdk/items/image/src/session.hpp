// ONNX Runtime, loaded when it is needed: nothing is linked, and any version from 1.20 on serves.
#pragma once

#include "picture.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace modelyard {

// What the model gives for one picture: the axes after the batch's, and the numbers in their order.
struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

class Session {
  public:
    // library: path of the shared library; empty: see modelyard_options. model: the bytes of the ONNX file. Throws Fault.
    Session(const std::string& library, const std::string& model, std::string input, std::string output, int num_threads);
    ~Session();

    Tensor run(const Picture& picture) const;
    std::string version() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace modelyard

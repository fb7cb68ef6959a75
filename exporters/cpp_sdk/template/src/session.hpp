// ONNX Runtime with a model: any version from 1.20 on serves.
#pragma once

#include "graph.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace modelyard {

class Session final : public Graph {
  public:
    // library: path of the shared library; empty: see modelyard_options. model: the bytes of the ONNX file. Throws Fault.
    Session(const std::string& library, const std::string& model, std::string input, std::string output, int num_threads);
    ~Session() override;

    Tensor answer(const Item& item) const override;
    // The answers to bytes of that shape, with the axis of the batch. Throws Fault.
    Tensor run(const std::vector<std::uint8_t>& bytes, const std::array<std::int64_t, 4>& shape) const;
    // The same of the tokens of one text.
    Tensor run(const std::vector<std::int64_t>& tokens) const;
    std::string version() const;

  private:
    struct Given;

    Tensor run(const Given& given) const;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace modelyard

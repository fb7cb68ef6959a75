// What answers a picture: a graph, or several with something between them.
#pragma once

#include "picture.hpp"

#include <cstdint>
#include <vector>

namespace modelyard {

// Numbers in their order, and their axes.
struct Tensor {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

class Graph {
  public:
    virtual ~Graph() = default;
    // The answer to one picture, without the axis of the batch. Throws Fault.
    virtual Tensor answer(const Picture& picture) const = 0;
};

}  // namespace modelyard

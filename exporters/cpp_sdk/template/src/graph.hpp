// What answers an item: a graph, or several with something between them.
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

// What a model is asked about.
struct Item {
    Picture picture;                   // without pixels of a text
    std::vector<std::int64_t> tokens;  // of a text; none of a picture
};

class Graph {
  public:
    virtual ~Graph() = default;
    // The answer to one item, without the axis of the batch. Throws Fault.
    virtual Tensor answer(const Item& item) const = 0;
};

}  // namespace modelyard

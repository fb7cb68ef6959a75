// Kinds of items: how what is given becomes what the graph takes. Kinds have a file of items/ each, by the name in the manifest.
#pragma once

#include "graph.hpp"
#include "json.hpp"
#include "modelyard.h"

#include <functional>
#include <memory>
#include <string>

namespace modelyard {

class Items {
  public:
    virtual ~Items() = default;
    // What the kind of status is where a file cannot be read.
    virtual modelyard_status unreadable() const = 0;
    // An item to try the graph with.
    virtual Item typical() const = 0;
    // An item from the bytes of its file. Throws Fault.
    virtual Item read(const std::uint8_t* data, std::size_t size) const = 0;
    // One from pixels. Throws Fault where the model reads no pictures.
    virtual Item read_pixels(const std::uint8_t* pixels, int width, int height, int channels, std::size_t stride) const;
};

// A file that reading needs beside the graph, its hash compared. Throws Fault.
using Asset = std::function<std::string(const std::string& name)>;

// The kind of an artefact, by `decode` of its manifest. Throws Fault where the library knows none of that name.
std::unique_ptr<Items> items_of(const Json& decode, const Asset& asset);

}  // namespace modelyard

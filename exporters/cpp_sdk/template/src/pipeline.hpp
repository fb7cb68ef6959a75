// Pipelines: models of several graphs with something between them. Kinds have a file of pipelines/ each, by the name in
// pipeline.json.
#pragma once

#include "graph.hpp"
#include "json.hpp"
#include "session.hpp"

#include <functional>
#include <memory>
#include <string>

namespace modelyard {

// Opens a graph of the artefact by its file, and the names of its input and output.
using Opener = std::function<std::unique_ptr<Session>(const std::string& file, const std::string& input, const std::string& output)>;

// The pipeline of a specification. Throws Fault where the library knows none of that kind.
std::unique_ptr<Graph> pipeline_of(const Json& spec, const Opener& opened);

}  // namespace modelyard

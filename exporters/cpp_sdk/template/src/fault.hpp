// A failure inside the library; the functions of modelyard.h turn it into a status and a message.
#pragma once

#include "modelyard.h"

#include <stdexcept>
#include <string>

namespace modelyard {

struct Fault : std::runtime_error {
    Fault(modelyard_status kind, const std::string& detail) : std::runtime_error(detail), status(kind) {}
    modelyard_status status;
};

}  // namespace modelyard

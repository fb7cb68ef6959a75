// Where ONNX Runtime's functions come from.
#pragma once

#include "onnxruntime_c_api.h"

#include <string>

namespace modelyard {

// library: path of the shared library; empty: see modelyard_options. Throws Fault.
const OrtApiBase* runtime_base(const std::string& library);

}  // namespace modelyard

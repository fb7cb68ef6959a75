// ONNX Runtime as a part of the program: on iOS nothing is loaded by its path.
#include "runtime.hpp"

namespace modelyard {

const OrtApiBase* runtime_base(const std::string&) { return OrtGetApiBase(); }

}  // namespace modelyard

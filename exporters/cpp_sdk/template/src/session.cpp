#include "session.hpp"

#include "fault.hpp"
#include "onnxruntime_c_api.h"
#include "runtime.hpp"

namespace modelyard {

namespace {

constexpr std::uint32_t kApiVersion = 20;  // the oldest ONNX Runtime that serves is 1.20

}  // namespace

struct Session::Parts {
    const OrtApiBase* base = nullptr;
    const OrtApi* api = nullptr;
    OrtEnv* env = nullptr;
    OrtSessionOptions* options = nullptr;
    OrtSession* session = nullptr;
    OrtMemoryInfo* memory = nullptr;
    std::string input, output;

    ~Parts() {
        if (!api) return;
        api->ReleaseSession(session);
        api->ReleaseSessionOptions(options);
        api->ReleaseMemoryInfo(memory);
        api->ReleaseEnv(env);
    }

    void check(OrtStatus* status, modelyard_status kind) const {
        if (!status) return;
        const std::string message = api->GetErrorMessage(status);
        api->ReleaseStatus(status);
        throw Fault(kind, "ONNX Runtime: " + message);
    }
};

Session::Session(const std::string& library, const std::string& model, std::string input, std::string output, int num_threads)
    : parts_(std::make_unique<Parts>()) {
    Parts& own = *parts_;
    own.input = std::move(input);
    own.output = std::move(output);
    own.base = runtime_base(library);
    own.api = own.base->GetApi(kApiVersion);
    if (!own.api) {
        throw Fault(MODELYARD_LIBRARY_MISSING, std::string("ONNX Runtime 1.20 or later is needed, this is ") + own.base->GetVersionString());
    }
    const OrtApi& api = *own.api;
    own.check(api.CreateEnv(ORT_LOGGING_LEVEL_ERROR, "modelyard", &own.env), MODELYARD_FAILED);
    own.check(api.CreateSessionOptions(&own.options), MODELYARD_FAILED);
    own.check(api.SetIntraOpNumThreads(own.options, num_threads), MODELYARD_FAILED);
    own.check(api.SetInterOpNumThreads(own.options, 1), MODELYARD_FAILED);
    own.check(api.AddSessionConfigEntry(own.options, "session.intra_op.allow_spinning", "0"), MODELYARD_FAILED);
    own.check(
        api.CreateSessionFromArray(own.env, model.data(), model.size(), own.options, &own.session), MODELYARD_ARTEFACT_UNREADABLE);
    own.check(api.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &own.memory), MODELYARD_FAILED);
}

Session::~Session() = default;

std::string Session::version() const { return parts_->base->GetVersionString(); }

Tensor Session::answer(const Item& item) const {
    const Picture& picture = item.picture;
    Tensor answer = item.tokens.empty() ? run(picture.pixels, {1, picture.height, picture.width, 3}) : run(item.tokens);
    if (answer.shape[0] != 1) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer one item with numbers");
    answer.shape.erase(answer.shape.begin());
    return answer;
}

// A tensor that ONNX Runtime only reads.
struct Session::Given {
    const void* data;
    std::size_t num_bytes;
    std::vector<std::int64_t> shape;
    ONNXTensorElementDataType type;
};

Tensor Session::run(const std::vector<std::uint8_t>& bytes, const std::array<std::int64_t, 4>& shape) const {
    return run(Given{bytes.data(), bytes.size(), {shape.begin(), shape.end()}, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8});
}

Tensor Session::run(const std::vector<std::int64_t>& tokens) const {
    const auto length = static_cast<std::int64_t>(tokens.size());
    return run(Given{tokens.data(), tokens.size() * sizeof tokens[0], {1, length}, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64});
}

Tensor Session::run(const Given& tensor) const {
    const Parts& own = *parts_;
    const OrtApi& api = *own.api;
    struct Value {
        const OrtApi& api;
        OrtValue* value = nullptr;
        ~Value() { api.ReleaseValue(value); }
    } given{api}, answer{api};
    own.check(
        api.CreateTensorWithDataAsOrtValue(
            own.memory, const_cast<void*>(tensor.data), tensor.num_bytes, tensor.shape.data(), tensor.shape.size(), tensor.type,
            &given.value),
        MODELYARD_FAILED);
    const char* inputs[] = {own.input.c_str()};
    const char* outputs[] = {own.output.c_str()};
    const OrtValue* values[] = {given.value};
    own.check(api.Run(own.session, nullptr, inputs, values, 1, outputs, 1, &answer.value), MODELYARD_FAILED);
    struct Info {
        const OrtApi& api;
        OrtTensorTypeAndShapeInfo* info = nullptr;
        ~Info() { api.ReleaseTensorTypeAndShapeInfo(info); }
    } info{api};
    own.check(api.GetTensorTypeAndShape(answer.value, &info.info), MODELYARD_FAILED);
    ONNXTensorElementDataType type{};
    std::size_t num_axes = 0, num_values = 0;
    own.check(api.GetTensorElementType(info.info, &type), MODELYARD_FAILED);
    own.check(api.GetDimensionsCount(info.info, &num_axes), MODELYARD_FAILED);
    own.check(api.GetTensorShapeElementCount(info.info, &num_values), MODELYARD_FAILED);
    std::vector<std::int64_t> axes(num_axes);
    own.check(api.GetDimensions(info.info, axes.data(), num_axes), MODELYARD_FAILED);
    if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT || axes.empty()) {
        throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model does not answer one item with numbers");
    }
    void* data = nullptr;
    own.check(api.GetTensorMutableData(answer.value, &data), MODELYARD_FAILED);
    const float* numbers = static_cast<const float*>(data);
    return Tensor{std::move(axes), std::vector<float>(numbers, numbers + num_values)};
}

}  // namespace modelyard

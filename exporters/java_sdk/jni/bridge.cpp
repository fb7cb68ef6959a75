// Joins the classes of ONNX Runtime's Java API to the shared library of its Python package, where no registry has Microsoft's own
// library for that. Only what the product calls is here; it is never shipped.
#include <jni.h>
#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "onnxruntime_c_api.h"

namespace {

constexpr jlong kNothing = 0;
// By the value of the Java API's OnnxTensorType.
constexpr ONNXTensorElementDataType kTypes[] = {
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8,   ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16,    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16,   ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32,     ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64,  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,   ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,   ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE,
    ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING,    ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL,
};

const OrtApiBase* base = nullptr;
const OrtApi* api = nullptr;

template <typename Pointer>
Pointer* at(jlong handle) {
    return reinterpret_cast<Pointer*>(handle);
}

jlong handle_of(const void* pointer) { return reinterpret_cast<jlong>(pointer); }

// Throws what went wrong. Returns whether nothing did.
bool is_good(JNIEnv* env, OrtStatus* status) {
    if (!status) return true;
    jclass kind = env->FindClass("ai/onnxruntime/OrtException");
    jmethodID make = env->GetMethodID(kind, "<init>", "(ILjava/lang/String;)V");
    jobject fault = env->NewObject(kind, make, static_cast<jint>(api->GetErrorCode(status)), env->NewStringUTF(api->GetErrorMessage(status)));
    api->ReleaseStatus(status);
    env->Throw(static_cast<jthrowable>(fault));
    return false;
}

// A Java string in UTF-8. JNI's own functions give a dialect of it.
std::string text_of(JNIEnv* env, jobject given) {
    jmethodID encode = env->GetMethodID(env->FindClass("java/lang/String"), "getBytes", "(Ljava/lang/String;)[B");
    auto bytes = static_cast<jbyteArray>(env->CallObjectMethod(given, encode, env->NewStringUTF("UTF-8")));
    std::string text(static_cast<std::size_t>(env->GetArrayLength(bytes)), '\0');
    env->GetByteArrayRegion(bytes, 0, static_cast<jsize>(text.size()), reinterpret_cast<jbyte*>(&text[0]));
    env->DeleteLocalRef(bytes);
    return text;
}

std::vector<std::string> texts_of(JNIEnv* env, jobjectArray given) {
    std::vector<std::string> texts;
    for (jsize place = 0; place < env->GetArrayLength(given); ++place) {
        jobject each = env->GetObjectArrayElement(given, place);
        texts.push_back(text_of(env, each));
        env->DeleteLocalRef(each);
    }
    return texts;
}

std::vector<jlong> longs_of(JNIEnv* env, jlongArray given) {
    std::vector<jlong> values(static_cast<std::size_t>(env->GetArrayLength(given)));
    env->GetLongArrayRegion(given, 0, static_cast<jsize>(values.size()), values.data());
    return values;
}

std::vector<std::int64_t> shape_of(JNIEnv* env, jlongArray given) {
    const auto values = longs_of(env, given);
    return {values.begin(), values.end()};
}

jobjectArray names_of(JNIEnv* env, const std::vector<std::string>& names) {
    jobjectArray found = env->NewObjectArray(static_cast<jsize>(names.size()), env->FindClass("java/lang/String"), nullptr);
    for (std::size_t place = 0; place < names.size(); ++place)
        env->SetObjectArrayElement(found, static_cast<jsize>(place), env->NewStringUTF(names[place].c_str()));
    return found;
}

// Where a library of that name lies beside this one.
std::string beside(const std::string& name) {
    Dl_info own{};
    dladdr(reinterpret_cast<const void*>(&base), &own);
    const std::string path = own.dli_fname;
    return path.substr(0, path.rfind('/') + 1) + name + path.substr(path.rfind('.'));
}

// OnnxRuntime

jlong api_open(JNIEnv*, jclass, jint version) {
    if (!base) {
        void* library = dlopen(beside("libonnxruntime").c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) return kNothing;
        const auto open = reinterpret_cast<const OrtApiBase* (*)()>(dlsym(library, "OrtGetApiBase"));
        base = open ? open() : nullptr;
    }
    api = base ? base->GetApi(static_cast<std::uint32_t>(version)) : nullptr;
    return handle_of(api);
}

jlong training_open(JNIEnv*, jclass, jlong, jint) { return kNothing; }
jlong compile_open(JNIEnv*, jclass, jlong) { return kNothing; }
jobjectArray providers(JNIEnv* env, jclass, jlong) { return names_of(env, {"CPUExecutionProvider"}); }
jstring version(JNIEnv* env, jclass) { return env->NewStringUTF(base->GetVersionString()); }

// OrtEnvironment

jlong environment_open(JNIEnv* env, jclass, jlong, jint level, jstring name) {
    OrtEnv* found = nullptr;
    is_good(env, api->CreateEnv(static_cast<OrtLoggingLevel>(level), text_of(env, name).c_str(), &found));
    return handle_of(found);
}

jlong allocator_of(JNIEnv* env, jclass, jlong) {
    OrtAllocator* found = nullptr;
    is_good(env, api->GetAllocatorWithDefaultOptions(&found));
    return handle_of(found);
}

void telemetry(JNIEnv* env, jclass, jlong, jlong environment, jboolean is_on) {
    is_good(env, is_on ? api->EnableTelemetryEvents(at<OrtEnv>(environment)) : api->DisableTelemetryEvents(at<OrtEnv>(environment)));
}

void environment_close(JNIEnv*, jclass, jlong, jlong environment) { api->ReleaseEnv(at<OrtEnv>(environment)); }

// OrtSession.SessionOptions

jlong options_open(JNIEnv* env, jobject, jlong) {
    OrtSessionOptions* found = nullptr;
    is_good(env, api->CreateSessionOptions(&found));
    return handle_of(found);
}

void across(JNIEnv* env, jobject, jlong, jlong options, jint num) {
    is_good(env, api->SetInterOpNumThreads(at<OrtSessionOptions>(options), num));
}

void within(JNIEnv* env, jobject, jlong, jlong options, jint num) {
    is_good(env, api->SetIntraOpNumThreads(at<OrtSessionOptions>(options), num));
}

void log_level(JNIEnv* env, jobject, jlong, jlong options, jint level) {
    is_good(env, api->SetSessionLogSeverityLevel(at<OrtSessionOptions>(options), level));
}

void options_close(JNIEnv*, jobject, jlong, jlong options) { api->ReleaseSessionOptions(at<OrtSessionOptions>(options)); }

// OrtSession

jlong session_open(JNIEnv* env, jclass, jlong, jlong environment, jbyteArray graph, jlong options) {
    std::vector<jbyte> bytes(static_cast<std::size_t>(env->GetArrayLength(graph)));
    env->GetByteArrayRegion(graph, 0, static_cast<jsize>(bytes.size()), bytes.data());
    OrtSession* found = nullptr;
    is_good(
        env,
        api->CreateSessionFromArray(at<OrtEnv>(environment), bytes.data(), bytes.size(), at<OrtSessionOptions>(options), &found));
    return handle_of(found);
}

using Count = decltype(OrtApi::SessionGetInputCount);
using Name = decltype(OrtApi::SessionGetInputName);

jobjectArray names_in(JNIEnv* env, jlong session, jlong allocator, Count count, Name name) {
    std::size_t num = 0;
    if (!is_good(env, count(at<OrtSession>(session), &num))) return nullptr;
    std::vector<std::string> names;
    for (std::size_t place = 0; place < num; ++place) {
        char* text = nullptr;
        if (!is_good(env, name(at<OrtSession>(session), place, at<OrtAllocator>(allocator), &text))) return nullptr;
        names.emplace_back(text);
        at<OrtAllocator>(allocator)->Free(at<OrtAllocator>(allocator), text);
    }
    return names_of(env, names);
}

jlong num_inputs(JNIEnv* env, jobject, jlong, jlong session) {
    std::size_t num = 0;
    is_good(env, api->SessionGetInputCount(at<OrtSession>(session), &num));
    return static_cast<jlong>(num);
}

jlong num_outputs(JNIEnv* env, jobject, jlong, jlong session) {
    std::size_t num = 0;
    is_good(env, api->SessionGetOutputCount(at<OrtSession>(session), &num));
    return static_cast<jlong>(num);
}

jobjectArray input_names(JNIEnv* env, jobject, jlong, jlong session, jlong allocator) {
    return names_in(env, session, allocator, api->SessionGetInputCount, api->SessionGetInputName);
}

jobjectArray output_names(JNIEnv* env, jobject, jlong, jlong session, jlong allocator) {
    return names_in(env, session, allocator, api->SessionGetOutputCount, api->SessionGetOutputName);
}

// An answer as the Java API has it.
jobject tensor_of(JNIEnv* env, jlong allocator, OrtValue* value) {
    OrtTensorTypeAndShapeInfo* about = nullptr;
    if (!is_good(env, api->GetTensorTypeAndShape(value, &about))) return nullptr;
    std::size_t num = 0;
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    bool is_known = is_good(env, api->GetDimensionsCount(about, &num));
    std::vector<std::int64_t> shape(num);
    is_known = is_known && is_good(env, api->GetDimensions(about, shape.data(), num)) && is_good(env, api->GetTensorElementType(about, &type));
    api->ReleaseTensorTypeAndShapeInfo(about);
    if (!is_known) return nullptr;
    jlongArray axes = env->NewLongArray(static_cast<jsize>(num));
    const std::vector<jlong> lengths(shape.begin(), shape.end());
    env->SetLongArrayRegion(axes, 0, static_cast<jsize>(num), lengths.data());
    jclass info_kind = env->FindClass("ai/onnxruntime/TensorInfo");
    jmethodID make_info = env->GetMethodID(info_kind, "<init>", "([J[Ljava/lang/String;I)V");
    jobject info = env->NewObject(info_kind, make_info, axes, names_of(env, std::vector<std::string>(num)),
                                  static_cast<jint>(std::find(std::begin(kTypes), std::end(kTypes), type) - std::begin(kTypes)));
    if (env->ExceptionCheck()) return nullptr;
    jclass kind = env->FindClass("ai/onnxruntime/OnnxTensor");
    jmethodID make = env->GetMethodID(kind, "<init>", "(JJLai/onnxruntime/TensorInfo;)V");
    return env->NewObject(kind, make, handle_of(value), allocator, info);
}

jbooleanArray run(
    JNIEnv* env, jobject, jlong, jlong session, jlong allocator, jobjectArray input_names, jlongArray inputs, jlong, jobjectArray output_names,
    jlong, jobjectArray outputs, jlongArray, jlong options) {
    const auto asked = texts_of(env, output_names), given = texts_of(env, input_names);
    std::vector<const char*> asked_names, given_names;
    for (const auto& name : asked) asked_names.push_back(name.c_str());
    for (const auto& name : given) given_names.push_back(name.c_str());
    std::vector<const OrtValue*> values;
    for (const jlong each : longs_of(env, inputs)) values.push_back(at<OrtValue>(each));
    std::vector<OrtValue*> found(asked.size(), nullptr);
    if (!is_good(
            env,
            api->Run(
                at<OrtSession>(session), at<OrtRunOptions>(options), given_names.data(), values.data(), values.size(), asked_names.data(),
                asked_names.size(), found.data())))
        return nullptr;
    const std::vector<jboolean> owned(found.size(), JNI_TRUE);
    for (std::size_t place = 0; place < found.size(); ++place) {
        jobject tensor = tensor_of(env, allocator, found[place]);
        if (!tensor) return nullptr;
        env->SetObjectArrayElement(outputs, static_cast<jsize>(place), tensor);
    }
    jbooleanArray are_owned = env->NewBooleanArray(static_cast<jsize>(owned.size()));
    env->SetBooleanArrayRegion(are_owned, 0, static_cast<jsize>(owned.size()), owned.data());
    return are_owned;
}

void session_close(JNIEnv*, jobject, jlong, jlong session) { api->ReleaseSession(at<OrtSession>(session)); }

// OnnxTensor

jlong tensor_open(JNIEnv* env, jclass, jlong, jlong, jobject buffer, jint start, jlong num_bytes, jlongArray axes, jint type) {
    const auto shape = shape_of(env, axes);
    OrtMemoryInfo* memory = nullptr;
    OrtValue* found = nullptr;
    if (!is_good(env, api->CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &memory))) return kNothing;
    char* data = static_cast<char*>(env->GetDirectBufferAddress(buffer)) + start;
    is_good(
        env, api->CreateTensorWithDataAsOrtValue(
                 memory, data, static_cast<std::size_t>(num_bytes), shape.data(), shape.size(), kTypes[type], &found));
    api->ReleaseMemoryInfo(memory);
    return handle_of(found);
}

jlong texts_open(JNIEnv* env, jclass, jlong, jlong allocator, jobjectArray given, jlongArray axes) {
    const auto shape = shape_of(env, axes);
    OrtValue* found = nullptr;
    if (!is_good(
            env, api->CreateTensorAsOrtValue(
                     at<OrtAllocator>(allocator), shape.data(), shape.size(), ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &found)))
        return kNothing;
    const auto texts = texts_of(env, given);
    std::vector<const char*> pointers;
    for (const auto& text : texts) pointers.push_back(text.c_str());
    is_good(env, api->FillStringTensor(found, pointers.data(), pointers.size()));
    return handle_of(found);
}

jobject tensor_buffer(JNIEnv* env, jobject, jlong, jlong tensor) {
    void* data = nullptr;
    std::size_t num_bytes = 0;
    if (!is_good(env, api->GetTensorSizeInBytes(at<OrtValue>(tensor), &num_bytes)) ||
        !is_good(env, api->GetTensorMutableData(at<OrtValue>(tensor), &data)))
        return nullptr;
    return env->NewDirectByteBuffer(data, static_cast<jlong>(num_bytes));
}

void tensor_close(JNIEnv*, jobject, jlong, jlong tensor) { api->ReleaseValue(at<OrtValue>(tensor)); }

template <typename Function>
JNINativeMethod method(const char* name, const char* signature, Function* function) {
    return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

bool joined(JNIEnv* env, const char* name, const std::vector<JNINativeMethod>& methods) {
    jclass kind = env->FindClass(name);
    return kind && env->RegisterNatives(kind, methods.data(), static_cast<jint>(methods.size())) == JNI_OK;
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* machine, void*) {
    JNIEnv* env = nullptr;
    if (machine->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
    const bool is_joined =
        joined(env, "ai/onnxruntime/OnnxRuntime",
               {method("initialiseAPIBase", "(I)J", api_open), method("initialiseTrainingAPIBase", "(JI)J", training_open),
                method("initialiseCompileAPIBase", "(J)J", compile_open),
                method("getAvailableProviders", "(J)[Ljava/lang/String;", providers),
                method("initialiseVersion", "()Ljava/lang/String;", version)}) &&
        joined(env, "ai/onnxruntime/OrtEnvironment",
               {method("createHandle", "(JILjava/lang/String;)J", environment_open), method("getDefaultAllocator", "(J)J", allocator_of),
                method("setTelemetry", "(JJZ)V", telemetry), method("close", "(JJ)V", environment_close)}) &&
        joined(env, "ai/onnxruntime/OrtSession$SessionOptions",
               {method("createOptions", "(J)J", options_open), method("setInterOpNumThreads", "(JJI)V", across),
                method("setIntraOpNumThreads", "(JJI)V", within), method("setSessionLogLevel", "(JJI)V", log_level),
                method("closeOptions", "(JJ)V", options_close)}) &&
        joined(env, "ai/onnxruntime/OrtSession",
               {method("createSession", "(JJ[BJ)J", session_open), method("getNumInputs", "(JJ)J", num_inputs),
                method("getNumOutputs", "(JJ)J", num_outputs), method("getInputNames", "(JJJ)[Ljava/lang/String;", input_names),
                method("getOutputNames", "(JJJ)[Ljava/lang/String;", output_names),
                method("run", "(JJJ[Ljava/lang/String;[JJ[Ljava/lang/String;J[Lai/onnxruntime/OnnxValue;[JJ)[Z", run),
                method("closeSession", "(JJ)V", session_close)}) &&
        joined(env, "ai/onnxruntime/OnnxTensor",
               {method("createTensorFromBuffer", "(JJLjava/nio/Buffer;IJ[JI)J", tensor_open),
                method("createStringTensor", "(JJ[Ljava/lang/Object;[J)J", texts_open),
                method("getBuffer", "(JJ)Ljava/nio/ByteBuffer;", tensor_buffer), method("close", "(JJ)V", tensor_close)});
    return is_joined ? JNI_VERSION_1_8 : JNI_ERR;
}

// ONNX Runtime as a shared library, loaded when it is needed: nothing is linked.
#include "fault.hpp"
#include "runtime.hpp"

#include <cstdlib>
#include <filesystem>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace modelyard {

namespace {

#ifdef _WIN32
constexpr const char* kLibrary = "onnxruntime.dll";
#elif defined(__APPLE__)
constexpr const char* kLibrary = "libonnxruntime.dylib";
#else
constexpr const char* kLibrary = "libonnxruntime.so";
#endif

using GetApiBase = const OrtApiBase*(ORT_API_CALL*)();

// The library stays loaded until the program ends: it does not like to be unloaded.
GetApiBase entry_of(const std::string& path) {
#ifdef _WIN32
    const std::wstring wide = std::filesystem::u8path(path).wstring();
    const bool is_path = wide.find_first_of(L"\\/") != std::wstring::npos;
    const HMODULE library = LoadLibraryExW(wide.c_str(), nullptr, is_path ? LOAD_WITH_ALTERED_SEARCH_PATH : 0);
    if (!library) throw Fault(MODELYARD_LIBRARY_MISSING, path + " cannot be loaded (Windows error " + std::to_string(GetLastError()) + ")");
    return reinterpret_cast<GetApiBase>(reinterpret_cast<void*>(GetProcAddress(library, "OrtGetApiBase")));
#else
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw Fault(MODELYARD_LIBRARY_MISSING, std::string(dlerror()));
    return reinterpret_cast<GetApiBase>(dlsym(library, "OrtGetApiBase"));
#endif
}

}  // namespace

const OrtApiBase* runtime_base(const std::string& library) {
    std::string path = library;
    const char* set = std::getenv("MODELYARD_ONNXRUNTIME");
    if (path.empty()) path = set && *set ? set : kLibrary;
#ifdef _WIN32
    if (!std::filesystem::u8path(path).is_absolute() && path.find_first_of("\\/") != std::string::npos)
        path = std::filesystem::absolute(std::filesystem::u8path(path)).u8string();
#endif
    const GetApiBase entry = entry_of(path);
    if (!entry) throw Fault(MODELYARD_LIBRARY_MISSING, path + " is not ONNX Runtime");
    return entry();
}

}  // namespace modelyard

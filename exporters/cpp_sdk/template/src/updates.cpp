#include "updates.hpp"

#include "fault.hpp"
#include "json.hpp"
#include "model.hpp"
#include "sha256.hpp"

#include <cstdio>
#include <set>
#include <vector>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace modelyard {

namespace {

namespace fs = std::filesystem;

constexpr int kUpdateFormat = 1;
constexpr const char* kCurrentFile = "current.json";
constexpr const char* kPartial = ".partial";

struct Installed {
    std::string folder;  // below models; empty: the model that came with the product
    bool can_roll_back = false;
    std::string previous;
};

fs::path models_of(const fs::path& artefact) {
    fs::path whole = fs::absolute(artefact).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();  // it ends with a slash
    return whole.parent_path() / "models";
}

std::string name_in(const Json* field) { return field && field->is_text() ? field->text() : ""; }

Installed installed_state(const fs::path& models) {
    Installed state;
    if (!fs::exists(models / kCurrentFile)) return state;
    try {
        const Json read = Json::read(file_bytes(models / kCurrentFile, MODELYARD_ARTEFACT_UNREADABLE));
        state.folder = name_in(read.find("folder"));
        state.can_roll_back = read.find("previous") != nullptr;
        state.previous = name_in(read.find("previous"));
    } catch (const Fault&) {
        return Installed{};
    }
    return state.folder.empty() || fs::is_directory(models / state.folder) ? state : Installed{};
}

// Writes a file, and waits until the disk has it.
void write_through(const fs::path& path, const std::string& bytes) {
#ifdef _WIN32
    std::FILE* file = _wfopen(path.c_str(), L"wb");
#else
    std::FILE* file = std::fopen(path.c_str(), "wb");
#endif
    bool is_written = file && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
#ifdef _WIN32
    is_written = is_written && _commit(_fileno(file)) == 0;
#else
    is_written = is_written && fsync(fileno(file)) == 0;
#endif
    if (file) is_written = std::fclose(file) == 0 && is_written;
    if (!is_written) throw Fault(MODELYARD_UPDATE_NOT_WRITABLE, path.u8string() + " cannot be written");
}

void change_to(const fs::path& models, const Installed& state) {
    const auto quoted = [](const std::string& name) { return name.empty() ? std::string("null") : '"' + name + '"'; };
    const std::string before = state.can_roll_back ? ", \"previous\": " + quoted(state.previous) : "";
    const fs::path partial = models / (std::string(kCurrentFile) + kPartial);
    write_through(partial, "{\"folder\": " + quoted(state.folder) + before + "}");
    fs::rename(partial, models / kCurrentFile);
    for (const fs::directory_entry& each : fs::directory_iterator(models)) {
        const std::string name = each.path().filename().u8string();
        std::error_code kept;  // what is in use on Windows stays until the next update
        if (each.is_directory() && name != state.folder && name != state.previous) fs::remove_all(each.path(), kept);
    }
}

// A file of JSON of the update; what is wrong with it is wrong with the update.
Json update_json(const fs::path& path) {
    try {
        return Json::read(file_bytes(path, MODELYARD_UPDATE_INVALID));
    } catch (const Fault& fault) {
        throw Fault(MODELYARD_UPDATE_INVALID, path.filename().u8string() + ": " + fault.what());
    }
}

// What a program that calls the model depends on: task, kind of items, kind of answers.
std::string kind_of_model(const Json& manifest) {
    return manifest.at("task").text() + " (" + manifest.at("decode").at("kind").text() + ", " + manifest.at("output").text() + ")";
}

std::set<std::string> label_names(const Json& manifest) {
    std::set<std::string> names;
    for (const Json& label : manifest.at("label_set").at("labels").items()) names.insert(label.at("name").text());
    return names;
}

std::string listed_without(const std::set<std::string>& some, const std::set<std::string>& others) {
    std::string listed;
    for (const std::string& each : some)
        if (!others.count(each)) listed += (listed.empty() ? "" : ", ") + each;
    return listed;
}

void expect_whole(const fs::path& after) {
    const Json hashes = update_json(after / "hashes.json");
    try {
        for (const auto& [name, hash] : hashes.fields())
            if (sha256_hex(file_bytes(after / fs::u8path(name), MODELYARD_UPDATE_INVALID)) != hash.text())
                throw Fault(MODELYARD_ARTEFACT_DAMAGED, name + " is not the file that was written with the model");
    } catch (const Fault& fault) {
        if (fault.status == MODELYARD_ARTEFACT_DAMAGED) throw;
        throw Fault(MODELYARD_UPDATE_INVALID, fault.what());
    }
}

void expect_fitting(const fs::path& before, const fs::path& after, bool is_other_labels_allowed) {
    const Json old = update_json(before / "artefact.json"), next = update_json(after / "artefact.json");
    std::string is, becomes, gone, come;
    bool is_newer = false;
    try {
        is = kind_of_model(old), becomes = kind_of_model(next);
        gone = listed_without(label_names(old), label_names(next));
        come = listed_without(label_names(next), label_names(old));
        is_newer = next.at("schema_version").whole() > old.at("schema_version").whole();
    } catch (const Fault& fault) {
        throw Fault(MODELYARD_UPDATE_INVALID, fault.what());
    }
    if (is_newer) throw Fault(MODELYARD_UPDATE_TOO_NEW, "the model was written by a newer Modelyard");
    if (is != becomes) throw Fault(MODELYARD_UPDATE_OTHER_TASK, "installed is a model for " + is + ", the update is for " + becomes);
    if (!is_other_labels_allowed && !(gone.empty() && come.empty()))
        throw Fault(MODELYARD_UPDATE_OTHER_LABELS, "gone: " + (gone.empty() ? "none" : gone) + "; new: " + (come.empty() ? "none" : come));
}

void expect_answers(const fs::path& after, const std::string& library, int num_threads) {
    try {
        const modelyard_selftest_result shown = Model(after.u8string(), library, num_threads).selftest();
        if (!shown.is_passed)
            throw Fault(MODELYARD_UPDATE_SELFTEST_FAILED, "a score differs by " + std::to_string(shown.max_difference) + " from the trained model");
    } catch (const Fault& fault) {
        if (fault.status == MODELYARD_LIBRARY_MISSING || fault.status == MODELYARD_UPDATE_SELFTEST_FAILED) throw;
        throw Fault(MODELYARD_UPDATE_SELFTEST_FAILED, fault.what());
    }
}

void copy_through(const fs::path& from, const fs::path& to) {
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(from)) {
        const fs::path place = to / each.path().lexically_relative(from);
        if (!each.is_regular_file()) continue;
        fs::create_directories(place.parent_path());
        write_through(place, file_bytes(each.path(), MODELYARD_UPDATE_INVALID));
    }
}

}  // namespace

fs::path installed_folder(const fs::path& artefact) {
    const fs::path models = models_of(artefact);
    const Installed state = installed_state(models);
    return state.folder.empty() ? artefact : models / state.folder / "artefact";
}

void update_install(
    const fs::path& artefact, const fs::path& update, bool is_other_labels_allowed, const std::string& library, int num_threads) {
    const std::string about = file_bytes(update / "update.json", MODELYARD_UPDATE_INVALID);
    const Json facts = update_json(update / "update.json"), *format = facts.find("format");
    if (!format) throw Fault(MODELYARD_UPDATE_INVALID, "update.json has no format");
    if (format->whole() > kUpdateFormat) throw Fault(MODELYARD_UPDATE_TOO_NEW, "the update has a newer format than this library understands");
    const fs::path models = models_of(artefact);
    const std::string name = sha256_hex(about + file_bytes(update / "artefact" / "hashes.json", MODELYARD_UPDATE_INVALID));
    const fs::path partial = models / (name + kPartial);
    try {
        fs::create_directories(models);
        fs::remove_all(partial);
        copy_through(update / "artefact", partial / "artefact");
        write_through(partial / "update.json", about);
        expect_whole(partial / "artefact");
        expect_fitting(installed_folder(artefact), partial / "artefact", is_other_labels_allowed);
        expect_answers(partial / "artefact", library, num_threads);
        if (!fs::exists(models / name)) fs::rename(partial, models / name);
        fs::remove_all(partial);
        const Installed state = installed_state(models);
        if (state.folder != name) change_to(models, {name, true, state.folder});
    } catch (const fs::filesystem_error& error) {
        throw Fault(MODELYARD_UPDATE_NOT_WRITABLE, error.what());
    } catch (...) {
        std::error_code left;
        fs::remove_all(partial, left);
        throw;
    }
}

void update_roll_back(const fs::path& artefact) {
    const fs::path models = models_of(artefact);
    const Installed state = installed_state(models);
    if (!state.can_roll_back) throw Fault(MODELYARD_UPDATE_NONE_BEFORE, "no model was there before");
    try {
        change_to(models, {state.previous, false, ""});
    } catch (const fs::filesystem_error& error) {
        throw Fault(MODELYARD_UPDATE_NOT_WRITABLE, error.what());
    }
}

}  // namespace modelyard

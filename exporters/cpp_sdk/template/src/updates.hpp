// The models of a product on this machine: the one that came with it, and those of model updates.
//
//     artefact/               the model that came with the product
//     models/current.json     which model answers; not there: the one that came with the product
//     models/SHA-256/         the model of an update
//
// current.json is replaced in one step, after the new model has been written to disk and has answered its golden samples. So a
// program that is killed at any moment comes back with one of the two models, whole.
#pragma once

#include <filesystem>
#include <string>

namespace modelyard {

// The folder of the model that answers now.
std::filesystem::path installed_folder(const std::filesystem::path& artefact);

// Takes an unpacked update in. Throws Fault, and changes nothing then.
void update_install(
    const std::filesystem::path& artefact, const std::filesystem::path& update, bool is_other_labels_allowed, const std::string& library,
    int num_threads);

// Lets the model before answer again. Throws Fault.
void update_roll_back(const std::filesystem::path& artefact);

}  // namespace modelyard

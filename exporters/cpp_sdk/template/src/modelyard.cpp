// The functions of modelyard.h: no exception leaves them.
#include "modelyard.h"

#include "fault.hpp"
#include "model.hpp"
#include "updates.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <numeric>
#include <thread>

using namespace modelyard;

struct modelyard_model {
    Model model;
};

namespace {

constexpr int kMostThreads = 256;
constexpr int kMostRuns = 100000;
thread_local std::string last_message;

// What the parts of an annotation point into.
struct Parts {
    modelyard_heat_map heat_map;
    modelyard_bounds box;
    std::vector<modelyard_polygon> polygons;
};

// An answer with what it points into.
struct Kept : modelyard_answer {
    std::vector<Prediction> predictions;
    std::vector<Parts> parts;
    std::vector<modelyard_annotation> shown;
    std::optional<Beside> beside;
    std::vector<const char*> labels;
};

modelyard_annotation shown(const Prediction& prediction, Parts& parts) {
    modelyard_annotation each{};
    each.kind = prediction.kind;
    each.label = prediction.label.c_str();
    each.score = prediction.score;
    each.x = prediction.x;
    each.y = prediction.y;
    each.width = prediction.width;
    each.height = prediction.height;
    if (!prediction.counts.empty()) each.counts = prediction.counts.c_str();
    if (const auto& map = prediction.heat_map) {
        parts.heat_map = {map->score, map->width, map->height, map->values.data()};
        each.heat_map = &parts.heat_map;
    }
    if (!prediction.values.empty()) each.values = prediction.values.data();
    each.num_values = prediction.values.size();
    if (const auto& box = prediction.box) {
        parts.box = {box->x, box->y, box->width, box->height};
        each.box = &parts.box;
    }
    for (const std::vector<double>& points : prediction.polygons) parts.polygons.push_back({points.data(), points.size() / 2});
    if (!parts.polygons.empty()) each.polygons = parts.polygons.data();
    each.num_polygons = parts.polygons.size();
    if (!prediction.text.empty()) each.text = prediction.text.c_str();
    return each;
}

const char* code_of(modelyard_status status) {
    switch (status) {
        case MODELYARD_OK: return "ok";
        case MODELYARD_ARGUMENT_INVALID: return "argument_invalid";
        case MODELYARD_LIBRARY_MISSING: return "library_missing";
        case MODELYARD_ARTEFACT_UNREADABLE: return "artefact_unreadable";
        case MODELYARD_ARTEFACT_DAMAGED: return "artefact_damaged";
        case MODELYARD_PICTURE_UNREADABLE: return "picture_unreadable";
        case MODELYARD_PICTURE_TOO_LARGE: return "picture_too_large";
        case MODELYARD_ANSWER_INVALID: return "answer_invalid";
        case MODELYARD_OUT_OF_MEMORY: return "out_of_memory";
        case MODELYARD_TEXT_UNREADABLE: return "text_unreadable";
        case MODELYARD_TEXT_MISSING: return "text_missing";
        case MODELYARD_UPDATE_INVALID: return "update_invalid";
        case MODELYARD_UPDATE_TOO_NEW: return "update_too_new";
        case MODELYARD_UPDATE_OTHER_TASK: return "update_other_task";
        case MODELYARD_UPDATE_OTHER_LABELS: return "update_other_labels";
        case MODELYARD_UPDATE_SELFTEST_FAILED: return "update_selftest_failed";
        case MODELYARD_UPDATE_NOT_WRITABLE: return "update_not_writable";
        case MODELYARD_UPDATE_NONE_BEFORE: return "update_none_before";
        case MODELYARD_FAILED: break;
    }
    return "failed";
}

modelyard_status failed(modelyard_status status, const char* detail) noexcept {
    try {
        last_message = std::string(code_of(status)) + ": " + detail;
    } catch (...) {
        last_message.clear();
    }
    return status;
}

template <typename Work>
modelyard_status guarded(Work work) noexcept {
    try {
        last_message.clear();
        work();
        return MODELYARD_OK;
    } catch (const Fault& fault) {
        return failed(fault.status, fault.what());
    } catch (const std::bad_alloc&) {
        return failed(MODELYARD_OUT_OF_MEMORY, "there is not enough memory");
    } catch (const std::exception& error) {
        return failed(MODELYARD_FAILED, error.what());
    } catch (...) {
        return failed(MODELYARD_FAILED, "an unknown error");
    }
}

void expect_argument(bool is_right, const char* otherwise) {
    if (!is_right) throw Fault(MODELYARD_ARGUMENT_INVALID, otherwise);
}

void query_check(const modelyard_query* query) {
    if (!query) return;
    expect_argument(query->threshold <= 1.0, "threshold is a number up to 1");
    expect_argument(query->top >= 0, "top is not negative");
}

modelyard_answer* answered(const Model& model, const Item& item, const modelyard_query* query) {
    auto kept = std::make_unique<Kept>();
    const double threshold = query ? query->threshold : -1.0;
    const Tensor answer = model.predict(item);
    kept->predictions = model.encode(answer, item, threshold, static_cast<std::size_t>(query ? query->top : 0));
    kept->parts.resize(kept->predictions.size());
    for (std::size_t place = 0; place < kept->predictions.size(); ++place) kept->shown.push_back(shown(kept->predictions[place], kept->parts[place]));
    kept->annotations = kept->shown.data();
    kept->num_annotations = kept->shown.size();
    kept->width_px = item.picture.width_px;
    kept->height_px = item.picture.height_px;
    kept->beside = model.beside(answer);
    kept->ask_a_person = kept->beside ? kept->beside->asks_a_person : -1;
    if (kept->beside)
        for (const std::string& label : kept->beside->possible_labels) kept->labels.push_back(label.c_str());
    kept->possible_labels = kept->labels.data();
    kept->num_possible_labels = kept->labels.size();
    return kept.release();
}

}  // namespace

extern "C" {

modelyard_status modelyard_load(const char* folder, const modelyard_options* options, modelyard_model** model) {
    return guarded([&] {
        expect_argument(folder && model, "folder or model is NULL");
        *model = nullptr;
        const int num_threads = options && options->num_threads ? options->num_threads : 1;
        expect_argument(num_threads >= 1 && num_threads <= kMostThreads, "num_threads lies between 0 and 256");
        const std::string library = options && options->library ? options->library : "";
        *model = new modelyard_model{Model(folder, library, num_threads)};
    });
}

void modelyard_free(modelyard_model* model) { delete model; }

modelyard_status modelyard_predict_file(
    modelyard_model* model, const char* path, const modelyard_query* query, modelyard_answer** answer) {
    return guarded([&] {
        expect_argument(model && path && answer, "model, path or answer is NULL");
        *answer = nullptr;
        query_check(query);
        const Items& items = model->model.items();
        const std::string bytes = file_bytes(std::filesystem::u8path(path), items.unreadable());
        *answer = answered(model->model, items.read(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), query);
    });
}

modelyard_status modelyard_predict_bytes(
    modelyard_model* model, const void* data, size_t size, const modelyard_query* query, modelyard_answer** answer) {
    return guarded([&] {
        expect_argument(model && data && answer, "model, data or answer is NULL");
        *answer = nullptr;
        query_check(query);
        *answer = answered(model->model, model->model.items().read(static_cast<const std::uint8_t*>(data), size), query);
    });
}

modelyard_status modelyard_predict_pixels(
    modelyard_model* model,
    const uint8_t* pixels,
    int width,
    int height,
    int channels,
    size_t stride,
    const modelyard_query* query,
    modelyard_answer** answer) {
    return guarded([&] {
        expect_argument(model && pixels && answer, "model, pixels or answer is NULL");
        *answer = nullptr;
        query_check(query);
        expect_argument(width > 0 && height > 0, "width and height are positive");
        expect_argument(channels == 1 || channels == 3 || channels == 4, "channels is 1, 3 or 4");
        const size_t row = static_cast<size_t>(width) * static_cast<size_t>(channels);
        expect_argument(stride == 0 || stride >= row, "stride is shorter than a row");
        const Item item = model->model.items().read_pixels(pixels, width, height, channels, stride ? stride : row);
        *answer = answered(model->model, item, query);
    });
}

modelyard_status modelyard_predict_batch(
    modelyard_model* model,
    const char* const* paths,
    size_t num_paths,
    int num_threads,
    const modelyard_query* query,
    modelyard_answer** answers,
    modelyard_status* statuses) {
    std::string first_message;
    const modelyard_status status = guarded([&] {
        expect_argument(model && paths && answers && statuses, "model, paths, answers or statuses is NULL");
        query_check(query);
        expect_argument(num_threads >= 0 && num_threads <= kMostThreads, "num_threads lies between 0 and 256");
        const size_t num_cores = std::max(1u, std::thread::hardware_concurrency());
        const size_t num_workers = std::min(num_paths, num_threads ? static_cast<size_t>(num_threads) : num_cores);
        std::fill_n(answers, num_paths, nullptr);
        std::vector<std::string> messages(num_paths);
        std::atomic<size_t> next{0};
        const auto work = [&] {
            for (size_t place = next++; place < num_paths; place = next++) {
                statuses[place] = modelyard_predict_file(model, paths[place], query, &answers[place]);
                if (statuses[place] != MODELYARD_OK) messages[place] = last_message;
            }
        };
        std::vector<std::thread> workers;
        try {
            for (size_t number = 1; number < num_workers; ++number) workers.emplace_back(work);
        } catch (const std::system_error&) {
            // Fewer threads than asked for do the same work.
        }
        work();
        for (std::thread& worker : workers) worker.join();
        const auto* failed = std::find_if(statuses, statuses + num_paths, [](modelyard_status each) { return each != MODELYARD_OK; });
        if (failed == statuses + num_paths) return;
        first_message = messages[static_cast<size_t>(failed - statuses)];
        throw Fault(*failed, first_message);
    });
    if (!first_message.empty()) last_message = first_message;
    else if (status == MODELYARD_OK) last_message.clear();
    return status;
}

void modelyard_answer_free(modelyard_answer* answer) { delete static_cast<Kept*>(answer); }

modelyard_status modelyard_similarity(const modelyard_annotation* one, const modelyard_annotation* other, double* similarity) {
    return guarded([&] {
        expect_argument(one && other && similarity, "one, other or similarity is NULL");
        expect_argument(one->values && other->values, "an annotation is no vector");
        expect_argument(one->num_values == other->num_values, "the vectors are those of two models");
        const double sum = std::inner_product(one->values, one->values + one->num_values, other->values, 0.0);
        *similarity = std::clamp(sum, -1.0, 1.0);
    });
}

modelyard_status modelyard_selftest(modelyard_model* model, modelyard_selftest_result* result) {
    return guarded([&] {
        expect_argument(model && result, "model or result is NULL");
        *result = model->model.selftest();
    });
}

modelyard_status modelyard_bench(modelyard_model* model, const char* path, int num_runs, modelyard_bench_result* result) {
    return guarded([&] {
        expect_argument(model && result, "model or result is NULL");
        expect_argument(num_runs >= 1 && num_runs <= kMostRuns, "num_runs lies between 1 and 100,000");
        *result = model->model.bench(path ? path : "", num_runs);
    });
}

modelyard_status modelyard_update(const char* artefact, const char* update, int allow_other_labels, const modelyard_options* options) {
    return guarded([&] {
        expect_argument(artefact, "artefact is NULL");
        const std::filesystem::path home = std::filesystem::u8path(artefact);
        if (!update) return update_roll_back(home);
        const int num_threads = options && options->num_threads ? options->num_threads : 1;
        expect_argument(num_threads >= 1 && num_threads <= kMostThreads, "num_threads lies between 0 and 256");
        const std::string library = options && options->library ? options->library : "";
        update_install(home, std::filesystem::u8path(update), allow_other_labels != 0, library, num_threads);
    });
}

modelyard_status modelyard_installed(const char* artefact, char* folder, size_t size) {
    return guarded([&] {
        expect_argument(artefact && folder, "artefact or folder is NULL");
        const std::string found = installed_folder(std::filesystem::u8path(artefact)).u8string();
        expect_argument(found.size() < size, "the path of the model is longer than size");
        std::memcpy(folder, found.c_str(), found.size() + 1);
    });
}

const char* modelyard_message(void) { return last_message.c_str(); }

}  // extern "C"

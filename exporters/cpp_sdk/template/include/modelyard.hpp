// The same for C++: a class that cleans up after itself, and exceptions.
#pragma once

#include "modelyard.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace modelyard {

// A call that failed. what() is the message, status() says which kind of failure it was.
class Error : public std::runtime_error {
  public:
    explicit Error(modelyard_status status) : std::runtime_error(modelyard_message()), status_(status) {}
    modelyard_status status() const noexcept { return status_; }

  private:
    modelyard_status status_;
};

// How unlike the normal pictures each place of a picture is: a byte a cell, row by row, 255 for one.
struct HeatMap {
    double score = 0;
    int width = 0, height = 0;
    std::vector<std::uint8_t> values;
};

struct Point {
    double x = 0, y = 0;
};

struct Annotation {
    std::string kind;
    std::string label;
    double score = 0;
    double x = 0, y = 0, width = 0, height = 0;
    std::string counts;
    std::optional<HeatMap> heat_map;
    std::vector<double> values;
    std::optional<modelyard_bounds> box;
    std::vector<std::vector<Point>> polygons;
    std::string text;
};

struct Answer {
    std::vector<Annotation> annotations;  // best first
    std::optional<bool> ask_a_person;     // whether a person should look, where an error rate was chosen for the model
    std::vector<std::string> possible_labels;  // at that error rate, best first
};

// How much two pictures show the same thing, -1 to 1, by the vectors that the same model answered them with. Throws Error.
inline double similarity(const Annotation& one, const Annotation& other) {
    modelyard_annotation given[2]{};
    const Annotation* own[] = {&one, &other};
    for (int place = 0; place < 2; ++place) {
        given[place].kind = own[place]->kind.c_str();
        given[place].values = own[place]->values.data();
        given[place].num_values = own[place]->values.size();
    }
    double found = 0;
    const modelyard_status status = modelyard_similarity(&given[0], &given[1], &found);
    if (status != MODELYARD_OK) throw Error(status);
    return found;
}

// The folder of the model that answers now: artefact itself, or that of the latest update. Throws Error.
inline std::string installed(const std::string& artefact) {
    std::string folder(4096, '\0');
    const modelyard_status status = modelyard_installed(artefact.c_str(), folder.data(), folder.size());
    if (status != MODELYARD_OK) throw Error(status);
    folder.resize(folder.find('\0'));
    return folder;
}

// A model, loaded and warm. May be used from several threads at once.
class Model {
  public:
    explicit Model(const std::string& folder, const modelyard_options& options = {}) {
        modelyard_model* model = nullptr;
        check(modelyard_load(folder.c_str(), &options, &model));
        model_.reset(model);
    }

    // The answer to a file, best first. Throws Error.
    std::vector<Annotation> predict(const std::string& path, const modelyard_query& query = usual()) const {
        return answer(path, query).annotations;
    }

    // The same with what is said besides.
    Answer answer(const std::string& path, const modelyard_query& query = usual()) const {
        modelyard_answer* answer = nullptr;
        check(modelyard_predict_file(model_.get(), path.c_str(), &query, &answer));
        return whole(answer);
    }

    // The same of the file's bytes.
    Answer answer(const void* data, std::size_t size, const modelyard_query& query = usual()) const {
        modelyard_answer* answer = nullptr;
        check(modelyard_predict_bytes(model_.get(), data, size, &query, &answer));
        return whole(answer);
    }

    // The annotations of the file's bytes.
    std::vector<Annotation> predict(const void* data, std::size_t size, const modelyard_query& query = usual()) const {
        return answer(data, size, query).annotations;
    }

    // The same of a text.
    std::vector<Annotation> predict_text(const std::string& text, const modelyard_query& query = usual()) const {
        return predict(text.data(), text.size(), query);
    }

    // The same of pixels; see modelyard_predict_pixels.
    std::vector<Annotation> predict_pixels(
        const std::uint8_t* pixels, int width, int height, int channels, const modelyard_query& query = usual()) const {
        modelyard_answer* answer = nullptr;
        check(modelyard_predict_pixels(model_.get(), pixels, width, height, channels, 0, &query, &answer));
        return whole(answer).annotations;
    }

    // For the functions that have no method here.
    modelyard_model* get() const noexcept { return model_.get(); }

    static modelyard_query usual() noexcept { return modelyard_query{-1.0, 0}; }

  private:
    struct Free {
        void operator()(modelyard_model* model) const noexcept { modelyard_free(model); }
        void operator()(modelyard_answer* answer) const noexcept { modelyard_answer_free(answer); }
    };

    static void check(modelyard_status status) {
        if (status != MODELYARD_OK) throw Error(status);
    }

    static Answer whole(modelyard_answer* given) {
        const std::unique_ptr<modelyard_answer, Free> answer(given);
        Answer found;
        found.annotations.reserve(answer->num_annotations);
        for (std::size_t place = 0; place < answer->num_annotations; ++place) found.annotations.push_back(kept(answer->annotations[place]));
        if (answer->ask_a_person >= 0) found.ask_a_person = answer->ask_a_person == 1;
        found.possible_labels.assign(answer->possible_labels, answer->possible_labels + answer->num_possible_labels);
        return found;
    }

    // A copy that does not end with the answer.
    static Annotation kept(const modelyard_annotation& given) {
        Annotation own;
        own.kind = given.kind;
        own.label = given.label;
        own.score = given.score;
        own.x = given.x;
        own.y = given.y;
        own.width = given.width;
        own.height = given.height;
        if (given.counts) own.counts = given.counts;
        if (const modelyard_heat_map* map = given.heat_map) {
            const std::size_t num_cells = static_cast<std::size_t>(map->width) * static_cast<std::size_t>(map->height);
            own.heat_map = HeatMap{map->score, map->width, map->height, {map->values, map->values + num_cells}};
        }
        if (given.values) own.values.assign(given.values, given.values + given.num_values);
        if (given.box) own.box = *given.box;
        if (given.text) own.text = given.text;
        for (std::size_t number = 0; number < given.num_polygons; ++number) {
            std::vector<Point>& points = own.polygons.emplace_back();
            const modelyard_polygon& polygon = given.polygons[number];
            for (std::size_t place = 0; place < polygon.num_points; ++place)
                points.push_back({polygon.points[2 * place], polygon.points[2 * place + 1]});
        }
        return own;
    }

    std::unique_ptr<modelyard_model, Free> model_;
};

}  // namespace modelyard

// modelyard-sample FOLDER [--library PATH] [--top N] [--threshold X] FILE...    answers, one line of JSON a file
// modelyard-sample FOLDER [--library PATH] --selftest                              replays the golden samples
// modelyard-sample FOLDER [--library PATH] --bench N [FILE]                     measures on this machine
// modelyard-sample FOLDER [--library PATH] --update UPDATE [--allow-other-labels]    another model answers from now on
// modelyard-sample FOLDER --rollback                                            the one before answers again
#include "modelyard.hpp"

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#ifdef _WIN32
#include <windows.h>
// Behind it, since it needs the types of windows.h:
#include <shellapi.h>
#endif

namespace {

std::string quoted(const std::string& text) {
    std::string shown = "\"";
    for (const char sign : text) {
        if (sign == '"' || sign == '\\') shown += '\\';
        if (static_cast<unsigned char>(sign) < 0x20) {
            char escaped[8];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", sign);
            shown += escaped;
        } else {
            shown += sign;
        }
    }
    return shown + '"';
}

// Bytes as text.
std::string base64(const std::vector<std::uint8_t>& bytes) {
    constexpr const char* signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t num = bytes.size() - at < 3 ? bytes.size() - at : 3;
        std::uint32_t group = 0;
        for (std::size_t place = 0; place < 3; ++place) group = group << 8 | (place < num ? bytes[at + place] : 0u);
        for (std::size_t place = 0; place < 4; ++place) text += place <= num ? signs[group >> (18 - 6 * place) & 63] : '=';
    }
    return text;
}

int failed(const char* what) {
    std::fprintf(stderr, "%s: %s\n", what, modelyard_message());
    return 1;
}

void print(const std::vector<modelyard::Point>& points) {
    for (std::size_t place = 0; place < points.size(); ++place) std::printf("%s[%.2f, %.2f]", place ? ", " : "[", points[place].x, points[place].y);
    std::printf("]");
}

void print_object(const modelyard::Annotation& each) {
    const modelyard_bounds& box = *each.box;
    std::printf(", \"box\": {\"x\": %.2f, \"y\": %.2f, \"width\": %.2f, \"height\": %.2f}, \"polygons\": [", box.x, box.y, box.width, box.height);
    for (std::size_t number = 0; number < each.polygons.size(); ++number) {
        std::printf(number ? ", " : "");
        print(each.polygons[number]);
    }
    std::printf("]");
}

void print_line(const modelyard::Annotation& each) {
    std::printf(", \"points\": ");
    print(each.polygons[0]);
    std::printf(", \"attributes\": [{\"name\": \"text\", \"value\": %s}]", quoted(each.text).c_str());
}

void print(const modelyard::Annotation& each, bool is_first) {
    std::printf("%s{\"kind\": %s", is_first ? "" : ", ", quoted(each.kind).c_str());
    if (!each.label.empty()) std::printf(", \"label\": %s, \"score\": %.6f", quoted(each.label).c_str(), each.score);
    if (each.kind == "box") std::printf(", \"x\": %.2f, \"y\": %.2f, \"width\": %.2f, \"height\": %.2f", each.x, each.y, each.width, each.height);
    if (!each.counts.empty()) std::printf(", \"width\": %.0f, \"height\": %.0f, \"counts\": %s", each.width, each.height, quoted(each.counts).c_str());
    if (const auto& map = each.heat_map)
        std::printf(
            ", \"heat_map\": {\"score\": %.6f, \"width\": %d, \"height\": %d, \"values\": \"%s\"}", map->score, map->width, map->height,
            base64(map->values).c_str());
    for (std::size_t place = 0; place < each.values.size(); ++place) std::printf("%s%.6f", place ? ", " : ", \"values\": [", each.values[place]);
    if (!each.values.empty()) std::printf("]");
    if (each.box) print_object(each);
    if (!each.text.empty()) print_line(each);
    std::printf("}");
}

void print_beside(const modelyard::Answer& answer) {
    if (!answer.ask_a_person) return;
    std::printf(", \"ask_a_person\": %s, \"possible_labels\": [", *answer.ask_a_person ? "true" : "false");
    for (std::size_t place = 0; place < answer.possible_labels.size(); ++place)
        std::printf("%s%s", place ? ", " : "", quoted(answer.possible_labels[place]).c_str());
    std::printf("]");
}

int selftest(modelyard::Model& model) {
    modelyard_selftest_result result;
    if (modelyard_selftest(model.get(), &result) != MODELYARD_OK) return failed("selftest");
    std::printf(
        "{\"num_samples\": %d, \"max_difference\": %.9g, \"tolerance\": %.9g, \"is_passed\": %s, \"environment\": %s}\n", result.num_samples,
        result.max_difference, result.tolerance, result.is_passed ? "true" : "false", quoted(result.environment).c_str());
    return result.is_passed ? 0 : 1;
}

int bench(modelyard::Model& model, int num_runs, const std::vector<std::string>& files) {
    modelyard_bench_result result;
    const char* file = files.empty() ? nullptr : files[0].c_str();
    if (modelyard_bench(model.get(), file, num_runs, &result) != MODELYARD_OK) return failed("bench");
    std::printf(
        "{\"num_runs\": %d, \"decode_ms\": %.3f, \"predict_ms\": %.3f, \"p95_ms\": %.3f}\n", result.num_runs, result.decode_ms,
        result.predict_ms, result.p95_ms);
    return 0;
}

// update: an unpacked model update; empty: back to the model before.
int update(const std::string& folder, const std::string& update, bool allow_other_labels, const modelyard_options& options) {
    if (modelyard_update(folder.c_str(), update.empty() ? nullptr : update.c_str(), allow_other_labels, &options) != MODELYARD_OK) {
        std::fprintf(stderr, "%s\n", modelyard_message());
        return 1;
    }
    std::printf("{\"artefact_dir\": %s}\n", quoted(modelyard::installed(folder)).c_str());
    return 0;
}

int run(const std::vector<std::string>& arguments) {
    std::string folder, library, taken;
    std::vector<std::string> files;
    modelyard_query query = modelyard::Model::usual();
    int num_runs = 0;
    bool is_selftest = false, is_rollback = false, allow_other_labels = false;
    for (std::size_t place = 0; place < arguments.size(); ++place) {
        const std::string& each = arguments[place];
        const bool has_value = each == "--library" || each == "--top" || each == "--threshold" || each == "--bench" || each == "--update";
        if (has_value && place + 1 == arguments.size()) {
            std::fprintf(stderr, "%s needs a value\n", each.c_str());
            return 2;
        }
        if (each == "--selftest") is_selftest = true;
        else if (each == "--rollback") is_rollback = true;
        else if (each == "--allow-other-labels") allow_other_labels = true;
        else if (each == "--update") taken = arguments[++place];
        else if (each == "--library") library = arguments[++place];
        else if (each == "--top") query.top = std::atoi(arguments[++place].c_str());
        else if (each == "--threshold") query.threshold = std::strtod(arguments[++place].c_str(), nullptr);
        else if (each == "--bench") num_runs = std::atoi(arguments[++place].c_str());
        else if (folder.empty()) folder = each;
        else files.push_back(each);
    }
    if (folder.empty() || (!is_selftest && !num_runs && !is_rollback && taken.empty() && files.empty())) {
        std::fprintf(stderr, "usage: modelyard-sample FOLDER [--library PATH] [--top N] [--threshold X] FILE... | --selftest | --bench N | --update UPDATE | --rollback\n");
        return 2;
    }
    modelyard_options options{};
    options.library = library.empty() ? nullptr : library.c_str();
    if (is_rollback || !taken.empty()) return update(folder, taken, allow_other_labels, options);
    modelyard::Model model(modelyard::installed(folder), options);
    if (is_selftest) return selftest(model);
    if (num_runs) return bench(model, num_runs, files);
    int num_failed = 0;
    for (const std::string& file : files) {
        try {
            const modelyard::Answer answer = model.answer(file, query);
            const std::vector<modelyard::Annotation>& found = answer.annotations;
            std::printf("{\"file\": %s, \"annotations\": [", quoted(file).c_str());
            for (std::size_t place = 0; place < found.size(); ++place) print(found[place], place == 0);
            std::printf("]");
            print_beside(answer);
            std::printf("}\n");
        } catch (const modelyard::Error& error) {
            std::fprintf(stderr, "%s: %s\n", file.c_str(), error.what());
            ++num_failed;
        }
    }
    return num_failed ? 1 : 0;
}

// The arguments in UTF-8.
std::vector<std::string> arguments_of(int argc, char** argv) {
#ifdef _WIN32
    (void)argc, (void)argv;
    std::vector<std::string> arguments;
    int number = 0;
    LPWSTR* wide = CommandLineToArgvW(GetCommandLineW(), &number);
    for (int place = 1; wide && place < number; ++place) {
        std::string narrow(static_cast<std::size_t>(WideCharToMultiByte(CP_UTF8, 0, wide[place], -1, nullptr, 0, nullptr, nullptr)), '\0');
        WideCharToMultiByte(CP_UTF8, 0, wide[place], -1, narrow.data(), static_cast<int>(narrow.size()), nullptr, nullptr);
        narrow.pop_back();
        arguments.push_back(narrow);
    }
    LocalFree(wide);
    return arguments;
#else
    return std::vector<std::string>(argv + 1, argv + argc);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    std::setlocale(LC_NUMERIC, "C");
    try {
        return run(arguments_of(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

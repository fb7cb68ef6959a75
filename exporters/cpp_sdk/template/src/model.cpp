#include "model.hpp"

#include "fault.hpp"
#include "json.hpp"
#include "pipeline.hpp"
#include "sha256.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace modelyard {

namespace {

constexpr int kKnownSchema = 1;
constexpr const char* kPipelineFile = "pipeline.json";

#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* kCompiler = "gcc " __VERSION__;
#else
constexpr const char* kCompiler = "msvc";
#endif

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

}  // namespace

std::string file_bytes(const std::filesystem::path& path, modelyard_status kind) {
    std::error_code error;
    std::ifstream file;
    if (!std::filesystem::is_directory(path, error)) file.open(path, std::ios::binary);
    if (!file.is_open()) throw Fault(kind, path.u8string() + " cannot be read");
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) throw Fault(kind, path.u8string() + " cannot be read");
    return bytes;
}

Model::Model(const std::string& folder, const std::string& library, int num_threads) : folder_(std::filesystem::u8path(folder)) {
    hashes_check({"artefact.json", "model.onnx"});
    const Json manifest = Json::read(file_bytes(folder_ / "artefact.json", MODELYARD_ARTEFACT_UNREADABLE));
    if (manifest.at("schema_version").whole() != kKnownSchema)
        throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model was written by another version of Modelyard");
    items_ = items_of(manifest.at("decode"), [&](const std::string& name) {
        hashes_check({name});
        return file_bytes(folder_ / std::filesystem::u8path(name), MODELYARD_ARTEFACT_UNREADABLE);
    });
    tolerance_ = manifest.at("tolerance").number();
    for (const Json& label : manifest.at("label_set").at("labels").items()) labels_.push_back(label.at("name").text());
    for (const auto& [label, threshold] : manifest.at("thresholds").fields()) thresholds_[label] = threshold.number();
    if (const Json* coverage = manifest.find("coverage"); coverage && !coverage->is_null())
        for (const std::string& label : labels_) limits_.push_back(coverage->at("limits").at(label).number());
    answers_ = answers_of(manifest.at("output").text(), labels_);
    open(manifest, library, num_threads);
    const Item typical = items_->typical();
    encode(predict(typical), typical, -1.0, 0);
}

// What answers: the graph, or the pipeline that joins it with others.
void Model::open(const Json& manifest, const std::string& library, int num_threads) {
    const std::vector<Json>&inputs = manifest.at("inputs").items(), &outputs = manifest.at("outputs").items();
    if (inputs.size() != 1 || outputs.empty()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the model has not one input");
    const Opener opened = [&](const std::string& file, const std::string& input, const std::string& output) {
        const std::string bytes = file_bytes(folder_ / std::filesystem::u8path(file), MODELYARD_ARTEFACT_UNREADABLE);
        auto session = std::make_unique<Session>(library, bytes, input, output, num_threads);
        version_ = session->version();
        return session;
    };
    std::vector<std::string> files;
    if (const Json* named = manifest.find("files"))
        for (const Json& file : named->items()) files.push_back(file.text());
    hashes_check(files);
    if (std::find(files.begin(), files.end(), kPipelineFile) == files.end()) {
        graph_ = opened("model.onnx", inputs[0].at("name").text(), outputs[0].at("name").text());
        return;
    }
    graph_ = pipeline_of(Json::read(file_bytes(folder_ / kPipelineFile, MODELYARD_ARTEFACT_UNREADABLE)), opened);
}

void Model::hashes_check(const std::vector<std::string>& names) const {
    const std::filesystem::path path = folder_ / "hashes.json";
    if (!std::filesystem::exists(path)) return;
    const Json known = Json::read(file_bytes(path, MODELYARD_ARTEFACT_UNREADABLE));
    for (const auto& [name, hash] : known.fields()) {
        if (std::find(names.begin(), names.end(), name) == names.end()) continue;
        if (sha256_hex(file_bytes(folder_ / name, MODELYARD_ARTEFACT_UNREADABLE)) != hash.text())
            throw Fault(MODELYARD_ARTEFACT_DAMAGED, name + " is not the file that was written with the model");
    }
}

Item Model::decode(const std::string& bytes) const { return items_->read(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()); }

Tensor Model::predict(const Item& item) const {
    Tensor answer = graph_->answer(item);
    answers_->check(answer);
    return answer;
}

std::vector<Prediction> Model::encode(const Tensor& answer, const Item& item, double threshold, std::size_t top) const {
    std::vector<double> lowest(labels_.size(), threshold);
    for (std::size_t place = 0; threshold < 0 && place < labels_.size(); ++place) {
        const auto own = thresholds_.find(labels_[place]);
        lowest[place] = own == thresholds_.end() ? 0.0 : own->second;
    }
    return answers_->encode(answer, item.picture, EncodeOptions{top ? top : answers_->usual_top(), lowest, threshold, thresholds_});
}

std::optional<Beside> Model::beside(const Tensor& answer) const {
    return limits_.empty() ? std::nullopt : answers_->beside(answer, thresholds_, limits_);
}

Json Model::golden() const {
    Json expected = Json::read(file_bytes(folder_ / "samples" / "expected.json", MODELYARD_ARTEFACT_UNREADABLE));
    if (expected.at("samples").items().empty()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "there are no golden samples");
    return expected;
}

modelyard_selftest_result Model::selftest() const {
    const Json expected = golden();
    std::vector<std::string> labels;
    if (const Json* names = expected.find("labels"))
        for (const Json& name : names->items()) labels.push_back(name.text());
    if (labels.empty()) labels = labels_;
    modelyard_selftest_result result{};
    result.tolerance = tolerance_;
    for (const Json& sample : expected.at("samples").items()) {
        const auto file = folder_ / "samples" / std::filesystem::u8path(sample.at("file").text());
        const Tensor answer = predict(decode(file_bytes(file, MODELYARD_ARTEFACT_UNREADABLE)));
        result.max_difference = std::max(result.max_difference, answers_->difference(sample, labels, answer));
        ++result.num_samples;
    }
    result.is_passed = result.max_difference <= tolerance_;
    std::snprintf(
        result.environment, sizeof result.environment, "c++ (%.60s), onnxruntime %.20s", kCompiler, version_.c_str());
    return result;
}

modelyard_bench_result Model::bench(const std::string& path, int num_runs) const {
    const std::string sample = path.empty() ? golden().at("samples").items()[0].at("file").text() : "";
    const auto file = path.empty() ? folder_ / "samples" / std::filesystem::u8path(sample) : std::filesystem::u8path(path);
    const std::string bytes = file_bytes(file, items_->unreadable());
    std::vector<double> decoding, predicting, both;
    for (int run = 0; run < num_runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const Item item = decode(bytes);
        decoding.push_back(milliseconds_since(start));
        encode(predict(item), item, -1.0, 0);
        both.push_back(milliseconds_since(start));
        predicting.push_back(both.back() - decoding.back());
    }
    return modelyard_bench_result{num_runs, quantile(decoding, 0.5), quantile(predicting, 0.5), quantile(both, 0.95)};
}

}  // namespace modelyard

// The models of tokenizer.json: vocabularies, and the way in which a word is found in them.
#include "fault.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace modelyard {

void expect(bool is_right, const std::string& otherwise) {
    if (!is_right) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the tokenizer: " + otherwise);
}

namespace {

using Vocabulary = std::unordered_map<std::string, std::int64_t>;

void expect_none(const Json& spec, const std::string& key) {
    const Json* value = spec.find(key);
    expect(!value || value->is_null() || (value->is_text() && value->text().empty()), "this library knows no " + key);
}

Vocabulary vocabulary_of(const Json& spec) {
    Vocabulary ids;
    for (const auto& [piece, id] : spec.at("vocab").fields()) ids[piece] = id.whole();
    return ids;
}

// A word in UTF-8, and where its characters begin; behind the last one: its length.
struct WordBytes {
    explicit WordBytes(const std::u32string& word) {
        for (const char32_t sign : word) {
            begins.push_back(text.size());
            utf8_append(text, sign);
        }
        begins.push_back(text.size());
    }

    std::string text;
    std::vector<std::size_t> begins;
};

// The longest piece from the left, then the longest from its end on (Wu et al. 2016). A word that does not come out is unknown as a whole.
class WordPieces final : public Pieces {
  public:
    explicit WordPieces(const Json& spec)
        : ids_(vocabulary_of(spec)), prefix_(spec.at("continuing_subword_prefix").text()),
          longest_(static_cast<std::size_t>(spec.at("max_input_chars_per_word").whole())) {
        const auto unknown = ids_.find(spec.at("unk_token").text());
        expect(unknown != ids_.end(), "the unknown word has no id");
        unknown_ = unknown->second;
    }

    void append(const std::u32string& word, std::vector<std::int64_t>& ids) const override {
        const std::size_t before = ids.size();
        const WordBytes bytes(word);
        for (std::size_t first = 0, end = 0; first < word.size() && word.size() <= longest_; first = end) {
            auto found = ids_.end();
            for (end = word.size(); end > first && found == ids_.end();) {
                const std::string piece = bytes.text.substr(bytes.begins[first], bytes.begins[end] - bytes.begins[first]);
                found = ids_.find(first ? prefix_ + piece : piece);
                if (found == ids_.end()) --end;
            }
            if (found == ids_.end()) {
                ids.resize(before);
                break;
            }
            ids.push_back(found->second);
        }
        if (ids.size() == before) ids.push_back(unknown_);
    }

  private:
    Vocabulary ids_;
    std::string prefix_;
    std::size_t longest_;
    std::int64_t unknown_ = 0;
};

// Byte pair encoding that merges nothing: its pieces are characters.
class Characters final : public Pieces {
  public:
    explicit Characters(const Json& spec) {
        expect(spec.at("merges").items().empty(), "this library merges no pairs");
        expect(!spec.at("byte_fallback").is_true() && !spec.at("fuse_unk").is_true(), "this library knows no byte_fallback and no fuse_unk");
        expect_none(spec, "continuing_subword_prefix");
        expect_none(spec, "end_of_word_suffix");
        const Vocabulary ids = vocabulary_of(spec);
        for (const auto& [piece, id] : ids) {
            const std::u32string signs = utf8_read(piece);
            if (signs.size() == 1) ids_[signs[0]] = id;
        }
        const auto unknown = ids.find(spec.at("unk_token").text());
        expect(unknown != ids.end(), "the unknown character has no id");
        unknown_ = unknown->second;
    }

    void append(const std::u32string& word, std::vector<std::int64_t>& ids) const override {
        for (const char32_t sign : word) {
            const auto found = ids_.find(sign);
            ids.push_back(found == ids_.end() ? unknown_ : found->second);
        }
    }

  private:
    std::unordered_map<char32_t, std::int64_t> ids_;
    std::int64_t unknown_ = 0;
};

// The likeliest pieces (Kudo 2018), by Viterbi's algorithm. Unknown characters in a row are one piece.
class Unigrams final : public Pieces {
  public:
    explicit Unigrams(const Json& spec) : unknown_(spec.at("unk_id").whole()) {
        expect(!spec.at("byte_fallback").is_true(), "this library knows no byte_fallback");
        double lowest = 0;
        for (const Json& each : spec.at("vocab").items()) {
            expect(each.items().size() == 2, "a piece is a text and a number");
            const std::string& piece = each.items()[0].text();
            const double score = each.items()[1].number();
            ids_[piece] = static_cast<std::int64_t>(scores_.size());
            lowest = scores_.empty() ? score : std::min(lowest, score);
            scores_.push_back(score);
            longest_ = std::max(longest_, utf8_read(piece).size());
        }
        expect(unknown_ >= 0 && static_cast<std::size_t>(unknown_) < scores_.size(), "the unknown piece has no id");
        unknown_score_ = lowest - kUnknown;
    }

    void append(const std::u32string& word, std::vector<std::int64_t>& ids) const override {
        const WordBytes bytes(word);
        const std::vector<Step> best = steps(bytes, word.size());
        std::vector<std::int64_t> found;
        std::size_t unknown_end = 0;  // of unknown characters in a row; 0: there are none
        const auto close = [&](std::size_t begin) {
            if (unknown_end) found.push_back(id_of(bytes, begin, unknown_end));
            unknown_end = 0;
        };
        for (std::size_t end = word.size(); end > 0; end = best[end].begin) {
            if (best[end].id == unknown_) {
                if (!unknown_end) unknown_end = end;
                continue;
            }
            close(end);
            found.push_back(best[end].id);
        }
        close(0);
        ids.insert(ids.end(), found.rbegin(), found.rend());
    }

  private:
    static constexpr double kUnknown = 10.0;  // how much less than the unlikeliest piece

    // The best way to a place: the last piece on it.
    struct Step {
        double score = 0;
        std::size_t begin = 0;
        std::int64_t id = 0;
        bool is_reached = false;

        void take(double other, std::size_t from, std::int64_t piece) {
            if (is_reached && !(other > score)) return;
            *this = Step{other, from, piece, true};
        }
    };

    std::vector<Step> steps(const WordBytes& bytes, std::size_t length) const {
        std::vector<Step> best(length + 1);
        std::string piece;
        for (std::size_t begin = 0; begin < length; ++begin) {
            bool is_known = false;
            const std::size_t most = std::min(length, begin + longest_);
            for (std::size_t end = begin + 1; end <= most; ++end) {
                piece.assign(bytes.text, bytes.begins[begin], bytes.begins[end] - bytes.begins[begin]);
                const auto found = ids_.find(piece);
                if (found == ids_.end()) continue;
                best[end].take(scores_[static_cast<std::size_t>(found->second)] + best[begin].score, begin, found->second);
                is_known = is_known || end == begin + 1;
            }
            if (!is_known) best[begin + 1].take(unknown_score_ + best[begin].score, begin, unknown_);
        }
        return best;
    }

    std::int64_t id_of(const WordBytes& bytes, std::size_t begin, std::size_t end) const {
        const auto found = ids_.find(bytes.text.substr(bytes.begins[begin], bytes.begins[end] - bytes.begins[begin]));
        return found == ids_.end() ? unknown_ : found->second;
    }

    std::int64_t unknown_;
    Vocabulary ids_;
    std::vector<double> scores_;
    std::size_t longest_ = 0;
    double unknown_score_ = 0;
};

template <typename Kind>
std::unique_ptr<Pieces> made(const Json& spec) {
    return std::make_unique<Kind>(spec);
}

}  // namespace

std::unique_ptr<Pieces> pieces_of(const Json& spec) {
    using Maker = std::unique_ptr<Pieces> (*)(const Json&);
    static const std::map<std::string, Maker> makers{{"WordPiece", made<WordPieces>}, {"BPE", made<Characters>}, {"Unigram", made<Unigrams>}};
    const std::string& type = spec.at("type").text();
    const auto maker = makers.find(type);
    if (maker == makers.end()) throw Fault(MODELYARD_ARTEFACT_UNREADABLE, "the tokenizer: this library knows no model " + type);
    return maker->second(spec);
}

}  // namespace modelyard

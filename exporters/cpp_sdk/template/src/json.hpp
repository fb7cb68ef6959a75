// Reads JSON files: what the model says of itself, and its golden samples.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace modelyard {

class Json {
  public:
    // Throws Fault (MODELYARD_ARTEFACT_UNREADABLE) where the text is not JSON; so do the functions below for another type.
    static Json read(const std::string& text);

    bool is_null() const { return kind_ == Kind::null; }
    bool is_text() const { return kind_ == Kind::text; }
    bool is_true() const;  // of true and false
    const Json& at(const std::string& key) const;
    const Json* find(const std::string& key) const;
    double number() const;
    int whole() const;
    const std::string& text() const;
    const std::vector<Json>& items() const;
    const std::vector<std::pair<std::string, Json>>& fields() const;

  private:
    friend class JsonReader;
    enum class Kind { null, boolean, number, text, list, object };
    Kind kind_ = Kind::null;
    double number_ = 0;
    std::string text_;
    std::vector<Json> items_;
    std::vector<std::pair<std::string, Json>> fields_;
};

}  // namespace modelyard

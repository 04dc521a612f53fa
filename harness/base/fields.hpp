// Structs as JSON. What a struct holds is listed once, in a function next to it:
//
//   void fields(auto& visit, Of<Verification> auto& one) {
//     visit(FIELD(metric), "unit of the error");
//     visit(FIELD(max_error));
//   }
//
// FieldReader fills it from JSON and refuses what does not fit, FieldWriter makes JSON of it,
// SchemaWriter its JSON Schema. Types say what a value may be: std::optional may be null, an
// enumeration is a text among those that `names_of` lists, std::size_t is not negative. A field
// that version 1 of a format did not have from the first day is `visit.later(…)`: it keeps its
// default where it is missing. `visit.maybe(…)` is written only where it has a value. Keys that no
// field is of are left out, unless `visit.keep(…)` at the end takes the object as it was read, from
// which they are written again.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/names.hpp"
#include "harness/base/printable.hpp"
#include "harness/base/reason.hpp"

namespace bench {

/// A place in a result file. Becomes text only where there is something to say of
/// it.
class Where {
 public:
  /// A whole one, with what it says of its sentences.
  explicit Where(const Explanations* reasons = nullptr) : reasons_(reasons) {}
  Where(const Where& parent, std::string_view key) : parent_(&parent), key_(key) {}
  Where(const Where& parent, std::size_t index) : parent_(&parent), index_(index) {}

  /// `/cases/3/seconds`
  std::string text() const {
    if (parent_ == nullptr) return "";
    const std::string last = key_.empty() ? std::to_string(index_) : std::string(key_);
    return parent_->text() + "/" + last;
  }
  /// The sentence of this file, as the file explains it.
  Reason reason(const std::string& sentence) const {
    if (parent_ != nullptr) return parent_->reason(sentence);
    return reasons_ == nullptr ? Reason(sentence) : explained(sentence, *reasons_);
  }

 private:
  const Explanations* reasons_ = nullptr;
  const Where* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

/// JSON that does not describe such a struct; what() names the place: `/cases/3/seconds/median is
/// not a number`.
struct Misfit : std::runtime_error {
  Misfit(const Where& where, const std::string& what)
      : std::runtime_error(where.text() + " " + what) {}
};

/// A struct to be filled, or one to be written.
template <class T, class Struct>
concept Of = std::same_as<std::remove_const_t<T>, Struct>;

/// A member of `one`, whose key is its name.
#define FIELD(member) #member, one.member

/// Numbers above zero; lists of them that are not empty.
struct Positive {};
constexpr Positive positive;

/// What readers of a schema should know of a field, and what it may be beyond its type.
struct About {
  constexpr About(const char* what = "") : text(what) {}
  constexpr About(const char* what, Positive) : text(what), above_zero(true) {}
  constexpr About(const char* what, const char* regex) : text(what), pattern(regex) {}

  const char* text;
  bool above_zero = false;
  const char* pattern = nullptr;  ///< of a text; only schemas say it
};

/// The part of a struct that it has from one of its bases.
template <class Part>
const Part& part_of(const Part& whole) {
  return whole;
}
template <class Part>
Part& part_of(Part& whole) {
  return whole;
}

class FieldReader;
class FieldWriter;
class SchemaWriter;

template <class T>
concept HasFields = requires(FieldReader& visit, T& value) {
  fields(visit, value);
};

// ---- reading ----

inline void read(const Json& json, const Where& where, bool& value) {
  if (!json.is_boolean()) throw Misfit(where, "is not true or false");
  value = json.get<bool>();
}

inline void read(const Json& json, const Where& where, std::string& value) {
  if (!json.is_string()) throw Misfit(where, "is not text");
  value = printable(json.get_ref<const std::string&>());
}

inline void read(const Json& json, const Where& where, Reason& value) {
  std::string sentence;
  read(json, where, sentence);
  value = where.reason(sentence);
}

inline void read(const Json& json, const Where& where, double& value) {
  // What is larger overflows in the next sum.
  constexpr double most = 1e300;
  if (!json.is_number()) throw Misfit(where, "is not a number");
  value = json.get<double>();
  if (!(std::abs(value) < most)) throw Misfit(where, "is too large a number");
}

template <std::integral T>
void read(const Json& json, const Where& where, T& value) {
  // 1.0 is written by programs that have one kind of numbers only.
  constexpr double countable = 9e15;
  if (!json.is_number() || json.get<double>() != std::floor(json.get<double>())) {
    throw Misfit(where, "is not a whole number");
  }
  const double number = json.get<double>();
  if (number < 0 && std::unsigned_integral<T>) throw Misfit(where, "is negative");
  if (std::abs(number) > std::min(countable, static_cast<double>(std::numeric_limits<T>::max()))) {
    throw Misfit(where, "is too large a number");
  }
  value = static_cast<T>(number);
}

template <Named E>
void read(const Json& json, const Where& where, E& value) {
  const auto found =
      json.is_string() ? value_named<E>(json.get_ref<const std::string&>()) : std::optional<E>{};
  if (!found) throw Misfit(where, "is none of " + all_names<E>());
  value = *found;
}

/// Anything: what is kept as it is.
inline void read(const Json& json, const Where& /*where*/, Json& value) { value = json; }

template <HasFields T>
void read(const Json& json, const Where& where, T& value);

template <class T>
void read(const Json& json, const Where& where, std::optional<T>& value) {
  value.reset();
  if (!json.is_null()) read(json, where, value.emplace());
}

template <class T>
void read(const Json& json, const Where& where, std::vector<T>& values) {
  if (!json.is_array()) throw Misfit(where, "is not a list");
  values.clear();
  values.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    read(json[i], Where(where, i), values.emplace_back());
  }
}

template <class T, std::size_t N>
void read(const Json& json, const Where& where, std::array<T, N>& values) {
  if (!json.is_array() || json.size() != N) {
    throw Misfit(where, fmt::format("is not a list of {}", N));
  }
  for (std::size_t i = 0; i < N; ++i) read(json[i], Where(where, i), values[i]);
}

template <class T>
void read(const Json& json, const Where& where, std::map<std::string, T>& values) {
  if (!json.is_object()) throw Misfit(where, "is not an object");
  values.clear();
  for (const auto& [key, value] : json.items())
    read(value, Where(where, key), values[printable(key)]);
}

template <class T>
void require_positive(const T& value, const Where& where) {
  if constexpr (requires { value.has_value(); }) {
    if (value) require_positive(*value, where);
  } else if constexpr (requires { value.front(); }) {
    if (value.empty()) throw Misfit(where, "is empty");
    for (std::size_t i = 0; i < value.size(); ++i) require_positive(value[i], Where(where, i));
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (!(value > 0)) throw Misfit(where, "is not above zero");
  }
}

/// Fills the fields of a struct from an object.
class FieldReader {
 public:
  FieldReader(const Json& object, const Where& where) : object_(object), where_(where) {
    if (!object.is_object()) throw Misfit(where_, "is not an object");
  }

  template <class T>
  void operator()(const char* key, T& value, const About& about = {}) const {
    if (!object_.contains(key)) throw Misfit(Where(where_, key), "is missing");
    later(key, value, about);
  }
  template <class T>
  void later(const char* key, T& value, const About& about = {}) const {
    const auto found = object_.find(key);
    if (found == object_.end()) return;
    const Where where(where_, key);
    read(*found, where, value);
    if (about.above_zero) require_positive(value, where);
  }
  template <class T>
  void maybe(const char* key, std::optional<T>& value, const About& about = {}) const {
    later(key, value, about);
  }
  /// All keys that begin with `prefix`, by the rest of the key.
  template <class T>
  void each(const std::string& prefix, std::map<std::string, T>& values,
            const About& /*about*/) const {
    values.clear();
    for (const auto& [key, value] : object_.items()) {
      if (!key.starts_with(prefix)) continue;
      read(value, Where(where_, key), values[key.substr(prefix.size())]);
    }
  }
  void keep(Json& recorded) const { recorded = object_; }

 private:
  const Json& object_;
  const Where& where_;
};

template <HasFields T>
void read(const Json& json, const Where& where, T& value) {
  FieldReader reader(json, where);
  fields(reader, value);
}

/// A whole one. Throws Misfit.
template <class T>
T read_as(const Json& json) {
  T value;
  read(json, Where(), value);
  return value;
}

// ---- writing ----

inline Json written(bool value) { return value; }
inline Json written(const std::string& value) { return value; }
inline Json written(const Reason& value) { return value.text; }
/// JSON has no NaN and no infinity: null stands for them.
inline Json written(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
template <std::integral T>
Json written(T value) {
  return value;
}
template <Named E>
Json written(E value) {
  return std::string(name_of(value));
}
inline Json written(const Json& value) { return value; }

template <HasFields T>
Json written(const T& value);

template <class T>
Json written(const std::optional<T>& value) {
  return value ? written(*value) : Json(nullptr);
}
template <class T>
Json written_list(const T& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(written(value));
  return list;
}
template <class T>
Json written(const std::vector<T>& values) {
  return written_list(values);
}
template <class T, std::size_t N>
Json written(const std::array<T, N>& values) {
  return written_list(values);
}
template <class T>
Json written(const std::map<std::string, T>& values) {
  Json object = Json::object();
  for (const auto& [key, value] : values) object[key] = written(value);
  return object;
}

/// Adds what `from` has and `into` has not, in the objects and lists within it too.
inline void add_missing(Json& into, const Json& from) {
  if (into.is_object() && from.is_object()) {
    for (const auto& [key, value] : from.items()) {
      if (into.contains(key)) {
        add_missing(into[key], value);
      } else {
        into[key] = value;
      }
    }
  } else if (into.is_array() && from.is_array() && into.size() == from.size()) {
    for (std::size_t i = 0; i < from.size(); ++i) add_missing(into[i], from[i]);
  }
}

class FieldWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value, const About& /*about*/ = {}) {
    object_[key] = written(value);
  }
  template <class T>
  void later(const char* key, const T& value, const About& /*about*/ = {}) {
    (*this)(key, value);
  }
  /// A key that is there only where it has a value.
  template <class T>
  void maybe(const char* key, const std::optional<T>& value, const About& /*about*/ = {}) {
    if (value) (*this)(key, *value);
  }
  template <class T>
  void each(const std::string& prefix, const std::map<std::string, T>& values,
            const About& /*about*/) {
    for (const auto& [key, value] : values) object_[prefix + key] = written(value);
  }
  /// A field that was absent when read, and is not known now either, stays absent.
  void keep(const Json& recorded) {
    if (!recorded.is_object()) return;
    Json kept = Json::object();
    for (const auto& [key, value] : object_.items()) {
      if (!value.is_null() || recorded.contains(key)) kept[key] = value;
    }
    object_ = std::move(kept);
    add_missing(object_, recorded);
  }
  Json object() && { return std::move(object_); }

 private:
  Json object_ = Json::object();
};

template <HasFields T>
Json written(const T& value) {
  FieldWriter writer;
  fields(writer, value);
  return std::move(writer).object();
}

// ---- describing ----

inline Json schema_of(const bool*) { return {{"type", "boolean"}}; }
inline Json schema_of(const std::string*) { return {{"type", "string"}}; }
inline Json schema_of(const Reason*) { return {{"type", "string"}}; }
inline Json schema_of(const double*) { return {{"type", "number"}}; }
inline Json schema_of(const Json*) { return Json::object(); }
template <std::integral T>
Json schema_of(const T*) {
  Json schema{{"type", "integer"}};
  if (std::unsigned_integral<T>) schema["minimum"] = 0;
  return schema;
}
template <Named E>
Json schema_of(const E*) {
  Json texts = Json::array();
  for (const auto& entry : NamesOf<E>::all) texts.push_back(std::string(entry.second));
  return {{"enum", texts}};
}
template <HasFields T>
Json schema_of(const T*);
template <class T>
Json schema_of(const std::vector<T>*);
template <class T, std::size_t N>
Json schema_of(const std::array<T, N>*);
template <class T>
Json schema_of(const std::optional<T>*) {
  Json schema = schema_of(static_cast<const T*>(nullptr));
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
  if (schema.contains("type")) schema["type"] = Json::array({schema["type"], "null"});
  return schema;
}
template <class T>
Json schema_of(const std::vector<T>*) {
  return {{"type", "array"}, {"items", schema_of(static_cast<const T*>(nullptr))}};
}
template <class T, std::size_t N>
Json schema_of(const std::array<T, N>*) {
  return {{"type", "array"},
          {"items", schema_of(static_cast<const T*>(nullptr))},
          {"minItems", N},
          {"maxItems", N}};
}
template <class T>
Json schema_of(const std::map<std::string, T>*) {
  return {{"type", "object"}, {"additionalProperties", schema_of(static_cast<const T*>(nullptr))}};
}

/// What a field may be beyond its type, in the schema of its value.
inline void require_positive(Json& schema) {
  if (schema.contains("items")) {
    schema["minItems"] = 1;
    require_positive(schema["items"]);
  } else {
    const Json& type = schema["type"].is_array() ? schema["type"].front() : schema["type"];
    const bool whole = type == "integer";
    schema[whole ? "minimum" : "exclusiveMinimum"] = whole ? 1 : 0;
  }
}

class SchemaWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value, const About& about = {}) {
    required_.push_back(key);
    later(key, value, about);
  }
  template <class T>
  void later(const char* key, const T& /*value*/, const About& about = {}) {
    properties_[key] = described(schema_of(static_cast<const T*>(nullptr)), about);
  }
  template <class T>
  void maybe(const char* key, const std::optional<T>& /*value*/, const About& about = {}) {
    properties_[key] = described(schema_of(static_cast<const T*>(nullptr)), about);
  }
  template <class T>
  void each(const std::string& prefix, const std::map<std::string, T>& /*values*/,
            const About& about) {
    patterns_["^" + prefix] = described(schema_of(static_cast<const T*>(nullptr)), about);
  }
  void keep(const Json& /*recorded*/) { only_these_ = false; }
  Json schema() && {
    Json schema{{"type", "object"}, {"properties", properties_}};
    if (!patterns_.empty()) schema["patternProperties"] = patterns_;
    if (!required_.empty()) schema["required"] = required_;
    schema["additionalProperties"] = !only_these_;
    return schema;
  }

 private:
  static Json described(Json schema, const About& about) {
    if (about.above_zero) require_positive(schema);
    if (about.pattern != nullptr) schema["pattern"] = about.pattern;
    if (about.text[0] != '\0') schema["description"] = about.text;
    return schema;
  }

  Json patterns_ = Json::object();
  Json properties_ = Json::object();
  Json required_ = Json::array();
  bool only_these_ = true;
};

template <HasFields T>
Json schema_of(const T*) {
  SchemaWriter writer;
  T value{};
  fields(writer, value);
  return std::move(writer).schema();
}

void fields(auto& visit, Of<Explanation> auto& one) {
  visit(FIELD(key), "names the sentence in harness/words/phrases/en.json");
  visit(FIELD(values), "the values of {0}, {1} and so on: figures, names, or other reasons");
}

}  // namespace bench

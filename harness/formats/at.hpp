// A value in the JSON of another program: keys that are not there read as nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/fields.hpp"
#include "harness/formats/foreign.hpp"

namespace bench {

/// A place in a file. Its values throw Misfit, which names the place, where they have another type.
class At {
 public:
  explicit At(const Json& json) : At(&json, "") {}

  At operator[](const char* key) const {
    const bool there = json_ != nullptr && json_->is_object() && json_->contains(key);
    return {there ? &json_->at(key) : nullptr, path_ + "/" + key};
  }
  /// Nothing where it is not there, or null.
  template <class T>
  std::optional<T> maybe() const {
    if (json_ == nullptr || json_->is_null()) return {};
    T value{};
    read(*json_, where(), value);
    return value;
  }
  std::string text() const { return maybe<std::string>().value_or(""); }
  /// The numbers of a list; none where it is not there.
  std::vector<double> numbers() const {
    return maybe<std::vector<double>>().value_or(std::vector<double>{});
  }
  /// A number, or the text of one.
  double number() const {
    const auto number = number_in(as_text());
    if (!number) wrong("is not a number");
    return *number;
  }
  /// A text as it is, anything else as JSON has it; empty where it is not there.
  std::string as_text() const {
    if (json_ == nullptr || json_->is_null()) return {};
    return printable(json_->is_string() ? json_->get<std::string>() : json_->dump());
  }
  /// The elements of a list; none where it is not there.
  std::vector<At> list() const {
    std::vector<At> all;
    if (json_ == nullptr || json_->is_null()) return all;
    if (!json_->is_array()) wrong("is not a list");
    for (std::size_t i = 0; i < json_->size(); ++i) {
      all.push_back({&(*json_)[i], path_ + "/" + std::to_string(i)});
    }
    return all;
  }
  /// The keys of an object; none where it is not there.
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    if (json_ == nullptr || !json_->is_object()) return all;
    for (const auto& item : json_->items()) all.push_back(item.key());
    return all;
  }
  /// The seconds of this unit of time, `otherwise` where it is not there.
  double unit(const char* otherwise) const {
    const auto seconds = seconds_of(maybe<std::string>().value_or(otherwise));
    if (!seconds) wrong("is not a unit of time");
    return *seconds;
  }
  [[noreturn]] void wrong(const std::string& what) const { throw Misfit(where(), what); }

 private:
  At(const Json* json, std::string path) : json_(json), path_(std::move(path)) {}
  Where where() const {
    static const Where root;
    return path_.empty() ? root : Where(root, std::string_view(path_).substr(1));
  }

  const Json* json_;
  std::string path_;
};

}  // namespace bench

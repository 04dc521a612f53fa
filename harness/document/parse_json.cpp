#include "harness/document/parse_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"

namespace bench {
namespace {

/// Makes values of what the parser sees on its way. Those of an open list or object wait together,
/// so that it is made once, in its size.
class Builder {
 public:
  explicit Builder(std::span<const std::string_view> wanted) : wanted_(wanted) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string& /*text*/) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  static bool binary(Json::binary_t& /*value*/) { return false; }  // not in a text
  bool start_array(std::size_t /*unknown*/) { return open(); }
  bool start_object(std::size_t /*unknown*/) { return open(); }

  bool key(std::string& name) {
    if (!is_new(std::hash<std::string>()(name)) && twice_.empty()) twice_ = name;
    const auto is_wanted = [&] {
      return wanted_.empty() || std::find(wanted_.begin(), wanted_.end(), name) != wanted_.end();
    };
    if (open_.size() == 1) open_.back().kept = is_wanted();
    key_ = std::move(name);
    return true;
  }

  bool end_array() {
    Json::array_t list;
    close([&](std::size_t count) { list.reserve(count); },
          [&](Member& one) { list.push_back(std::move(one.second)); });
    return put(std::move(list));
  }

  bool end_object() {
    Json::object_t object;
    keys_.resize(open_.back().first_key);
    close([&](std::size_t count) { object.reserve(count); },
          [&](Member& one) { object.emplace_back(std::move(one.first), std::move(one.second)); });
    return put(std::move(object));
  }

  bool parse_error(std::size_t byte, const std::string& /*token*/, const Json::exception& error) {
    constexpr int number_overflow = 406;
    too_large_ = error.id == number_overflow;
    wrong_byte_ = byte;
    return false;
  }

  bool too_deep() const { return too_deep_; }
  bool too_large() const { return too_large_; }
  std::size_t wrong_byte() const { return wrong_byte_; }
  const std::string& twice() const { return twice_; }
  Json whole() && { return std::move(values_.front().second); }

 private:
  static constexpr std::size_t deepest = 32;  // result files have eight levels

  using Member = std::pair<std::string, Json>;

  /// A list or object that has not ended.
  struct Level {
    std::string key;  ///< of itself
    std::size_t first_value;
    std::size_t first_key;
    bool kept;
    std::unordered_set<std::size_t> many{};  ///< its keys, where they are not few
  };

  /// Keys by their hashes, as of most objects nothing else is kept.
  bool is_new(std::size_t hash) {
    constexpr std::ptrdiff_t few = 32;
    Level& level = open_.back();
    const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(level.first_key);
    if (keys_.end() - first < few) {
      const bool is_new = std::find(first, keys_.end(), hash) == keys_.end();
      keys_.push_back(hash);
      return is_new;
    }
    if (level.many.empty()) level.many.insert(first, keys_.end());
    return level.many.insert(hash).second;
  }

  bool kept() const { return open_.empty() || open_.back().kept; }

  template <class Value>
  bool put(Value&& value) {
    if (kept()) values_.emplace_back(std::move(key_), std::forward<Value>(value));
    return true;
  }

  bool open() {
    too_deep_ = open_.size() == deepest;
    const bool is_kept = kept();
    open_.push_back({std::move(key_), values_.size(), keys_.size(), is_kept});
    return !too_deep_;
  }

  template <class Reserve, class Add>
  void close(Reserve reserve, Add add) {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(open_.back().first_value);
    reserve(static_cast<std::size_t>(values_.end() - first));
    std::for_each(first, values_.end(), add);
    values_.erase(first, values_.end());
    key_ = std::move(open_.back().key);
    open_.pop_back();
  }

  std::span<const std::string_view> wanted_;
  std::string key_;  ///< of the next value
  std::vector<Member> values_;
  std::vector<std::size_t> keys_;
  std::vector<Level> open_;
  std::string twice_;
  bool too_deep_ = false;
  bool too_large_ = false;
  std::size_t wrong_byte_ = 0;
};

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", name, why));
}

}  // namespace

Json parse_json(std::string_view text, const std::string& name,
                std::span<const std::string_view> wanted) {
  if (text.empty()) refuse(name, "is empty");
  if (text.starts_with("\x1f\x8b")) refuse(name, "is compressed: unpack it with gunzip");
  if (is_utf16(text)) refuse(name, "is in UTF-16: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
  if (text.find('\0') != std::string_view::npos) {  // where the parser would end
    refuse(name, "is not JSON: it holds zero bytes, as a crash of the file system leaves them");
  }
  Builder builder(wanted);
  if (!Json::sax_parse(text, &builder)) {
    if (builder.too_deep()) refuse(name, "is nested too deeply for a result file");
    if (builder.too_large()) refuse(name, "holds a number that is too large");
    if (builder.wrong_byte() >= text.size()) {
      refuse(name, "ends in the middle: was it cut off while it was copied?");
    }
    refuse(name, fmt::format("is not JSON: byte {} does not fit", builder.wrong_byte()));
  }
  if (!builder.twice().empty()) {
    const std::string key = builder.twice().substr(0, 40);
    refuse(name, fmt::format("damaged: the key '{}' is there twice", key));
  }
  return std::move(builder).whole();
}

}  // namespace bench

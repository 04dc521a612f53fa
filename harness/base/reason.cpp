#include "harness/base/reason.hpp"

#include <fmt/args.h>

#include <mutex>

namespace bench {
namespace {

/// Sentences go through exceptions, pipes and files as text, by which they are found again here.
struct Known {
  std::mutex mutex;
  Reasons all;
};

Known& known() {
  static Known one;
  return one;
}

}  // namespace

namespace reason {

std::string sentence(const ReasonText& text, std::vector<std::string> values) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const std::string& value : values) arguments.push_back(value);
  std::string sentence = fmt::vformat(text.english, arguments);
  remember({{sentence, {std::string(text.key), std::move(values)}}});
  return sentence;
}

}  // namespace reason

Reasons known_reasons() {
  const std::lock_guard lock(known().mutex);
  return known().all;
}

std::optional<Reason> known_reason(const std::string& sentence) {
  const std::lock_guard lock(known().mutex);
  const auto found = known().all.find(sentence);
  return found == known().all.end() ? std::nullopt : std::optional(found->second);
}

bool is(const std::string& sentence, const ReasonText& text) {
  const auto reason = known_reason(sentence);
  return reason && reason->key == text.key;
}

void remember(const Reasons& reasons) {
  const std::lock_guard lock(known().mutex);
  known().all.insert(reasons.begin(), reasons.end());
}

}  // namespace bench

#include "harness/base/reason.hpp"

#include <fmt/args.h>

namespace bench {
namespace {

/// Values are in the sentence, each in its place, and so are shorter than it: a file that says
/// something else would have no end.
bool fits(const std::string& sentence, const Explanation& one) {
  std::size_t length = one.values.size();
  for (const std::string& value : one.values) length += value.size();
  return length <= sentence.size();
}

}  // namespace

Reason::Reason(const ReasonText& one, std::vector<Reason> of)
    : key(one.key), values(std::move(of)) {
  fmt::dynamic_format_arg_store<fmt::format_context> arguments;
  for (const Reason& value : values) arguments.push_back(value.text);
  text = fmt::vformat(one.english, arguments);
}

Reason reason_of(const std::exception& error) {
  const auto* const known = dynamic_cast<const ReasonError*>(&error);
  return known == nullptr ? Reason(error.what()) : known->reason;
}

Reason explained(const std::string& sentence, const Explanations& all, unsigned deepest) {
  Reason reason(sentence);
  const auto found = all.find(sentence);
  if (deepest == 0 || found == all.end() || !fits(sentence, found->second)) return reason;
  reason.key = found->second.key;
  for (const std::string& value : found->second.values) {
    reason.values.push_back(explained(value, all, deepest - 1));
  }
  return reason;
}

void add_explanations(const Reason& sentence, Explanations& all) {
  if (sentence.key.empty()) return;
  Explanation one{sentence.key, {}};
  for (const Reason& value : sentence.values) {
    one.values.push_back(value.text);
    add_explanations(value, all);
  }
  const auto [known, is_new] = all.emplace(sentence.text, one);
  // Files that were merged may explain it in two ways.
  const bool same = known->second.key == one.key && known->second.values == one.values;
  if (!is_new && !same) known->second = {};
}

}  // namespace bench

#include "harness/command/command.hpp"

#include <algorithm>

namespace bench {

const Command* command_named(const std::string& word) {
  const auto all = all_commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command& one) {
    return one.facts.name == word || (!word.empty() && one.facts.alias == word);
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> names_of_commands() {
  std::vector<std::string> names;
  for (const auto& [facts, declare, needs_team] : all_commands()) {
    names.push_back(facts.name);
    if (!facts.alias.empty()) names.push_back(facts.alias);
  }
  return names;
}

}  // namespace bench

#include "harness/command/unknown_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/base/suggest.hpp"
#include "harness/command/command.hpp"

namespace bench {
namespace {

/// Words that are commands of other programs.
struct Remedy {
  std::string_view word;
  std::string_view remedy;
};

constexpr Remedy remedies[] = {
    {"version", "use bench --version"},
    {"test", "to check results: bench verify"},
    {"info", "to check this node: bench doctor"},
    {"show", "to show a result file: bench table FILE"},
    {"export", "to export a result file: bench table FILE --format csv"},
    {"diff", "to compare two result files: bench compare BEFORE.json AFTER.json"},
    {"ls", "to list workloads: bench list"},
    {"all", "to measure all workloads: bench '*'"},
    {"everything", "to measure all workloads: bench '*'"},
};

/// What takes a file of that kind; empty where the word is not a file.
std::string remedy_of_file(const std::string& word) {
  const std::string kind = std::filesystem::path(word).extension();
  if (kind == ".json") return fmt::format("to show a result file: bench table {}", word);
  if (kind == ".npy") return fmt::format("to use a file as input: bench WORKLOAD --input {}", word);
  for (const char* const source : {".cpp", ".cc", ".cxx", ".c", ".cu", ".hip", ".py", ".so"}) {
    if (kind == source) return fmt::format("to measure a file: bench try {}", word);
  }
  std::error_code none;
  return std::filesystem::is_regular_file(word, none)
             ? fmt::format("to measure a file: bench try {}", word)
             : "";
}

}  // namespace

std::string explained(const UnknownFilter& error) {
  const std::string& word = error.filter;
  const std::string of_file = remedy_of_file(word);
  if (!of_file.empty()) return fmt::format("'{}' is not a workload; {}", word, of_file);
  const std::vector<std::string> commands = names_of_commands();
  std::vector<std::string> all = error.names;
  all.insert(all.end(), commands.begin(), commands.end());
  const std::string near = nearest(word, all);
  if (std::find(commands.begin(), commands.end(), near) != commands.end()) {
    return fmt::format("unknown command or workload '{}'; did you mean bench {}?", word, near);
  }
  for (const Remedy& one : remedies) {
    if (one.word == word) {
      return fmt::format("'{}' is not a command or a workload; {}", word, one.remedy);
    }
  }
  return error.what();
}

}  // namespace bench

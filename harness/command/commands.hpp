// What the program says of its commands: the one place for their help, the documentation and the
// completion.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct CommandFacts {
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  std::string name;
  std::string alias;       ///< empty where it has none
  std::string section;     ///< of the program's help
  std::string summary;     ///< one line there
  std::string text;        ///< one or two sentences for its own help
  Pairs examples;          ///< commands as typed, and what they do
  Pairs exit_codes;        ///< those that mean something of their own
  bool in_python = false;  ///< of the package bench_hpc, which knows its options
};

/// In the order of the program's help; the first one is the default.
std::span<const CommandFacts> all_commands();

/// Of a command that there is.
const CommandFacts& facts_of_command(const std::string& name);

/// All of them, with their aliases.
std::vector<std::string> names_of_commands();

/// What the program's own help says.
extern const char* const program_text;
const CommandFacts::Pairs& program_examples();
const CommandFacts::Pairs& program_exit_codes();

}  // namespace bench

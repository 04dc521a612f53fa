// Help of commands: one structure, made from the command-line library and the facts of commands,
// shown as text or as JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/command/commands.hpp"

namespace CLI {
class App;
}

namespace bench {

constexpr const char* help_flag_text = "print this help; -h: what most people need of it";

struct OptionHelp {
  std::vector<std::string> names;  ///< `--size`; of words without an option `FILTER...`
  std::string value;               ///< what follows, `SIZE`; empty for flags
  std::string by_default;          ///< empty where it has none
  std::string text;
};

struct OptionGroup {
  std::string title;
  std::vector<OptionHelp> options;
};

struct CommandHelp {
  CommandFacts facts;
  std::string usage;
  std::vector<OptionGroup> groups;
};

/// Of a command, whose options are in it.
CommandHelp command_help(const CLI::App& command);

std::string help_text(const CommandHelp& help, std::size_t width);
/// What most people need of it, and where the rest is.
std::string short_help_text(const CommandHelp& help, std::size_t width);
/// Of the program as a whole.
std::string program_help_text(std::size_t width);

Json help_json(const CommandHelp& help);

/// Two columns, the second one wrapped. `first`: the least width of the first one.
std::string two_columns(const CommandFacts::Pairs& rows, std::size_t width, std::size_t first = 0);
/// The width of the first column that has room for all but the longest of them.
std::size_t first_column(const CommandFacts::Pairs& rows);

}  // namespace bench

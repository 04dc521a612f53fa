#include "harness/command/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "harness/base/text.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/topics.hpp"
#include "harness/words/language.hpp"

namespace bench {
namespace {

OptionHelp option_help(const CLI::Option& option) {
  OptionHelp help;
  help.text = option.get_description();
  if (option.get_positional()) {
    const bool several = option.get_items_expected_max() > 1;
    help.names = {option.get_name(true) + (several ? "..." : "")};
    return help;
  }
  for (const std::string& name : option.get_snames()) help.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) help.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) {
    help.value = option.get_type_name() + (option.get_delimiter() == ',' ? ",..." : "");
  }
  help.by_default = option.get_default_str();
  return help;
}

/// In the order of option_group::all; words without an option first.
std::vector<OptionGroup> groups_of_options(const CLI::App& command) {
  std::vector<OptionGroup> groups;
  for (const char* const title : option_group::all) {
    OptionGroup group{title, {}};
    for (const bool words : {true, false}) {
      for (const CLI::Option* const one : command.get_options()) {
        if (one->get_group() == title && one->get_positional() == words) {
          group.options.push_back(option_help(*one));
        }
      }
    }
    if (!group.options.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

std::string usage_of(const CLI::App& command) {
  const bool may_be_left_out = command.get_name() == all_commands().front().name;
  const auto optional = [](bool is, const std::string& text) {
    return is ? " [" + text + "]" : " " + text;
  };
  std::string usage = "bench" + optional(may_be_left_out, command.get_name());
  for (const CLI::Option* const one : command.get_options()) {
    if (!one->get_positional()) continue;
    usage += optional(!one->get_required(), option_help(*one).names.front());
  }
  return usage + " [OPTIONS]";
}

std::string rows_with_title(const std::string& title, const CommandFacts::Pairs& rows,
                            std::size_t width, std::size_t first = 0) {
  return rows.empty() ? "" : fmt::format("\n{}:\n{}", title, two_columns(rows, width, first));
}

std::string typed_option(const OptionHelp& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  return option.value.empty() ? names : names + " " + option.value;
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json pairs_json(const CommandFacts::Pairs& pairs, const char* first, const char* second) {
  Json all = Json::array();
  for (const auto& [one, text] : pairs) all.push_back({{first, one}, {second, text}});
  return all;
}

}  // namespace

CommandHelp command_help(const CLI::App& command) {
  return {facts_of_command(command.get_name()), usage_of(command), groups_of_options(command)};
}

std::size_t first_column(const CommandFacts::Pairs& rows) {
  constexpr std::size_t widest = 32;
  std::size_t first = 0;
  for (const auto& [left, right] : rows) {
    if (columns(left) <= widest) first = std::max(first, columns(left));
  }
  return first;
}

std::string two_columns(const CommandFacts::Pairs& rows, std::size_t width, std::size_t first) {
  first = std::max(first, first_column(rows));
  const std::size_t indent = first + 4;
  std::string text;
  for (const auto& [left, right] : rows) {
    std::string line = "  " + left;
    // A text that is too long for its column has a line of its own.
    if (columns(left) > first) {
      text += line + "\n";
      line.clear();
    }
    line.append(indent - columns(line), ' ');
    text += line + wrapped(right, width, indent, indent) + "\n";
  }
  return text;
}

std::string short_help_text(const CommandHelp& help, std::size_t width) {
  static const std::set<std::string> needed{
      "FILTER...", "FILE...",    "WORKLOAD...", "--new",       "--size", "--dtype",  "--threads",
      "--graded",  "--max-time", "--kernel",    "--peers",     "--show", "--output", "--output-npy",
      "--format",  "--columns",  "--filter",    "--threshold", "--lang"};
  constexpr std::size_t few = 12;
  CommandHelp brief = help;
  brief.facts.exit_codes.clear();
  auto& examples = brief.facts.examples;
  examples.resize(std::min<std::size_t>(examples.size(), 5));
  OptionGroup all{option_group::other, {}};
  for (const OptionGroup& group : help.groups) {
    all.options.insert(all.options.end(), group.options.begin(), group.options.end());
  }
  const std::size_t count = all.options.size();
  if (count > few) {
    std::erase_if(all.options, [](const auto& one) { return !needed.contains(one.names.front()); });
  }
  brief.groups = {all};
  const std::string name = help.facts.name;
  return help_text(brief, width) + "\n" +
         wrapped(fmt::format("bench {} --help shows all {} options and the exit codes; bench help "
                             "TOPIC, man bench-{} and docs/ explain more.",
                             name, count, name),
                 width, 0) +
         "\n";
}

std::string help_text(const CommandHelp& help, std::size_t width) {
  std::string text =
      fmt::format("Usage: {}\n\n{}\n", help.usage, wrapped(help.facts.text, width, 0));
  if (!help.facts.alias.empty()) text += fmt::format("Also: bench {}\n", help.facts.alias);
  text += rows_with_title("Examples", help.facts.examples, width);
  std::vector<std::pair<std::string, CommandFacts::Pairs>> groups;
  std::size_t first = 0;
  for (const OptionGroup& group : help.groups) {
    auto& [title, rows] = groups.emplace_back(group.title, CommandFacts::Pairs());
    for (const OptionHelp& one : group.options) {
      const auto by_default =
          one.by_default.empty() ? "" : fmt::format(" (default: {})", one.by_default);
      rows.emplace_back(typed_option(one), one.text + by_default);
    }
    first = std::max(first, first_column(rows));
  }
  for (const auto& [title, rows] : groups) text += rows_with_title(title, rows, width, first);
  return text + rows_with_title("Exit codes", help.facts.exit_codes, width);
}

std::string program_help_text(std::size_t width) {
  std::string text = fmt::format(
      "Usage: bench [run] [FILTER...] [OPTIONS]\n"
      "       bench COMMAND [OPTIONS]\n\n{}\n",
      wrapped(program_text, width, 0));
  text += rows_with_title("Examples", program_examples(), width);
  constexpr std::size_t first = 9;  // as long as the longest command
  std::string section;
  CommandFacts::Pairs rows;
  for (const CommandFacts& one : all_commands()) {
    if (one.section != section) {
      text += rows_with_title(section, rows, width, first);
      rows.clear();
      section = one.section;
    }
    rows.emplace_back(one.name, one.summary);
  }
  std::vector<std::string> codes;
  for (const auto& [code, meaning] : program_exit_codes()) {
    codes.push_back(code + no_break_space + meaning);
  }
  text +=
      rows_with_title("More",
                      {{"bench COMMAND -h", "what most people need of a command"},
                       {"bench COMMAND --help", "all its options"},
                       {"man bench-COMMAND", "the same, where manual pages are installed"},
                       {"docs/README.md", "tutorials and methods: in the source, and installed"},
                       {"bench help TOPIC", fmt::format("{}", fmt::join(names_of_topics(), ", "))}},
                      width);
  text += rows_with_title(
      option_group::other,
      {{"-h, --help", "print this help"}, {"--version", "print the version of this program"}},
      width);
  const std::string all = fmt::format("Exit codes: {}", fmt::join(codes, ", "));
  return text + "\n" + with_plain_blanks(wrapped(all, width, 2)) + "\n";
}

Json help_json(const CommandHelp& help) {
  Json groups = Json::array();
  for (const OptionGroup& group : help.groups) {
    Json options = Json::array();
    for (const OptionHelp& one : group.options) {
      options.push_back({{"names", one.names},
                         {"value", or_null(one.value)},
                         {"default", or_null(one.by_default)},
                         {"text", one.text}});
    }
    groups.push_back({{"title", group.title}, {"options", options}});
  }
  return {{"name", help.facts.name},
          {"alias", or_null(help.facts.alias)},
          {"section", help.facts.section},
          {"summary", help.facts.summary},
          {"usage", help.usage},
          {"description", help.facts.text},
          {"examples", pairs_json(help.facts.examples, "command", "text")},
          {"groups", groups},
          {"exit_codes", pairs_json(help.facts.exit_codes, "code", "text")}};
}

}  // namespace bench

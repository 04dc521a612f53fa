#include "harness/command/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "harness/base/json.hpp"
#include "harness/base/suggest.hpp"
#include "harness/base/text.hpp"
#include "harness/command/command.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"
#include "harness/command/topics.hpp"
#include "harness/document/document.hpp"
#include "harness/node/build_info.hpp"
#include "harness/tables/columns.hpp"

namespace bench {
namespace {

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

/// The groups in the order of option_group::all; words without an option first.
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
  const bool may_be_left_out = command.get_name() == all_commands().front().facts.name;
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

std::string rows_with_title(const std::string& title, const DefinitionList& rows, std::size_t width,
                            std::size_t first = 0) {
  return rows.empty() ? "" : fmt::format("\n{}:\n{}", title, two_columns(rows, width, first));
}

std::string typed_option(const OptionHelp& option) {
  const std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  return option.value.empty() ? names : names + " " + option.value;
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json pairs_json(const DefinitionList& pairs, const char* first, const char* second) {
  Json all = Json::array();
  for (const auto& [one, text] : pairs) all.push_back({{first, one}, {second, text}});
  return all;
}

CommandHelp command_help(const CLI::App& command) {
  return {command_named(command.get_name())->facts, usage_of(command), groups_of_options(command)};
}

std::string help_text(const CommandHelp& help, std::size_t width) {
  std::string text =
      fmt::format("Usage: {}\n\n{}\n", help.usage, wrapped(help.facts.text, width, 0));
  if (!help.facts.alias.empty()) text += fmt::format("Also: bench {}\n", help.facts.alias);
  text += rows_with_title("Examples", help.facts.examples, width);
  std::vector<std::pair<std::string, DefinitionList>> groups;
  std::size_t first = 0;
  for (const OptionGroup& group : help.groups) {
    auto& [title, rows] = groups.emplace_back(group.title, DefinitionList());
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

/// What most people need of it, and where the rest is.
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

std::string program_help_text(std::size_t width) {
  static const DefinitionList examples{
      {"bench", "measure the six standard workloads"},
      {"bench '*'", "measure all workloads"},
      {"bench energy --size course", "one workload, at the size used in the course"},
      {"bench try mine.cpp", "your own kernel, next to the built-in variants"},
      {"srun --gres=gpu:1 bench", "on a cluster"},
      {"bench table results/*.json", "show earlier results again"}};
  std::string text = fmt::format(
      "Usage: bench [run] [FILTER...] [OPTIONS]\n"
      "       bench COMMAND [OPTIONS]\n\n{}\n",
      wrapped(program_text, width, 0));
  text += rows_with_title("Examples", examples, width);
  constexpr std::size_t first = 9;  // as long as the longest command
  std::string section;
  DefinitionList rows;
  for (const auto& [facts, declare, needs_team] : all_commands()) {
    if (facts.section != section) {
      text += rows_with_title(section, rows, width, first);
      rows.clear();
      section = facts.section;
    }
    rows.emplace_back(facts.name, facts.summary);
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
  constexpr const char* codes =
      "Exit codes: 0\u00A0success, 1\u00A0wrong result, 2\u00A0usage, 3\u00A0slower or not "
      "confirmed, 4\u00A0inconclusive, 5\u00A0not comparable";
  return text + "\n" + with_plain_blanks(wrapped(codes, width, 2)) + "\n";
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

std::size_t help_width() {
  constexpr std::size_t least = 40;
  constexpr std::size_t most = 100;
  return std::clamp(terminal_width(STDOUT_FILENO), least, most);
}

Json everything(const CLI::App& program) {
  Json commands = Json::array();
  for (const auto& [facts, declare, needs_team] : all_commands()) {
    commands.push_back(help_json(command_help(*program.get_subcommand(facts.name))));
  }
  return {{"program", "bench"},
          {"version", version()},
          {"description", program_text},
          {"commands", commands},
          {"topics", topics_json()},
          {"columns", columns_json()},
          {"result_file", result_file_schema()}};
}

std::string explanation(const HelpRequest& request, const CLI::App& program) {
  const auto& [topic, format, language, text] = request;
  if (format == Format::json) return serialised(everything(program)) + "\n";
  if (topic.empty()) return program_help_text(help_width());
  if (const Command* const command = command_named(topic)) {
    return help_text(command_help(*program.get_subcommand(command->facts.name)), help_width());
  }
  const std::string found = topic_text(topic, help_width(), language);
  if (!found.empty()) return found;
  std::vector<std::string> known = names_of_commands();
  for (const std::string& one : names_of_topics()) known.push_back(one);
  throw UsageError(fmt::format("help: '{}' is not a topic or a command{}; topics: {}", topic,
                               did_you_mean(topic, known), fmt::join(names_of_topics(), ", ")));
}

}  // namespace

void add_options(CLI::App& app, HelpRequest& request) {
  add_text(app, "TOPIC", request.topic,
           fmt::format("a command, or {}", fmt::join(names_of_topics(), ", ")), "TOPIC");
  add_format(app, request.format, "text, or json for everything");
  add_language(app, request.language);
  finally(app, [&] { request.text = explanation(request, *app.get_parent()); });
}

int execute(const HelpRequest& request, const Session& /*session*/) {
  print(request.text);
  return Exit::fine;
}

std::string help_of_flag(const CLI::App& program, const std::vector<std::string>& words) {
  const Command* const of = command_named(words.front());
  if (of == nullptr) return program_help_text(help_width());
  const bool whole = std::find(words.begin(), words.end(), "--help") != words.end();
  const CommandHelp help = command_help(*program.get_subcommand(of->facts.name));
  return whole ? help_text(help, help_width()) : short_help_text(help, help_width());
}

}  // namespace bench

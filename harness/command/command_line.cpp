#include "harness/command/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "harness/base/suggest.hpp"
#include "harness/command/help.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/node/build_info.hpp"

namespace bench {
namespace {

/// `run` may be left out: then the first word is an option or a filter.
std::vector<std::string> with_command(std::vector<std::string> words) {
  const bool of_program =
      !words.empty() && (words[0] == "--help" || words[0] == "-h" || words[0] == "--version");
  const bool begins_with_command = !words.empty() && command_named(words[0]) != nullptr;
  if (!of_program && !begins_with_command) words.insert(words.begin(), "run");
  return words;
}

/// The option of that name, of the first command that has it: an option is of one kind everywhere.
const CLI::Option* option_named(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (const auto* const one = command->get_option_no_throw(name)) return one;
  }
  return nullptr;
}

std::string needs_value(const CLI::App& app, const std::string& option) {
  const CLI::Option* const one = option_named(app, option);
  return fmt::format("{} needs a value{}", option,
                     one != nullptr ? ": " + one->get_type_name() : "");
}

/// The library drops empty words and empty parts of lists; a forgotten value must not look like
/// none.
void refuse_gaps(const CLI::App& app, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) continue;
    const std::size_t equals = words[i].find('=');
    const bool apart = equals == std::string::npos;
    if (apart && i + 1 == words.size()) break;  // the library says what is missing
    const std::string option = words[i].substr(0, equals);
    const std::string value = apart ? words[i + 1] : words[i].substr(equals + 1);
    const CLI::Option* const known = option_named(app, option);
    const bool forgotten = apart && known != nullptr && known->get_items_expected_min() > 0 &&
                           value.starts_with("--") && option_named(app, value) != nullptr;
    if (value.empty() || forgotten) throw UsageError(needs_value(app, option));
    if (known == nullptr || known->get_delimiter() != ',') continue;
    if (value.front() == ',' || value.back() == ',' || value.find(",,") != std::string::npos) {
      refuse(option, value, "there is nothing between two commas, or at an end");
    }
  }
}

/// The commands that have an option.
std::vector<std::string> commands_with(const std::string& option, const CLI::App& app) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw(option) != nullptr) commands.push_back(command->get_name());
  }
  return commands;
}

/// One line for an error of the command-line library, with the nearest option where there is one.
std::string explain(const CLI::ParseError& error, const CLI::App& app,
                    const std::vector<std::string>& arguments) {
  std::vector<std::string> known{"bench"};  // some remedies are other commands
  for (const CLI::App* sub : app.get_subcommands()) {
    for (const CLI::Option* option : sub->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with('-') || name == "-") continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string& here = arguments.front();
    const std::vector<std::string> others = commands_with(name, app);
    if (!others.empty()) {
      return fmt::format("bench {} has no {} (bench {} {} it); 'bench {} --help' shows all", here,
                         name, fmt::join(others, ", "), others.size() > 1 ? "have" : "has", here);
    }
    if (std::error_code none; std::filesystem::exists(argument, none)) {
      return fmt::format("unknown option '{0}': the file of this name is ./{0}", argument);
    }
    const std::string command =
        name.starts_with("--") ? called_here(name.substr(2), names_of_commands()) : "";
    return fmt::format("unknown option '{}'{}; 'bench {} --help' shows all", name,
                       command.empty() ? did_you_mean(name, known)
                                       : fmt::format(" (did you mean bench {}?)", command),
                       here);
  }
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string& command = arguments.front();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return fmt::format("unexpected word '{}'; 'bench {} --help' shows all",
                       text.substr(text.find(": ") + 2), command);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string missing = command_named(command)->facts.missing;
    return fmt::format("{}: {}", command, fmt::format(fmt::runtime(missing), command));
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const std::size_t between = text.find(" excludes ");
    return fmt::format("{} and {} exclude each other: leave one out", text.substr(0, between),
                       text.substr(between + 10));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = text.substr(0, text.find(':'));
    return text.ends_with("missing") ? needs_value(app, option)
                                     : fmt::format("{}: is there twice; give it once", option);
  }
  return text;
}

Parsed printing(const std::string& text) {
  return parsed_as(std::make_shared<HelpRequest>(HelpRequest{.text = text}));
}

}  // namespace

Parsed parse(const std::vector<std::string>& arguments, const Abilities& node) {
  CLI::App app{program_text, "bench"};
  begin_group(app, option_group::other);
  app.set_help_flag("-h,--help", help_flag_text);
  app.set_version_flag("--version", std::string("bench ") + version());
  app.require_subcommand(1);
  std::map<std::string, Parsed> requests;
  for (const auto& [facts, declare, needs_team] : all_commands()) {
    CLI::App& command = *app.add_subcommand(facts.name, facts.text);
    if (!facts.alias.empty()) command.alias(facts.alias);
    Parsed& parsed = requests[facts.name] = declare(command, node);
    parsed.needs_team = needs_team;
  }

  const std::vector<std::string> words = with_command(arguments);
  refuse_gaps(app, words);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as the library wants it
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return printing(help_of_flag(app, words));
  } catch (const CLI::CallForVersion& error) {
    return printing(std::string(error.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(error, app, words));
  }
  return requests.at(app.get_subcommands().front()->get_name());
}

}  // namespace bench

#include "harness/command/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "harness/base/suggest.hpp"
#include "harness/command/help.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"
#include "harness/command/topics.hpp"
#include "harness/document/document.hpp"
#include "harness/node/build_info.hpp"
#include "harness/tables/meanings.hpp"
#include "harness/tables/render.hpp"

namespace bench {
namespace {

/// By its name or an alias; null where there is none.
const CLI::App* command_named(const CLI::App& app, const std::string& word) {
  const auto found =
      app.get_subcommands([&](const CLI::App* one) { return one->check_name(word); });
  return found.empty() ? nullptr : found.front();
}

/// `run` may be left out: then the first word is an option or a filter.
std::vector<std::string> with_command(const CLI::App& app, std::vector<std::string> words) {
  const bool of_program =
      !words.empty() && (words[0] == "--help" || words[0] == "-h" || words[0] == "--version");
  const bool begins_with_command = !words.empty() && command_named(app, words[0]) != nullptr;
  if (!of_program && !begins_with_command) words.insert(words.begin(), "run");
  return words;
}

/// `bench --lang fr doctor`: a command is taken for a filter there.
void refuse_commands(const CLI::App& app, const Selection& run) {
  for (const std::string& filter : run.filters) {
    if (command_named(app, filter) == nullptr) continue;
    throw UsageError(fmt::format("{0}: a command comes first: bench {0} …", filter));
  }
}

/// The kind of value is that of the first command that has the option.
std::string needs_value(const CLI::App& app, const std::string& option) {
  for (const CLI::App* command : app.get_subcommands({})) {
    const CLI::Option* const one = command->get_option_no_throw(option);
    if (one != nullptr) return fmt::format("{} needs a value: {}", option, one->get_type_name());
  }
  return fmt::format("{} needs a value", option);
}

/// The library drops empty words and empty parts of lists; a forgotten value must not look like
/// none.
void refuse_gaps(const CLI::App& app, const std::vector<std::string>& words) {
  std::set<std::string> known;
  std::set<std::string> lists;
  std::set<std::string> with_value;
  for (const CLI::App* command : app.get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& long_name : option->get_lnames()) {
        const std::string name = "--" + long_name;
        known.insert(name);
        if (option->get_delimiter() == ',') lists.insert(name);
        if (option->get_items_expected_min() > 0) with_value.insert(name);
      }
    }
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) continue;
    const std::size_t equals = words[i].find('=');
    const bool apart = equals == std::string::npos;
    if (apart && i + 1 == words.size()) break;  // the library says what is missing
    const std::string option = words[i].substr(0, equals);
    const std::string value = apart ? words[i + 1] : words[i].substr(equals + 1);
    const bool forgotten = apart && with_value.contains(option) && known.contains(value);
    if (value.empty() || forgotten) {
      throw UsageError(needs_value(app, option));
    }
    if (!lists.contains(option)) continue;
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
    return command == "compare"
               ? "compare: name two result files or a folder, e.g. bench compare before.json "
                 "after.json"
           : command == "reproduce"
               ? "reproduce: name the result file, e.g. bench reproduce results/RUN.json"
           : command == "try"
               ? "try: name files with kernels, e.g. bench try mine.cpp; --new WORKLOAD writes one"
               : fmt::format("{0}: name result files or folders, e.g. bench {0} results/", command);
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

std::size_t help_width() {
  constexpr std::size_t least = 40;
  constexpr std::size_t most = 100;
  return std::clamp(terminal_width(STDOUT_FILENO), least, most);
}

/// `bench help`: of what, and how.
struct WantedHelp {
  std::string topic;
  Format format = Format::text;
  Language language = Language::en;
};

void add_options(CLI::App& app, WantedHelp& wanted) {
  add_text(app, "TOPIC", wanted.topic,
           fmt::format("a command, or {}", fmt::join(names_of_topics(), ", ")), "TOPIC");
  by_default(
      add_choice(app, "--format", wanted.format, {{"text", Format::text}, {"json", Format::json}},
                 "text, or json for everything", "FORMAT"),
      "text");
  add_language(app, wanted.language);
}

Json everything(const CLI::App& app) {
  Json commands = Json::array();
  for (const CommandFacts& one : all_commands()) {
    commands.push_back(help_json(command_help(*command_named(app, one.name))));
  }
  return {{"program", "bench"},
          {"version", version()},
          {"description", program_text},
          {"commands", commands},
          {"topics", topics_json()},
          {"columns", columns_json()},
          {"result_file", result_file_schema()}};
}

std::string help_text(const WantedHelp& wanted, const CLI::App& app) {
  if (wanted.format == Format::json) return serialised(everything(app)) + "\n";
  if (wanted.topic.empty()) return program_help_text(help_width());
  if (const CLI::App* const command = command_named(app, wanted.topic)) {
    return help_text(command_help(*command), help_width());
  }
  const std::string text = topic_text(wanted.topic, help_width(), wanted.language);
  if (!text.empty()) return text;
  std::vector<std::string> known = names_of_commands();
  for (const std::string& one : names_of_topics()) known.push_back(one);
  throw UsageError(fmt::format("help: '{}' is not a topic or a command{}; topics: {}", wanted.topic,
                               did_you_mean(wanted.topic, known),
                               fmt::join(names_of_topics(), ", ")));
}

}  // namespace

Request parse(const std::vector<std::string>& arguments, const Abilities& node) {
  CLI::App app{program_text, "bench"};
  begin_group(app, option_group::other);
  app.set_help_flag("-h,--help", help_flag_text);
  app.set_version_flag("--version", std::string("bench ") + version());
  app.require_subcommand(1);
  const auto command = [&](const char* name) -> CLI::App& {
    const CommandFacts& facts = facts_of_command(name);
    CLI::App& added = *app.add_subcommand(name, facts.text);
    if (!facts.alias.empty()) added.alias(facts.alias);
    return added;
  };
  RunRequest run;
  add_options(command("run"), run, node);
  TryRequest tried;
  add_options(command("try"), tried, node);
  CourseRequest course;
  add_options(command("course"), course, node);
  ReproduceRequest reproduce;
  add_options(command("reproduce"), reproduce);
  AaRequest aa;
  add_options(command("aa"), aa, node);
  CheckRequest check;
  add_options(command("check"), check, node);
  ListRequest list;
  add_options(command("list"), list);
  VerifyRequest verify;
  add_options(command("verify"), verify, node);
  DoctorRequest doctor;
  add_options(command("doctor"), doctor, node);
  TableRequest table;
  add_options(command("table"), table);
  CompareRequest compare;
  add_options(command("compare"), compare);
  MergeRequest merge;
  add_options(command("merge"), merge);
  std::vector<std::string> unread;  // of commands that are not parsed here
  for (const CommandFacts& one : all_commands()) {
    if (one.in_python) add_files(command(one.name.c_str()), "FILE", unread);
  }
  WantedHelp wanted_help;
  add_options(command("help"), wanted_help);

  const std::vector<std::string> words = with_command(app, arguments);
  refuse_gaps(app, words);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as the library wants it
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const CLI::App* const of = command_named(app, words.front());
    if (of == nullptr) return HelpRequest{program_help_text(help_width())};
    const bool whole = std::find(words.begin(), words.end(), "--help") != words.end();
    const CommandHelp help = command_help(*of);
    return HelpRequest{whole ? help_text(help, help_width()) : short_help_text(help, help_width())};
  } catch (const CLI::CallForVersion& error) {
    return HelpRequest{std::string(error.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(error, app, words));
  }
  if (app.got_subcommand("help")) return HelpRequest{help_text(wanted_help, app)};
  if (app.got_subcommand("list")) return list;
  if (app.got_subcommand("try")) return tried;
  if (app.got_subcommand("course")) return course;
  if (app.got_subcommand("verify")) return verify;
  if (app.got_subcommand("doctor")) return doctor;
  if (app.got_subcommand("table")) return table;
  if (app.got_subcommand("merge")) return merge;
  if (app.got_subcommand("aa")) return aa;
  if (app.got_subcommand("check")) return check;
  if (app.got_subcommand("compare")) return compare;
  if (app.got_subcommand("reproduce")) return reproduce;
  refuse_commands(app, run.wanted.settings);
  return run;
}

int execute(const HelpRequest& request, const Session& /*session*/) {
  print(request.text);
  return Exit::fine;
}

}  // namespace bench

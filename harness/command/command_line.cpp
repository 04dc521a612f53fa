#include "harness/command/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <utility>

#include "harness/base/suggest.hpp"
#include "harness/command/examples.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/streams.hpp"
#include "harness/node/build_info.hpp"

namespace bench {
namespace {

bool is_command(const CLI::App& app, const std::string& word) {
  return !app.get_subcommands([&](const CLI::App* one) { return one->get_name() == word; }).empty();
}

/// `run` may be left out: then the first word is an option or a filter. `help` is what follows it,
/// with --help.
std::vector<std::string> with_command(const CLI::App& app, std::vector<std::string> words) {
  const auto begins_with_command = [&] { return !words.empty() && is_command(app, words[0]); };
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.resize(begins_with_command() ? 1 : 0);
    words.emplace_back("--help");
    return words;
  }
  const bool of_program =
      !words.empty() && (words[0] == "--help" || words[0] == "-h" || words[0] == "--version");
  if (!of_program && !begins_with_command()) words.insert(words.begin(), "run");
  return words;
}

/// `bench --lang fr doctor`: a command is taken for a filter there.
void refuse_commands(const CLI::App& app, const Selection& run) {
  for (const std::string& filter : run.filters) {
    if (!is_command(app, filter)) continue;
    throw UsageError(fmt::format("{0}: a command comes first: bench {0} …", filter));
  }
}

/// The library drops empty words and empty parts of lists; a forgotten value shall not look like
/// none.
void refuse_gaps(const CLI::App& app, const std::vector<std::string>& words) {
  std::set<std::string> known;
  std::set<std::string> lists;
  std::set<std::string> with_value;
  for (const CLI::App* command : app.get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_lnames().empty()) continue;
      const std::string name = "--" + option->get_lnames().front();
      known.insert(name);
      if (option->get_delimiter() == ',') lists.insert(name);
      if (option->get_items_expected_min() > 0) with_value.insert(name);
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
      throw UsageError(fmt::format("nothing follows {}: give a value", words[i]));
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
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands()) {
    for (const CLI::Option* option : sub->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with('-') || name == "-") continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::vector<std::string> others = commands_with(name, app);
    const std::string hint =
        others.empty() ? did_you_mean(name, known)
                       : fmt::format(", which is one of bench {}", fmt::join(others, ", "));
    return fmt::format("unknown option '{}'{}; 'bench {} --help' shows all", name, hint,
                       arguments.front());
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
               ? "compare: name two documents or a folder, e.g. bench compare before.json "
                 "after.json"
           : command == "reproduce"
               ? "reproduce: name the document, e.g. bench reproduce results/RUN.json"
           : command == "try"
               ? "try: name files with kernels, e.g. bench try mine.cpp; --new WORKLOAD writes one"
               : fmt::format("{0}: name documents or folders, e.g. bench {0} results/", command);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const std::size_t between = text.find(" excludes ");
    return fmt::format("{} and {} exclude each other: leave one out", text.substr(0, between),
                       text.substr(between + 10));
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = text.substr(0, text.find(':'));
    return text.ends_with("missing") ? fmt::format("nothing follows {}: give a value", option)
                                     : fmt::format("{}: is there twice; give it once", option);
  }
  return text;
}

}  // namespace

Request parse(const std::vector<std::string>& arguments, const Abilities& node) {
  CLI::App app{"How much faster is each way of writing a kernel, on this node?", "bench"};
  app.set_version_flag("--version", std::string("bench ") + version());
  app.require_subcommand(1);
  const auto command = [&](const char* name, const char* description) -> CLI::App& {
    return *app.add_subcommand(name, description);
  };
  RunRequest run;
  add_options(command("run", "measure (the default: the word may be left out)"), run, node);
  ListRequest list;
  add_options(command("list", "workloads, variants and their ideas, sizes"), list);
  TryRequest tried;
  add_options(
      command("try", "check and measure kernels of others, on the ladder of their workload"), tried,
      node);
  VerifyRequest verify;
  add_options(command("verify", "check every variant against the definition, no timing"), verify,
              node);
  DoctorRequest doctor;
  add_options(command("doctor", "what this node and job offer, and what may be wrong with it"),
              doctor, node);
  TableRequest table;
  add_options(command("table", "print the tables of result files, in any format"), table);
  MergeRequest merge;
  add_options(command("merge", "one document of several runs of a node"), merge);
  AaRequest aa;
  add_options(command("aa", "compare equal runs: how often is the alarm false here?"), aa, node);
  CompareRequest compare;
  add_options(
      command("compare", "compare two runs, or many nodes; exit code 0, 3 (slower), 4 or 5"),
      compare);
  ReproduceRequest reproduce;
  add_options(
      command("reproduce", "do a document's ratios hold here? exit code 0, 3 (one does not) or 4"),
      reproduce);

  const std::vector<std::string> words = with_command(app, arguments);
  refuse_gaps(app, words);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as the library wants it
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const bool whole = words.front().starts_with('-');
    return HelpRequest{examples(whole ? "" : words.front()) + app.help()};
  } catch (const CLI::CallForVersion& error) {
    return HelpRequest{std::string(error.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(error, app, words));
  }
  if (app.got_subcommand("list")) return list;
  if (app.got_subcommand("try")) return tried;
  if (app.got_subcommand("verify")) return verify;
  if (app.got_subcommand("doctor")) return doctor;
  if (app.got_subcommand("table")) return table;
  if (app.got_subcommand("merge")) return merge;
  if (app.got_subcommand("aa")) return aa;
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

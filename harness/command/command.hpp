// A command of the program: what is said of it, how its words are read and how it runs.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/command/session.hpp"
#include "harness/command/this_node.hpp"

namespace bench {

/// What the program says of a command: the one place for help, documentation and completion.
struct CommandFacts {
  std::string name;
  std::string section;        ///< of the program's help
  std::string summary;        ///< one line there
  std::string text;           ///< one or two sentences for its own help
  DefinitionList examples;    ///< commands as typed, and what they do
  DefinitionList exit_codes;  ///< those that mean something of their own
  std::string alias;          ///< empty where it has none
  std::string missing;        ///< what to say where its words are; {} is its name
};

/// A request that was read, and what runs it.
struct Parsed {
  std::any request;  ///< a shared pointer to the command's own type
  std::function<int(const Session&)> run;
  bool needs_team = false;
};

template <class R>
Parsed parsed_as(const std::shared_ptr<R>& request) {
  return {request, [request](const Session& session) { return execute(*request, session); }};
}

/// Adds the options of a request to `app`, which fills it when it reads the words.
template <class R>
Parsed declared(CLI::App& app, const Abilities& node) {
  const auto request = std::make_shared<R>();
  if constexpr (requires { add_options(app, *request, node); }) {
    add_options(app, *request, node);
  } else {
    add_options(app, *request);
  }
  return parsed_as(request);
}

struct Command {
  CommandFacts facts;
  Parsed (*declare)(CLI::App& app, const Abilities& node);
  bool needs_team;  ///< it runs kernels; all others answer on one thread
};

/// The table of commands (commands.cpp), in the order of the program's help. The first one is the
/// default.
std::span<const Command> all_commands();

/// The command of that name or alias; null where there is none.
const Command* command_named(const std::string& word);

/// The names of all commands, with their aliases.
std::vector<std::string> names_of_commands();

}  // namespace bench

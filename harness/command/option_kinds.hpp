// Kinds of options: how what is typed becomes a value, with one set of rules and messages. Each of
// these functions adds an option to a command; what does not fit it becomes a UsageError, one line
// that names the option and the remedy. Names as the command-line library takes them: `--name`,
// `--name,--alias`, or `NAME` for words without an option.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/names.hpp"

// Compiling the library takes long: only option_kinds.cpp and command_line.cpp include it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bench {

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& why);

/// A whole number, written as 1000000 or 1e6.
std::size_t count_of(const std::string& option, const std::string& text, std::size_t lowest,
                     std::size_t highest);

/// A finite number that is not negative.
double number_of(const std::string& option, const std::string& text, const std::string& unit);

/// The number among `names` of the one that `text` is.
std::size_t choice_of(const std::string& option, const std::string& text,
                      const std::vector<std::string>& names);

/// Titles of the groups in which help shows options, in its order.
namespace option_group {
constexpr const char* what = "What to measure";
constexpr const char* checked = "What to check";
constexpr const char* shown = "What to show";
constexpr const char* how_long = "How long";
constexpr const char* gpu = "GPU";
constexpr const char* user_kernels = "User kernels";
constexpr const char* also = "Also measure";
constexpr const char* output = "Output";
constexpr const char* advanced = "Advanced";
constexpr const char* other = "Options";
constexpr const char* all[] = {what, checked,      shown,  how_long, gpu,
                               also, user_kernels, output, advanced, other};
}  // namespace option_group

/// Options that are added after this belong to that group.
void begin_group(CLI::App& app, const char* title);

/// What help says of an option that is not given; most functions take it as `otherwise`.
CLI::Option* by_default(CLI::Option* option, const std::string& text);

/// The name that messages use: the first one.
std::string first_name(const std::string& names);

/// A text, read by `read`.
CLI::Option* add_text(CLI::App& app, const std::string& name,
                      const std::function<void(const std::string&)>& read,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise = "");

/// The same, kept as it is.
CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise = "");

/// A list without blanks, whose parts are separated by commas, read by `read`. It ends with its
/// word: what follows may be a filter.
CLI::Option* add_list(CLI::App& app, const std::string& name,
                      const std::function<void(const std::vector<std::string>&)>& read,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise = "");

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise = "");

/// All words that belong to no option.
CLI::Option* add_words(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                       const std::string& description, const std::string& type,
                       const std::string& otherwise = "");

/// The files that a command reads: at least one word.
void add_files(CLI::App& app, const std::string& name, std::vector<std::string>& files,
               const std::string& description = "result files, or folders of them");

/// `set` is called where the flag is there, before any other option is read.
void add_flag(CLI::App& app, const std::string& name, const std::function<void()>& set,
              const std::string& description);
void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& description);

/// They contradict each other.
void exclude(CLI::Option* option, const std::vector<CLI::Option*>& others);

/// The options that the command has so far.
std::vector<CLI::Option*> options_of(CLI::App& app);

/// Some of them.
std::vector<CLI::Option*> options_of(CLI::App& app, const std::vector<std::string>& names);

/// What help says of an option that this command begins with another value.
void show_default(CLI::App& app, const std::string& name, const std::string& value);

/// Takes out options that several commands add and that mean nothing to this one.
void leave_out(CLI::App& app, const std::vector<std::string>& names);

bool given(const CLI::Option* option);

/// Where the option is not given, `read` reads the variable of this name in the environment, if it
/// is set.
void or_variable(CLI::App& app, const CLI::Option* option, const char* name,
                 const std::function<void(const std::string&)>& read);

/// What is to be checked when all options are read.
void finally(CLI::App& app, const std::function<void()>& check);

struct Bounds {
  std::size_t lowest;
  std::size_t highest;
};

template <class T>
CLI::Option* add_count(CLI::App& app, const std::string& name, T& value, Bounds range,
                       const std::string& description, const std::string& otherwise = "") {
  return add_text(
      app, name,
      [name = first_name(name), range, &value](const std::string& text) {
        value = static_cast<T>(count_of(name, text, range.lowest, range.highest));
      },
      description, "N", otherwise);
}

CLI::Option* add_number(CLI::App& app, const std::string& name, double& value,
                        const std::string& unit, const std::string& description,
                        const std::string& otherwise = "");

/// A time of day's units: 20, 20s, 5m or 1h. `set` gets seconds, more than none.
CLI::Option* add_duration(CLI::App& app, const std::string& name,
                          const std::function<void(double)>& set, const std::string& description,
                          const std::string& otherwise = "");

/// Texts and what they stand for.
template <class T>
using Choices = std::vector<std::pair<std::string, T>>;

template <Named E>
Choices<E> all_choices() {
  Choices<E> all;
  for (const auto& [value, text] : NamesOf<E>::all) all.emplace_back(text, value);
  return all;
}

/// The value that `text` names.
template <class T>
T chosen(const std::string& option, const std::string& text, const Choices<T>& choices) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  return choices.at(choice_of(option, text, names)).second;
}

template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value,
                        const Choices<std::type_identity_t<T>>& choices,
                        const std::string& description, const std::string& type,
                        const std::string& otherwise = "") {
  return add_text(
      app, name,
      [name = first_name(name), choices, &value](const std::string& text) {
        value = chosen(name, text, choices);
      },
      description, type, otherwise);
}

/// A list of them, in the order of the choices, each once.
template <class T>
CLI::Option* add_choices(CLI::App& app, const std::string& name, std::vector<T>& values,
                         const Choices<std::type_identity_t<T>>& choices,
                         const std::string& description, const std::string& type,
                         const std::string& otherwise = "") {
  return add_list(
      app, name,
      [name = first_name(name), choices, &values](const std::vector<std::string>& words) {
        std::vector<T> all;
        for (const std::string& word : words) all.push_back(chosen(name, word, choices));
        values.clear();
        for (const auto& choice : choices) {
          const bool wanted = std::find(all.begin(), all.end(), choice.second) != all.end();
          if (wanted) values.push_back(choice.second);
        }
      },
      description, type, otherwise);
}

/// A list of numbers, ascending, each once: a case is measured once. `check` may refuse one.
template <class T>
CLI::Option* add_counts(
    CLI::App& app, const std::string& name, std::vector<T>& values, Bounds range,
    const std::string& description, const std::string& otherwise = "",
    const std::function<void(const std::string&, std::type_identity_t<T>)>& check =
        [](const std::string&, T) {}) {
  return add_list(
      app, name,
      [name = first_name(name), range, check, &values](const std::vector<std::string>& words) {
        values.clear();
        for (const std::string& word : words) {
          values.push_back(static_cast<T>(count_of(name, word, range.lowest, range.highest)));
          check(word, values.back());
        }
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
      },
      description, "N", otherwise);
}

}  // namespace bench

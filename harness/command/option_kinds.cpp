#include "harness/command/option_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "harness/base/suggest.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

void refuse(const std::string& option, const std::string& text, const std::string& why) {
  throw UsageError(fmt::format("{} {}: {}", option, text, why));
}

std::size_t count_of(const std::string& option, const std::string& text, std::size_t lowest,
                     std::size_t highest) {
  std::size_t value = 0;
  try {
    value = parse_count(text);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
  if (value < lowest || value > highest) {
    refuse(option, text, fmt::format("must be between {} and {}", lowest, highest));
  }
  return value;
}

double number_of(const std::string& option, const std::string& text, const std::string& unit) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0) {
    refuse(option, text, fmt::format("must be a number of {}, 0 or more", unit));
  }
  return value;
}

std::size_t choice_of(const std::string& option, const std::string& text,
                      const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse(option, text,
         fmt::format("must be one of {}{}", fmt::join(names, ", "), did_you_mean(text, names)));
}

void begin_group(CLI::App& app, const char* title) { app.option_defaults()->group(title); }

CLI::Option* by_default(CLI::Option* option, const std::string& text) {
  return option->default_str(text);
}

std::string first_name(const std::string& names) { return names.substr(0, names.find(',')); }

CLI::Option* add_text(CLI::App& app, const std::string& name,
                      const std::function<void(const std::string&)>& read,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise) {
  return app.add_option_function<std::string>(name, read, description)
      ->type_name(type)
      ->default_str(otherwise);
}

CLI::Option* add_text(CLI::App& app, const std::string& name, std::string& value,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise) {
  return app.add_option(name, value, description)->type_name(type)->default_str(otherwise);
}

CLI::Option* add_list(CLI::App& app, const std::string& name,
                      const std::function<void(const std::vector<std::string>&)>& read,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise) {
  return app.add_option_function<std::vector<std::string>>(name, read, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name(type)
      ->default_str(otherwise);
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list,
                      const std::string& description, const std::string& type,
                      const std::string& otherwise) {
  return add_list(
      app, name, [&list](const std::vector<std::string>& words) { list = words; }, description,
      type, otherwise);
}

CLI::Option* add_words(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                       const std::string& description, const std::string& type,
                       const std::string& otherwise) {
  return app.add_option(name, words, description)->type_name(type)->default_str(otherwise);
}

void add_files(CLI::App& app, const std::string& name, std::vector<std::string>& files,
               const std::string& description) {
  add_words(app, name, files, description, "PATH")->required();
}

void add_flag(CLI::App& app, const std::string& name, const std::function<void()>& set,
              const std::string& description) {
  app.add_flag_callback(name, set, description)->trigger_on_parse();
}

void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& description) {
  app.add_flag(name, value, description);
}

CLI::Option* add_number(CLI::App& app, const std::string& name, double& value,
                        const std::string& unit, const std::string& description,
                        const std::string& otherwise) {
  std::string type = unit;
  std::transform(type.begin(), type.end(), type.begin(), ::toupper);
  return add_text(
      app, name,
      [name = first_name(name), unit, &value](const std::string& text) {
        value = number_of(name, text, unit);
      },
      description, type, otherwise);
}

CLI::Option* add_duration(CLI::App& app, const std::string& name,
                          const std::function<void(double)>& set, const std::string& description,
                          const std::string& otherwise) {
  const auto read = [name, set](const std::string& text) {
    const std::string_view units = "smh";
    const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
    double seconds = 0;
    try {
      seconds = number_of(
          name, unit == std::string_view::npos ? text : text.substr(0, text.size() - 1), "");
    } catch (const UsageError&) {  // said below
    }
    if (seconds <= 0) refuse(name, text, "must be a time of more than 0, e.g. 20s, 5m or 1h");
    set(unit == std::string_view::npos ? seconds
                                       : seconds * std::pow(60, static_cast<double>(unit)));
  };
  return add_text(app, name, read, description, "TIME", otherwise);
}

void exclude(CLI::Option* option, const std::vector<CLI::Option*>& others) {
  for (CLI::Option* other : others) option->excludes(other);
}

std::vector<CLI::Option*> options_of(CLI::App& app) {
  std::vector<CLI::Option*> all = app.get_options();
  std::erase(all, app.get_help_ptr());
  return all;
}

std::vector<CLI::Option*> options_of(CLI::App& app, const std::vector<std::string>& names) {
  std::vector<CLI::Option*> all;
  for (const std::string& name : names) all.push_back(app.get_option(name));
  return all;
}

bool given(const CLI::Option* option) { return option->count() > 0; }

void show_default(CLI::App& app, const std::string& name, const std::string& value) {
  options_of(app, {name}).front()->default_str(value);
}

void leave_out(CLI::App& app, const std::vector<std::string>& names) {
  for (CLI::Option* const one : options_of(app, names)) app.remove_option(one);
}

void or_variable(CLI::App& app, const CLI::Option* option, const char* name,
                 const std::function<void(const std::string&)>& read) {
  app.parse_complete_callback([=] {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0' && !given(option)) read(value);
  });
}

void finally(CLI::App& app, const std::function<void()>& check) { app.callback(check); }

}  // namespace bench

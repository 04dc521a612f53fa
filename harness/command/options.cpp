#include "harness/command/options.hpp"

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
  const std::string near = nearest(text, names);
  refuse(option, text,
         fmt::format("must be one of {}{}", fmt::join(names, ", "),
                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list,
                      const std::string& description, const std::string& type) {
  return add_list(
      app, name, [&list](const std::vector<std::string>& words) { list = words; }, description,
      type);
}

CLI::Option* add_list(CLI::App& app, const std::string& name,
                      const std::function<void(const std::vector<std::string>&)>& read,
                      const std::string& description, const std::string& type) {
  return app.add_option_function<std::vector<std::string>>(name, read, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name(type);
}

void add_files(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("FILE", files, "documents written by bench, or folders of them")
      ->required()
      ->type_name("PATH");
}

CLI::Option* add_number(CLI::App& app, const std::string& name, double& value,
                        const std::string& unit, const std::string& description) {
  std::string type = unit;
  std::transform(type.begin(), type.end(), type.begin(), ::toupper);
  return app
      .add_option_function<std::string>(
          name,
          [name, unit, &value](const std::string& text) { value = number_of(name, text, unit); },
          description)
      ->type_name(type);
}

}  // namespace bench

#include "harness/formats/formats.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "harness/formats/cells.hpp"

namespace bench {
namespace {

const JsonFormat* const json_formats[] = {&google_benchmark, &hyperfine, &pytest_benchmark,
                                          &nvbench};
const CsvFormat* const csv_formats[] = {&babelstream, &criterion};

}  // namespace

std::optional<double> seconds_of(const std::string& unit) {
  constexpr std::pair<const char*, double> units[] = {
      {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
  for (const auto& [name, seconds] : units) {
    if (unit == name) return seconds;
  }
  return {};
}

std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nullopt : std::optional(number);
}

std::string name_of_program(const std::string& path) {
  return path.substr(path.find_last_of("/\\") + 1);
}

ForeignCase& case_named(ForeignRun& run, const std::string& program, const std::string& name) {
  const auto [place, is_new] = run.places.try_emplace({program, name}, run.cases.size());
  ForeignCase& one = is_new ? run.cases.emplace_back() : run.cases[place->second];
  one.program = program;
  one.name = name;
  return one;
}

std::optional<Imported> imported(const Json& json, const std::filesystem::path& folder) {
  if (!json.is_object()) return {};
  for (const JsonFormat* const one : json_formats) {
    const bool recognised = std::all_of(one->has.begin(), one->has.end(), [&](const char* place) {
      return json.contains(Json::json_pointer(place));
    });
    if (recognised) return Imported{one->name, one->read(json, folder)};
  }
  return {};
}

std::optional<Imported> imported(std::string_view csv) {
  for (const CsvFormat* const one : csv_formats) {
    if (const auto rows = rows_below(one->header, csv)) {
      return Imported{one->name, one->read(*rows)};
    }
  }
  return {};
}

std::optional<std::string> without_nan(std::string_view json) {
  if (json.find("NaN") == std::string_view::npos && json.find("Infinity") == std::string_view::npos)
    return {};
  std::string kept;
  std::size_t done = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') in_text = !in_text;
    if (json[i] == '\\') ++i;
    for (const std::string_view word : {"NaN", "-Infinity", "Infinity"}) {
      if (in_text || !json.substr(i).starts_with(word)) continue;
      kept.append(json.substr(done, i - done)).append("null");
      done = i + word.size();
      i = done - 1;
    }
  }
  if (done == 0) return {};
  return kept.append(json.substr(done));
}

std::string all_formats() {
  std::vector<std::string> names;
  for (const JsonFormat* const one : json_formats) names.emplace_back(one->name);
  for (const CsvFormat* const one : csv_formats) names.emplace_back(one->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace bench

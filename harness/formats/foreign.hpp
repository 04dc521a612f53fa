// What files of other benchmark programs say, in one form. Readers of formats make it; result files
// are made of it.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/json.hpp"

namespace bench {

/// A benchmark of another program.
struct ForeignCase {
  std::string program;
  std::string name;  ///< benchmark/parameters
  /// Seconds per run; a single one where the file has a mean or a median only.
  std::vector<double> seconds;
  std::optional<double> bytes_per_second;
  std::optional<double> bytes;  ///< of a run
  std::optional<int> threads;
  /// Why it has no time, or none that counts, in that program's words.
  std::string no_time;
};

/// A file of another program. Facts are empty where it does not have them.
struct ForeignRun {
  std::vector<ForeignCase> cases;
  std::map<std::pair<std::string, std::string>, std::size_t> places;  ///< of those of case_named()
  std::string started;  ///< UTC or with a time zone, as in 2026-01-31T12:00:00
  std::string node;
  std::string os;
  std::string cpu_model;
  std::vector<std::string> gpus;
  std::optional<std::size_t> logical_cpus;
  std::string revision;
  std::string compiler;
  std::vector<std::string> argv;
  std::vector<std::string> warnings;
  bool cold = false;  ///< caches were emptied before each sample
};

/// The case of this name, a new one if there is none.
ForeignCase& case_named(ForeignRun& run, const std::string& program, const std::string& name);

/// The seconds of a unit of time such as `us`; nothing for another one.
std::optional<double> seconds_of(const std::string& unit);

/// A whole text as a number; nothing where it is not one.
std::optional<double> number_in(const std::string& text);

/// The name of a program that was started by a path.
std::string name_of_program(const std::string& path);

/// A program and a format of its files, recognised by content.
struct JsonFormat {
  const char* name;
  std::array<const char*, 2> has;  ///< places that its files have, as JSON pointers
  /// `folder` has the files that it refers to. Throws Misfit.
  ForeignRun (*read)(const Json& object, const std::filesystem::path& folder);
};

/// Cells of a table, by row; the first is its heading.
using Rows = std::vector<std::vector<std::string>>;

/// The same of a table, recognised by its columns.
struct CsvFormat {
  const char* name;
  const char* header;  ///< how it begins
  ForeignRun (*read)(const Rows& rows);
};

extern const JsonFormat google_benchmark;
extern const JsonFormat hyperfine;
extern const JsonFormat pytest_benchmark;
extern const JsonFormat nvbench;
extern const CsvFormat babelstream;
extern const CsvFormat criterion;

}  // namespace bench

// What a run is asked for, as plain data and what other commands hang onto it; and what it says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/command/selection.hpp"
#include "harness/document/report.hpp"
#include "harness/tables/render.hpp"

namespace bench {

/// What another command says of what it had measured, and how it ends.
struct Finding {
  std::string text;  ///< empty where nothing is left to be said
  int exit_code = 0;
};

struct RunRequest {
  /// Neither `none` nor, which prints JSON, `-`.
  bool writes_file() const { return output != "none" && output != "-"; }

  Wanted wanted;
  std::string output;   ///< result file; empty: the default path
  std::string resume;   ///< the unfinished result file to continue
  std::string profile;  ///< the one variant to run for a profiler
  Format format = Format::text;
  Language language = Language::en;
  std::size_t executions = 1;      ///< of the program as a whole
  std::vector<std::string> words;  ///< of a resumed run; empty: of this process
  bool quiet = false;
  bool dry_run = false;  ///< say what would be measured
  bool progress = true;
  bool compares = true;          ///< also measure what gives shares and bounds
  bool tries = false;            ///< the user kernels and their workloads, and nothing else
  Preset preset = Preset::none;  ///< of the tables
  std::function<void(Settings&)> choose;          ///< among what the user kernels offer
  std::function<bool(const PlannedGroup&)> only;  ///< null: all groups
  std::function<Finding(const Document&)> judge;  ///< null: tables
  /// Called before anything is measured, which its exit code prevents; null: all is measured. The
  /// run is then one that answers in its time: SIGALRM ends it with what judge says so far.
  std::function<std::optional<int>(const Context&)> before;
};

/// Exit::wrong where a variant failed, Exit::unclear where every case was skipped.
int exit_code(const Document& document);

/// The same exit code, after a line on stderr where nothing was measured.
int complained(int exit_code);

/// What a finished run prints: the tables for one task, a line for each of the others. `program`:
/// as the user typed it.
void print_result(const RunRequest& request, const Report& report, const std::string& program);

}  // namespace bench

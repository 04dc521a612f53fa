// What a run leaves, and what is said of it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/command/run_request.hpp"
#include "harness/document/report.hpp"

namespace bench {

struct Measured {
  std::shared_ptr<Report> report;
  int exit_code = 0;          ///< of what its result file holds
  std::string unwritten;      ///< what to tell the user where that file could not be written
  std::optional<int> signal;  ///< that ended it
  bool anything = true;       ///< false where the processes that measured left nothing
};

/// A run that ends in its middle.
struct Ended {
  std::shared_ptr<Report> report;
  std::size_t groups = 0;     ///< that were to be measured
  const char* by = "";        ///< what ends it
  std::optional<int> signal;  ///< nothing: a call of exit()
  bool first = true;          ///< the result file was not concluded before
  std::string unwritten;      ///< as of Measured
};

/// Prints what a run left. Returns the exit code; nothing: that of the result file.
using Print = std::function<std::optional<int>(const RunRequest&, const Report&)>;

/// Exit::wrong where a variant failed, Exit::unclear where every case was skipped.
int exit_code(const Document& document);

/// The same exit code, after a line on stderr where nothing was measured.
int complained(int exit_code);

/// Prints the tables for one task, a line for each of the others. `program`: as the user typed it.
void print_result(const RunRequest& request, const Report& report, const std::string& program);

/// The words that another command prints instead, and where the result file is.
void print_instead(const std::string& text, const Report& report);

/// Says what the run left, and how to continue it. Returns the exit code. Throws std::runtime_error
/// where its file could not be written.
int conclude(const RunRequest& request, const Measured& measured, const Print& print);
int conclude(const RunRequest& request, const Ended& ended, const Print& print);

}  // namespace bench

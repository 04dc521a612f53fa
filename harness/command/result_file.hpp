// The file that a run writes: a new one, or that of an earlier run which it continues.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/command/run_request.hpp"
#include "harness/document/report.hpp"

namespace bench {

/// Wants what a recorded run wanted. Throws UsageError, which begins with `name`, where its
/// result file does not say that.
void restore(Wanted& wanted, const RunRecord& run, const std::string& name, const Abilities& node);
/// What the run wanted that is resumed.
void restore(RunRequest& request, const Abilities& node);

/// A file that a run cannot have; what() has the remedy, too.
struct FileRefused : UsageError {
  explicit FileRefused(const std::string& what);
  std::string why;
};

// Shared with the thread that waits for signals, which may outlive the run.

/// Throws UsageError where begin() would, before user kernels are compiled or started: the file is
/// there already.
void expect_new_file(const RunRequest& request);

/// Claims a new file; in a job that Slurm has started again, another name next to it if it exists.
/// Throws UsageError.
std::shared_ptr<Report> begin(const RunRequest& request, const Context& context);
/// Claims it, or that of a run to continue. `groups` is what will be measured; in the end,
/// what is left of it. Throws UsageError.
std::shared_ptr<Report> begin(const RunRequest& request, const Context& context,
                              std::vector<PlannedGroup>& groups);

/// The same for several executions. `executions`: those that a file to be resumed holds.
std::shared_ptr<Report> begin(const RunRequest& request, Context context,
                              std::vector<Document>& executions);

struct Ending {
  bool first;             ///< the result file was not concluded before
  std::string unwritten;  ///< what to tell the user where its file could not be written
};

/// Concludes the result file. Where its file cannot be written any more, it goes to the folder for
/// temporary files.
Ending finish(Report& report, const std::string& ended_by);

}  // namespace bench

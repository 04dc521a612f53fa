// `bench course [WORKLOAD...]`: one table each, from a loop in Python to a kernel on a GPU.
#pragma once

#include <string>
#include <vector>

#include "harness/command/run.hpp"

namespace bench {

struct CourseRequest {
  std::vector<std::string> workloads;  ///< empty: energy
  RunRequest run;
};

void add_options(CLI::App& app, CourseRequest& request, const Abilities& node);

/// The exit codes of a run.
int execute(CourseRequest request, const Session& session);

}  // namespace bench

// `bench ab`: two versions of user kernels or of commands, measured in the same rounds.
#pragma once

#include <string>
#include <vector>

#include "harness/command/run.hpp"

namespace bench {

struct AbRequest {
  RunRequest run;
  std::vector<std::string> versions;  ///< base and head
  double threshold_percent = 5;
};

void add_options(CLI::App& app, AbRequest& request, const Abilities& node);

/// The exit code of its comparisons (compare/versions.hpp); Exit::wrong where a kernel is wrong.
int execute(AbRequest request, const Session& session);

}  // namespace bench

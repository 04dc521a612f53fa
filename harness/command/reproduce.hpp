// `bench reproduce FILE`: do the ratios of a result file hold on this node?
#pragma once

#include <string>
#include <vector>

#include "harness/command/run.hpp"

namespace bench {

struct ReproduceRequest {
  std::vector<std::string> files;  ///< one
  double threshold_percent = 10;   ///< change of a ratio that matters
  RunRequest run;                  ///< what is shown, and where to it is written
};

void add_options(CLI::App& app, ReproduceRequest& request);

/// The exit codes of compare/reproduction.hpp.
int execute(ReproduceRequest request, const Session& session);

}  // namespace bench

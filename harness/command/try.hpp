// `bench try`: user kernels among the variants of their workload.
#pragma once

#include <string>

#include "harness/command/run.hpp"
#include "harness/command/session.hpp"

namespace bench {

struct TryRequest {
  RunRequest run;
  std::string new_workload;  ///< of a file to be written; empty: measure
};

void add_options(CLI::App& app, TryRequest& request, const Abilities& node);

/// Does what a run does; a file that is to be written must not be there.
int execute(TryRequest request, const Session& session);

}  // namespace bench

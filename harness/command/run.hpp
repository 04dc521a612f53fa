// `bench [run]`: measures, prints tables, writes a result file.
#pragma once

#include "harness/command/run_request.hpp"
#include "harness/command/session.hpp"

namespace bench {

void add_options(CLI::App& app, RunRequest& request, const Abilities& node);
/// What is measured, and for how long.
void add_timing(CLI::App& app, RunRequest& request, const Abilities& node);
/// All of them but the filters.
void add_measuring(CLI::App& app, RunRequest& request, const Abilities& node);

/// The exit code of its result file.
int execute(RunRequest request, const Session& session);

}  // namespace bench

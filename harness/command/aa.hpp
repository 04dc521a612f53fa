// `bench aa`: the rate of false alarms on this node. Equal runs, compared.
#pragma once

#include "harness/command/run.hpp"

namespace bench {

struct AaRequest {
  RunRequest run;
  double threshold_percent = 5;
};

void add_options(CLI::App& app, AaRequest& request, const Abilities& node);

/// 0 no alarm, 3 some; Exit::wrong where a variant failed, 128 + a signal that ended it.
int execute(const AaRequest& request, const Session& session);

}  // namespace bench

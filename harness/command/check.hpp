// `bench check`: the health of this node in one line, for those who run a cluster.
#pragma once

#include <string>
#include <vector>

#include "harness/command/run.hpp"

namespace bench {

struct CheckRequest {
  RunRequest run;
  double seconds = 20;                ///< all in all
  std::vector<std::string> expected;  ///< recorded runs, files or folders
  double threshold_percent = 10;
  std::string metrics;     ///< a file for Prometheus
  std::string keep;        ///< a folder for the result file, or for the reference
  bool sustained = false;  ///< measure until the budget is used up, and compare with the beginning
  double planted = 1;      ///< a test of the check: how much slower each sample is made
  bool nagios = false;
  bool force = false;              ///< also on a node that is at work
  std::string learn;               ///< make a reference of these
  std::vector<std::string> paths;  ///< and of these
};

void add_options(CLI::App& app, CheckRequest& request, const Abilities& node);

/// The exit codes of compare/health.hpp.
int execute(CheckRequest request, const Session& session);

}  // namespace bench

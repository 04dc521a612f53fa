// Which of a node's runs count.
#pragma once

#include <vector>

#include "harness/compare/finding.hpp"
#include "harness/compare/node_run.hpp"

namespace bench {

/// Steps of one job on a node are one run; of others the newest finished one is kept. `found`: what
/// is left out.
std::vector<NodeRun> one_per_node(std::vector<NodeRun> runs, Findings& found);

}  // namespace bench

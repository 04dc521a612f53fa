// Nodes compared with themselves at an earlier time.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/finding.hpp"
#include "harness/compare/node_run.hpp"

namespace bench {

/// Gives each node the times that it would have if all nodes of its hardware had been as fast as
/// their median before: what is left between nodes is how they have changed since, without what is
/// common to all. Its facts say what has changed. Nodes that were not there before are left out.
/// Both are runs of compared nodes. `found`: what is common, and which nodes are left out.
void against_itself(std::vector<NodeRun>& now, const std::vector<NodeRun>& before, Findings& found);

}  // namespace bench

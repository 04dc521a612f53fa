// What is found of each node of a comparison.
#pragma once

#include "harness/compare/compared_nodes.hpp"

namespace bench {

/// Adds what is found of the nodes of a comparison whose cells have their verdicts: settings unlike
/// those of the others, runs that failed, and nodes that are slow, suspect or unclear. Then what
/// nodes did not measure or do not have, how long they were at work, and what their runs warned of.
void find_in_nodes(NodeComparison& comparison);

}  // namespace bench

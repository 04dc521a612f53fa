// Nodes that are a little slower than the others everywhere.
#pragma once

#include "harness/compare/compared_nodes.hpp"

namespace bench {

/// Nodes that are not named slow, but certainly slower than the median node in all columns
/// together, by at least 2 % and four times the scatter of the nodes, and in at least seven of
/// eight of them. The slowest first, each once. Only among five nodes or more: the scatter of fewer
/// is unknown.
Findings suspects(const NodeComparison& comparison);

}  // namespace bench

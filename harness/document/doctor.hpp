// Warnings about a measurement on this node, each with its remedy.
#pragma once

#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// What a reader of the result file should know before believing its numbers, from its context.
/// Missing facts cause no warning.
std::vector<Reason> doubts(const Context& context);

/// The remedy for a busy node: only a job can ask for the node alone.
Reason how_to_be_alone(const Context& context);

}  // namespace bench

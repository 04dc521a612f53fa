// Several executions of one run as one result file: what differs from start to start of a program,
// the addresses of its arrays and of its stack, no number of rounds shows.
#pragma once

#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// One result file of the executions of a run, at least two, that measured the same on one node:
/// the samples follow each other, and the intervals of medians, ratios, shares and bounds hold over
/// executions. A case is measured where it was in each of them; else it is what it was where it
/// first was not. Needs the samples.
Document pooled(const std::vector<Document>& executions);

/// The finished executions that such a result file holds, each as far as its samples say it.
/// Without their bounds: those are not in there. Where none is finished, the first one as it was
/// ended in its middle, if it has cases.
std::vector<Document> apart(const Document& whole);

}  // namespace bench

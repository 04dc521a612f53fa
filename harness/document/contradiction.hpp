#pragma once

#include "harness/document/document.hpp"

namespace bench {

/// Holds the figures of a document against its samples, and its parts against each other: what was
/// edited, mixed up or made up is no fact. Throws Misfit, naming the first place that does not
/// agree. Needs the samples.
void require_no_contradiction(const Document& document);

}  // namespace bench

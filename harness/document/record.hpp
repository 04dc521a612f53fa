#pragma once

#include "harness/document/document.hpp"
#include "harness/measure/result.hpp"

namespace bench {

/// Appends what was measured in the same rounds: its cases, what they say of each other, and how
/// variants scale with threads.
void record(Document& document, const Group& group);

}  // namespace bench

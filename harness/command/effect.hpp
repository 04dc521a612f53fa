// Options that would have no effect, or another one than their reader thinks.
#pragma once

#include <string>

#include "harness/command/selection.hpp"
#include "harness/document/document.hpp"
#include "harness/workload/suite.hpp"

namespace bench {

/// Throws UsageError where an option says something of what is not selected: bins, a GPU.
void refuse_without_effect(const Settings& settings, const Suite& suite);

/// A line on a size N that a matrix of N rows may have been meant by; empty where there is none.
std::string note_on_sizes(const Document& document);

}  // namespace bench

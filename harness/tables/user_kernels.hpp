// What is said below a table of kernels of others: what the compiler warns of, and why one is slow.
#pragma once

#include <string>
#include <vector>

#include "harness/tables/language.hpp"
#include "harness/tables/row.hpp"

namespace bench {

/// The compiler's first warning of each file; empty where there is none.
std::string compiler_text(const std::vector<Row>& rows, Language language = Language::en);

/// Of each measured one that a variant leaves behind: its threads, its loop, and what that variant
/// does. Empty where there are none, or more than a few.
std::string why_slow_text(const std::vector<Row>& rows, Language language = Language::en);

}  // namespace bench

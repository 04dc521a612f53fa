// What is said below a table of user kernels: what the compiler warns of, and why one is slow.
#pragma once

#include <string>
#include <vector>

#include "harness/tables/row.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// The compiler's first warning of each file; empty where there is none.
std::string compiler_text(const std::vector<Row>& rows, Language language = Language::en);

/// What could not be looked at, and why; empty where all was.
std::string unchecked_text(const std::vector<Row>& rows, Language language = Language::en);

/// Why a measured user kernel is slower than a variant among the rows of its table: its threads,
/// its loop, its memory, and what that variant does. A sentence each. On a busy node only what
/// needs no clock.
std::vector<std::string> why_slow(const Row& row, const std::vector<Row>& rows, Language language);

/// The same of all of them. Empty where there are none, or more than a few.
std::string why_slow_text(const std::vector<Row>& rows, Language language = Language::en);

}  // namespace bench

// Does a group fit into memory? Where it does not: the reason for the table.
#pragma once

#include <cstddef>
#include <string>

#include "harness/plan/plan.hpp"

namespace bench {

/// Bytes for reading: `36 kB`, `412 MB`, `3.2 GB`.
std::string bytes_text(std::size_t bytes);

/// Both figures in bytes, and the largest size that would do; `limit` says what it is that limits.
/// `once_more`: for arrays next to those of the group, which are there already and would be
/// smaller, too; then no size is named.
Reason memory_reason(const PlannedGroup& group, std::size_t needed, std::size_t available,
                     const Reason& limit, bool once_more = false);

/// Empty where the arrays fit into what the process may take. `once_more`: as above.
Reason reason_not_to_fit(const PlannedGroup& group, const Planning& settings, std::size_t needed,
                         bool once_more = false);

}  // namespace bench

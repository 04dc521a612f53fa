#pragma once

#include <optional>
#include <vector>

#include "harness/base/statistics.hpp"
#include "harness/document/document.hpp"
#include "harness/plan/result.hpp"

namespace bench {

/// Appends what was measured in the same rounds: its cases, what they say of each other, and how
/// variants scale with threads.
void record(Document& document, const Group& group);

/// Computes the median of the samples, at least one, its interval and drift.
void put_middle(TimesRecord& times);

/// Computes all that the samples say.
void put_figures(TimesRecord& times);

/// Computes again all that follows from the samples of a file.
void derive(Document& document);

/// Puts the bound of a measured case that has its shares. `in_cache`: what the same takes with data
/// in the nearest cache, relative to its time.
void put_bound(CaseRecord& one, const std::optional<Estimate>& in_cache);

/// Appends cases of the same rounds that have their shares and bounds already.
void append_group(Document& document, std::vector<CaseRecord> cases);

}  // namespace bench

// Documents of one node that belong into one table: the suite's own and those of other programs
// that measured the same inputs.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace bench {

/// Joins each document to the first one before it that has the same node, processor, seed, cache
/// mode and inputs and none of its cases; the others stay as they are. Where a joined row has its
/// baseline, the fastest CPU variant or the fastest copy in another run, its ratios are computed
/// anew, from medians of two runs with an interval that allows for drift, and its row of `speedups`
/// says `other_run: true`. Ratios are of cases of one workload, precision, size and cache mode
/// only.
std::vector<nlohmann::ordered_json> merge(std::vector<nlohmann::ordered_json> documents);

}  // namespace bench

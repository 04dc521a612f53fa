// Documents of one node that belong into one table: the suite's own and those of other programs
// that measured the same inputs.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/tables/words.hpp"

namespace bench {

/// A document, or several in one.
struct Merged {
  nlohmann::ordered_json document;
  std::vector<Origin> origins;
  std::vector<std::size_t> origin_of_case;  ///< into origins, row by row
};

/// Which documents merge() would join: a document belongs to the first ones before it that have the
/// same node, processor, seed, cache mode and inputs and none of its cases.
std::vector<std::vector<std::size_t>> together(
    const std::vector<nlohmann::ordered_json>& documents);

/// Joins documents that belong together; the others stay as they are. Where a joined row has its
/// baseline, the fastest CPU variant or the fastest copy in another run, its ratios are computed
/// anew, from medians of two runs with an interval that allows for drift, and its row of `speedups`
/// says `other_run: true`. Ratios are of cases of one workload, precision, size and cache mode
/// only. `files` names the documents, one by one.
std::vector<Merged> merge(std::vector<nlohmann::ordered_json> documents,
                          const std::vector<std::string>& files = {});

}  // namespace bench

// Documents of one node that belong into one table: the suite's own and those of other programs
// that measured the same inputs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/tables/row.hpp"

namespace bench {

/// A document, or several in one.
struct Merged {
  Document document;
  std::vector<Origin> origins;
  std::vector<std::size_t> origin_of_case;  ///< into origins, row by row

  const Origin& origin_of(const CaseRecord& one) const {
    return origins[origin_of_case[static_cast<std::size_t>(&one - document.cases.data())]];
  }
};

/// Which documents merge() would join: a document belongs to the first ones before it that have the
/// same node, processor, seed, cache mode and inputs and none of its cases.
std::vector<std::vector<std::size_t>> together(const std::vector<Document>& documents);

/// Joins documents that belong together; the others stay as they are. Where a joined case has its
/// baseline, the fastest CPU variant or the fastest copy in another run, its ratios are computed
/// anew, from medians of two runs with an interval that allows for drift, and it says `other_run`.
/// Needs the samples of documents that are joined. `files` names the documents, one by one.
std::vector<Merged> merge(std::vector<Document> documents,
                          const std::vector<std::string>& files = {});

}  // namespace bench

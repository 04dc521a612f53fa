// Result files of one node that belong into one: the suite's own and those of other programs that
// measured the same inputs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// A result file, or several in one, and the files that it was read from.
struct Merged {
  Document document;
  std::vector<Origin> origins;  ///< the runs in it, at least one
  std::vector<std::string> files;

  const Origin& origin_of(const CaseRecord& one) const { return origins[one.origin.value_or(0)]; }
};

/// Why two result files cannot be one, as `another seed`; empty where they can: they have the same
/// node, processor, seed, cache mode, threads, instruction set and inputs, and no case in common.
std::string difference(const Document& a, const Document& b);

/// Which result files merge() would join: a result file belongs to the first ones before it that it
/// has no difference() from.
std::vector<std::vector<std::size_t>> together(const std::vector<Document>& documents);

/// Joins result files that belong together; the others stay as they are. A joined result file lists
/// its runs in `merged`, and each case says from which of them it is. Where it has its baseline or
/// the fastest CPU variant in another run, its ratios are computed again, from medians of two runs
/// with an interval that allows for drift, and it says `other_run`. Needs the samples of result
/// files that are joined. `files` names the result files, one by one.
std::vector<Merged> merge(std::vector<Document> documents,
                          const std::vector<std::string>& files = {});

/// Joins result files of one node whose cases have names of their own, whatever they differ in;
/// `names` says what the runs are called in it. At least one.
Document joined(std::vector<Document> parts, const std::vector<std::string>& names);

/// Reads result files side by side. Throws UsageError for the first that cannot be read.
std::vector<Document> read_documents(std::vector<std::string> files, Keep keep);

/// The result files that can be read; the others are taken from `files`, and `unreadable` says why.
std::vector<Document> read_documents(std::vector<std::string>& files, Keep keep,
                                     std::vector<std::string>& unreadable);

}  // namespace bench

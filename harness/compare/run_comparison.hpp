// Two runs side by side: which cases got slower, by how much, and how sure that is.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "harness/compare/differences.hpp"
#include "harness/document/document.hpp"
#include "harness/document/ratios.hpp"

namespace bench {

/// Why nothing is said of the code, although the times differ.
enum class Doubt { none, node, busy, few_samples };

/// One case in both runs: time of the second over time of the first.
struct Comparison {
  std::string name;
  Estimate ratio{};  ///< its interval is widened by what both runs drifted
  Change change = Change::same;
  Doubt doubt = Doubt::none;
};

/// What the measured cases of a run are of.
struct Measurements {
  std::set<std::string> workloads;
  std::set<std::string> dtypes;
  std::set<std::string> sizes;
  std::set<std::string> backends;
};

/// A case without a time, and why.
struct NotMeasured {
  std::string name;
  Reason reason;

  bool operator==(const NotMeasured&) const = default;
};

struct Comparisons {
  std::vector<Comparison> cases;
  std::array<Measurements, 2> selected;     ///< of either run
  std::vector<std::string> only_in_first;   ///< asked for in one run only
  std::vector<std::string> only_in_second;  ///< the same
  std::vector<NotMeasured> absent;          ///< in the second run only
  std::vector<NotMeasured> failed;          ///< wrong in the second run
  std::vector<DifferingFact> unlike;        ///< they make the ratios meaningless
  std::vector<DifferingFact> differences;   ///< what else differs and may explain a ratio
};

/// Compares what both result files measured. A case is the same when its interval is within 1 ±
/// threshold, slower or faster when it is entirely outside, even if it is made so wide that those
/// of all cases hold together with 95 %, and unclear otherwise. It is unclear too where it would be
/// slower or faster but
/// - the fastest copy, measured in the same rounds, took another time as well: then the node was
///   another one (a clock, a neighbour, a migrated virtual machine);
/// - more than a fifth of the samples, of the case or of all cases of a run, waited for a
///   processor: then the neighbours were measured too.
/// `threshold` is a fraction. Needs the samples.
Comparisons compare(const Document& first, const Document& second, double threshold);

/// 1 some case failed in the second run, 0 no case slower, 3 some slower, 4 some unclear or absent,
/// 5 not comparable or nothing in both runs (forced: 4 where it would be 0).
int exit_code(const Comparisons& comparisons, bool forced);

}  // namespace bench

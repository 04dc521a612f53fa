// Two runs side by side: which cases got slower, by how much, and how sure that is.
#pragma once

#include <string>
#include <vector>

#include "harness/document/document.hpp"
#include "harness/document/ratios.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// Why nothing is said of the code, although the times differ.
enum class Doubt { none, node, busy };

/// One case in both runs: time of the second over time of the first.
struct Comparison {
  std::string name;
  Estimate ratio{};  ///< its interval is widened by what both runs drifted
  Change change = Change::same;
  Doubt doubt = Doubt::none;
};

struct Comparisons {
  Language language = Language::en;  ///< of the sentences
  std::vector<Comparison> cases;
  std::vector<std::string> selected;     ///< what the cases of the runs differ in as a whole
  std::vector<std::string> only_in_one;  ///< asked for in one run only, with which
  std::vector<std::string> absent;       ///< measured in the first run, not in the second, and why
  std::vector<std::string> failed;       ///< wrong in the second run, with the reason
  std::vector<std::string> unlike;       ///< differences that make the ratios meaningless
  std::vector<std::string> differences;  ///< what else differs and may explain a ratio
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
Comparisons compare(const Document& first, const Document& second, double threshold,
                    Language language = Language::en);

/// 1 some case failed in the second run, 0 no case slower, 3 some slower, 4 some unclear or absent,
/// 5 not comparable or nothing in both runs (forced: 4 where it would be 0).
int exit_code(const Comparisons& comparisons, bool forced);

std::string text(const Comparisons& comparisons, double threshold);

/// `[0.98, 1.03]`; an end that nothing can be read from is `< 0.01` or `> 100`.
std::string ratio_interval_text(const Interval& interval, Language language = Language::en);

}  // namespace bench

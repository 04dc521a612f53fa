// The ratios of a recorded run as claims, compared with the same ratios of a run here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/differences.hpp"
#include "harness/document/document.hpp"

namespace bench {

enum class Outcome { holds, refuted, untold, failed };
/// Why a claim is inconclusive, where neither its interval nor a reason of the case says it.
enum class Untold { none, not_here, few_samples, busy };

/// A recorded ratio: a case is that many times faster than serial/naive in the same rounds.
struct Claim {
  std::string name;
  RatioRecord recorded;
  std::optional<RatioRecord> here;
  /// The ratio here over the recorded one. The runs are independent, so relative errors add up in
  /// squares.
  std::optional<Estimate> change;
  Outcome outcome = Outcome::untold;
  Untold untold = Untold::none;
  Reason reason;  ///< why the case was not measured here, or what failed
};

struct Reproduction {
  double threshold = 0;
  std::string recorded;  ///< where and when
  std::vector<Claim> claims;
  std::vector<DifferingFact> differences;  ///< of both runs, which may explain a ratio

  std::size_t count(Outcome outcome) const;
};

/// The cases whose ratio over serial/naive is claimed. Pointers into the result file.
std::vector<const CaseRecord*> claims_of(const Document& recorded);

/// A claim holds where the whole interval of `change` is within 1 ± threshold, and is refuted
/// where the one that holds for all claims together is beyond; it is inconclusive where it
/// straddles that, where either run has too few samples, where this node cannot measure the case
/// (no device, fewer threads, too little memory) or where others were at work on it. `threshold` is
/// a fraction.
Reproduction reproduce(const Document& recorded, const Document& here, double threshold);

/// 1 some case failed here, 3 some claim is refuted, 4 some is inconclusive, 0 all hold.
int exit_code(const Reproduction& reproduction);

}  // namespace bench

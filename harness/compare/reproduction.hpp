// The ratios of a recorded run as claims, compared with the same ratios of a run here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/document/document.hpp"
#include "harness/words/language.hpp"

namespace bench {

enum class Outcome { holds, refuted, untold, failed };

/// A recorded ratio: a case is that many times faster than serial/naive in the same rounds.
struct Claim {
  std::string name;
  RatioRecord recorded;
  std::optional<RatioRecord> here;
  /// The ratio here over the recorded one. The runs are independent, so relative errors add up in
  /// squares.
  std::optional<Estimate> change;
  Outcome outcome = Outcome::untold;
  /// Why it is inconclusive, or what failed, in the language of the sentences; empty where the
  /// interval says it.
  std::string reason;
};

struct Reproduction {
  Language language = Language::en;
  double threshold = 0;
  std::string recorded;  ///< where and when
  std::vector<Claim> claims;
  std::vector<std::string> differences;  ///< of both runs, which may explain a ratio
};

/// The cases whose ratio over serial/naive is claimed. Pointers into the result file.
std::vector<const CaseRecord*> claims_of(const Document& recorded);

/// A claim holds where the whole interval of `change` is within 1 ± threshold, and is refuted
/// where the one that holds for all claims together is beyond; it is inconclusive where it
/// straddles that, where either run has too few samples, where this node cannot measure the case
/// (no device, fewer threads, too little memory) or where others were at work on it. `threshold` is
/// a fraction.
Reproduction reproduce(const Document& recorded, const Document& here, double threshold,
                       Language language = Language::en);

/// 1 some case failed here, 3 some claim is refuted, 4 some is inconclusive, 0 all hold.
int exit_code(const Reproduction& reproduction);

std::string text(const Reproduction& reproduction);

}  // namespace bench

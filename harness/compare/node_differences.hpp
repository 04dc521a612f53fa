// What a node has otherwise than most others, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/others.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// What differs between one node and most others: `governor powersave (others performance)`, `clock
/// 2100 MHz (others 3400)`. A figure differs only beyond the scatter of the others.
std::vector<std::string> differences(const NodeRun& node, const Others& others, Language language);

/// `kernel 6.19 (before 6.18)`, of each.
std::string changes_text(const std::vector<ChangedFact>& changes, Language language);

/// A figure of a node, and the median of the others.
struct Worse {
  double own;
  double most;
};

/// The seconds of a node that was longer at work than the others, whatever its samples say; nothing
/// within `threshold` and the scatter of the others.
std::optional<Worse> longer(const NodeRun& node, const Others& others, double threshold);

/// What a node has less of than most others, or has set otherwise.
struct Shortfall {
  std::string name;
  std::string own;
  std::string most;
  std::string unit;
  bool amount;  ///< else a setting

  /// `threads 1 (others 2)`
  std::string text(Language language) const;
};

/// The differences in what a node or its job has: fewer threads, processors or bytes than most
/// others, another instruction set, a lower limit. They are faults even where no time shows them.
std::vector<Shortfall> shortfalls(const NodeRun& node, const Others& others, Language language);

}  // namespace bench

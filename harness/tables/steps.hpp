// The steps of bench course: from a loop in Python to a kernel on a GPU, in one table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/tables/row.hpp"
#include "harness/words/language.hpp"

namespace bench {

struct Step {
  const Phrase& name;
  std::string_view backend;
  std::vector<std::string_view> variants;  ///< the first that a workload has; empty: the fastest
  bool built_in = false;                   ///< not in Python
};

/// The steps in the order of the table; the first one is what the others are compared with.
std::span<const Step> all_steps();

/// The variant of a step among those that a workload has; empty where it has none, or where the
/// fastest is meant.
std::string_view variant_of(const Step& step, const std::vector<std::string>& variants);

/// Whether a row stands for all variants of a step whose fastest is meant: none has a time.
bool stands_for_all(const Row& row);

/// What the course calls the row's step; empty without one.
std::string step_name(const Row& row, Language language);

/// The rows of the steps among those of one workload and precision, each at the largest size at
/// which it was measured: the slowest first, then those without a time. Ratios are over the first
/// step, by the time per element.
std::vector<Row> rows_of_steps(const std::vector<Row>& rows);

/// What the rows are compared with, and how.
std::string text_of_steps(const std::vector<Row>& rows, Language language);

}  // namespace bench

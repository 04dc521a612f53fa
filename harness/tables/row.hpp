// One row of a table.
#pragma once

#include <optional>
#include <string>

#include "harness/document/document.hpp"
#include "harness/document/doubt.hpp"

namespace bench {

struct Step;

/// A case, and what it is from. The pointers are never null.
struct Row {
  const CaseRecord* result;
  const Document* document;
  const Origin* origin;
  std::optional<RatioRecord>
      over_baseline;           ///< the baseline that the user chose, or the naive loop
  const Step* step = nullptr;  ///< of bench course, where its table is asked for
};

/// The file of a user kernel's row; null where the result file has none.
const GuestFile* file_of(const Row& row);

/// The case that a ratio of the row is over; null where it is not in the result file.
const CaseRecord* baseline_of(const Row& row, const RatioRecord& ratio);

/// True where no number may stand for a ratio of the row without a mark: its baseline may have been
/// disturbed too.
bool doubtful(const Row& row, const RatioRecord& ratio);

/// How many times less energy the row takes than its naive loop, from the least to the greatest
/// that their spans allow. Nothing where either is not known, or another thing was counted.
std::optional<Estimate> energy_over_naive(const Row& row);

}  // namespace bench

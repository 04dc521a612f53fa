// The answer of a table, before any words: which variants are the fastest, and what limits them.
// The sentence below a table, the last lines of a run and programs get it from here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/names.hpp"
#include "harness/tables/row.hpp"

namespace bench {

/// What a case cannot be faster than.
enum class Barrier { memory, in_cache, bus };
template <>
struct NamesOf<Barrier> {
  static constexpr std::array<std::pair<Barrier, std::string_view>, 3> all{
      {{Barrier::memory, "memory"}, {Barrier::in_cache, "in_cache"}, {Barrier::bus, "bus"}}};
};

struct LimitShown {
  Barrier by = Barrier::memory;
  std::string of;  ///< the bandwidth reference; empty for the code itself
  Estimate share;  ///< of the reference's speed; of the time, for the code itself
};

/// Nothing where the record shows no limit: its whole interval has to be near it.
std::optional<LimitShown> limit_of(const CaseRecord& one);
/// A reference comes closer to the limit than any variant that computes: a part of this is noise
/// of the reference itself.
inline constexpr double near_limit = 0.85;

/// The fastest rows of one piece of work. Library routines and user kernels are not among them.
struct Answer {
  std::optional<Row> best_cpu;            ///< built-in
  std::optional<Row> gpu;                 ///< built-in, the kernel alone
  std::optional<Row> gpu_with_transfers;  ///< built-in, from and to pinned memory
  std::optional<Row> python;              ///< of the Python implementations
  std::optional<Row> fastest;             ///< of all of these without transfers
  std::optional<Row> with_transfers;      ///< of all of these with transfers
  std::optional<LimitShown> limit;        ///< of `fastest`; of `with_transfers` where that is all
};

Answer answer_of(const std::vector<Row>& rows);

inline bool kernel_alone(const CaseRecord& one) { return one.scope == Scope::kernel; }
inline bool end_to_end(const CaseRecord& one) { return one.scope == Scope::end_to_end; }

/// The measured row with the lowest median among those that `counts` holds for; null without one.
template <class Counts>
const Row* fastest(const std::vector<Row>& rows, Counts counts) {
  const Row* best = nullptr;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.measured() || !counts(one)) continue;
    if (best == nullptr || one.seconds->median < best->result->seconds->median) best = &row;
  }
  return best;
}

}  // namespace bench

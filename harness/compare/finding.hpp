// What comparing nodes found, as values: the writers have the words.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/names.hpp"
#include "harness/base/reason.hpp"
#include "harness/base/statistics.hpp"
#include "harness/compare/node_differences.hpp"

namespace bench {

/// A time relative to the one it is compared with.
enum class NodeVerdict { same, slow, fast, unclear, alone };
template <>
struct NamesOf<NodeVerdict> {
  static constexpr std::array<std::pair<NodeVerdict, std::string_view>, 5> all{
      {{NodeVerdict::same, "same"},
       {NodeVerdict::slow, "slow"},
       {NodeVerdict::fast, "fast"},
       {NodeVerdict::unclear, "unclear"},
       {NodeVerdict::alone, "alone"}}};
};

/// What was found. Each has a sentence in finding_text.cpp.
enum class Found {
  slow,
  alone,             ///< the only node of its kind
  suspect,           ///< a little slow everywhere: its cell of all columns together
  slower_since,      ///< than it was in earlier surveys
  all_slower_since,  ///< all nodes of its hardware are
  expected,          ///< the median node of a kind against recorded runs
  failed,
  missing,
  waiting,   ///< its job has not begun
  ended,     ///< its job did not end well
  left_out,  ///< got no job
  absent,    ///< what most nodes of its kind measured
  lacking,   ///< what most nodes of its kind have
  still_running,
  ended_by,
  unreadable,
  unlike,  ///< what makes runs incomparable
  unclear,
  longer,  ///< at work than equal nodes, though not slow
  warned,
  warned_in_some,  ///< of several passes
  measured_once,   ///< and slow
  several_surveys,
  other_runs,
  one_node_twice,
  looked_back,
  not_there_before,
  common_change,
  left_out_before,  ///< not there before, where each node is compared with itself
  not_recorded,
  recorded_with_threads,
  recorded_with_sizes,
  // of the health of one node
  wrong,
  lacks,         ///< one difference
  not_compared,  ///< a workload, a part or a GPU without a time to compare
  unread,        ///< files of the reference
  no_reference,
  other_build,
  gpus_unseen,
  nothing_measured,
  slow_at_first,
  slow_unconfirmed,
  changed_at_work,  ///< clock, power and heat, where it is slower than at first
  not_judged,       ///< by the check, which says why
};

/// One of them. What it has depends on its key.
struct Finding {
  Found key{};
  std::vector<std::string> nodes{};
  Json values = Json::object();      ///< what else is said of it
  std::vector<Column> columns{};     ///< where
  std::vector<std::size_t> cells{};  ///< where, into NodeComparison::cells, the slowest first
  Estimate ratio{};
  NodeVerdict verdict{};
  std::vector<Difference> differs{};
  std::vector<Reason> reasons{};
};
using Findings = std::vector<Finding>;

}  // namespace bench

// From what the user asked for to what is measured together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/arrays/memory.hpp"
#include "harness/plan/result.hpp"
#include "harness/plan/settings.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// A variant on a problem so small that its arrays stay in the caches of the cores at work.
struct InCacheRun {
  std::shared_ptr<const Problem> problem;
  Shape shape;
  std::function<void(const Arrays&)> run;  ///< nothing where a user kernel runs
  double scale = 1;                        ///< elements of the case per element of this problem
  /// The same on half as much, but for serial code: what a launch, or handing work to the threads,
  /// takes however much there is to do may be as long as the work on data in a cache.
  std::shared_ptr<const InCacheRun> half{};
};

/// A case and how to run it.
struct PlannedCase {
  Case identity;
  std::function<void(const Arrays&)> run;
  bool transfers = false;  ///< as in Variant
  MakePlace place{};       ///< of a user kernel, which `run` does not have
  Examine examine{};       ///< of a user kernel, too
  /// It is one of several launches: a variant that leaves no choice has no part in that.
  bool needs_block = false;
  bool needs_grid = false;
  /// A reference, on the group's own arrays or apart; null for the group's problem itself.
  std::shared_ptr<const Problem> beside;
  bool apart = false;  ///< it works on arrays of its own
  std::optional<InCacheRun> in_cache;
};

/// Cases that are measured in the same rounds, on the same inputs.
struct PlannedGroup {
  std::string workload;
  Dtype dtype = Dtype::f32;
  std::string size;
  std::shared_ptr<const Problem> problem;
  const Workload* definition = nullptr;                    ///< whose problem it is; null: nobody's
  std::vector<std::shared_ptr<const Problem>> references;  ///< none in the first one's own group
  /// The largest problem of an arithmetic reference, whose arrays serve all of them: how fast it is
  /// does not depend on the group's. Null where there is none.
  std::shared_ptr<const Problem> apart;
  std::shared_ptr<const InputFiles> inputs;  ///< null: generated
  Allocate allocate = anonymous_pages;       ///< of the host's arrays
  /// The largest size whose arrays need no more bytes than this, as names have it; empty if
  /// none does.
  std::function<std::string(std::size_t bytes)> largest_within;
  std::vector<PlannedCase> cases;
};

/// The groups that the settings ask for, in the order of the registry. To every group belong its
/// baseline serial/naive and, measured with it, the bandwidth references on the same arrays: the
/// registry's first workload, and the workload's own one where it has one; or the arithmetic
/// reference, on arrays of its own. Throws
/// std::invalid_argument, with a sentence for the user, where a filter or size is unknown.
std::vector<PlannedGroup> plan(std::span<const Workload* const> registry, const Planning& settings);

/// Bytes of the array that bandwidth references write where the problem's own output is too small
/// for one; 0 where none needs it.
std::size_t scratch_bytes(const PlannedGroup& group);

/// Bytes of all arrays of a group, its references' too.
std::size_t bytes_needed(const PlannedGroup& group);

}  // namespace bench

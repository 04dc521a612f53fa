// A case's variant on data in the nearest cache of all that is at work: what is left of its time
// when nothing has to come from memory.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/arrays/place.hpp"
#include "harness/plan/plan.hpp"

namespace bench {

class InCache {
 public:
  /// `place` has the arrays of the planned problem, with its inputs; `on_host` are those of the
  /// host, where it fetches results to. `half`: of run.half, where there is one.
  InCache(const InCacheRun& run, std::unique_ptr<Place> place, Arrays on_host,
          std::unique_ptr<InCache> half = nullptr);

  /// Seconds per as many elements as the case has, without what each start takes where there is
  /// half. Throws what the variant throws.
  double sample();
  /// False where half of the differences, or more, were lost in noise.
  bool known() const { return 2 * lost_ < samples_; }
  /// What is wrong with a result of it; nothing where it is right.
  std::optional<Reason> fault();

 private:
  double seconds_of_run();

  const InCacheRun& run_;
  std::unique_ptr<Place> place_;
  Arrays on_host_;
  std::unique_ptr<InCache> half_;
  std::size_t batch_ = 1;
  std::size_t samples_ = 0;
  std::size_t lost_ = 0;
};

}  // namespace bench

// A case's variant on data in the caches of the cores at work: what is left of its time when
// nothing has to come from memory.
#pragma once

#include <optional>
#include <string>

#include "harness/measure/host_place.hpp"

namespace bench {

class InCache {
 public:
  /// `arrays` are those of the planned problem, with its inputs; `planned` says how many threads.
  InCache(const InCacheRun& run, const Case& planned, const Settings& settings, HostArrays& arrays);

  /// Seconds per as many elements as the case has. Throws what the variant throws.
  double sample();
  /// What is wrong with a result of it; nothing where it is right.
  std::optional<std::string> fault();

 private:
  const InCacheRun& run_;
  HostArrays& arrays_;
  HostPlace place_;
  std::size_t batch_ = 1;
};

}  // namespace bench

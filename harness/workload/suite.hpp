// What a program is about: everything else of it knows no workload by name.
#pragma once

#include <span>
#include <string_view>

#include "harness/workload/workload.hpp"

namespace bench {

/// A file that computes a workload plainly, to begin with.
struct Starter {
  std::string_view workload;
  std::string_view extension;  ///< `.c`
  std::string_view text;
};

/// Nothing where none is called so.
inline const Workload* workload_named(std::span<const Workload* const> all, std::string_view name) {
  for (const Workload* const one : all) {
    if (one->name == name) return one;
  }
  return nullptr;
}

struct Suite {
  std::span<const Workload* const> workloads;
  std::string_view declarations{};  ///< of functions that others may write: a header for C and C++
  std::span<const Starter> starters{};
};

}  // namespace bench

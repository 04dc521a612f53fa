// Runs whose times are known, for tests that compare them.
#pragma once

#include <utility>
#include <vector>

#include "harness/document/test/records.hpp"

namespace bench::test {

/// A case whose samples scatter by ±0.5 % around `seconds`.
inline Case timed(double seconds, const char* workload = "energy", const char* backend = "serial") {
  Case one = measured(workload, backend, "naive", seconds);
  one.size = "1000";
  one.timing.samples.clear();
  for (int i = 0; i < 40; ++i) {
    one.timing.samples.push_back(seconds * (1 + 0.005 * ((i * 7 % 11) - 5) / 5));
  }
  return named(one);
}

inline Document timed_run(std::vector<Case> cases) {
  Document document = document_of_groups({group_of(std::move(cases))});
  document.context.run.input_hash = {{"energy", {{"f32/1000", "xxh3:1"}}}};
  return document;
}
inline Document timed_run(double seconds) { return timed_run({timed(seconds)}); }

}  // namespace bench::test

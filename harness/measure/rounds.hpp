// Google Benchmark as the engine: one round measures every function once.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// Something to measure: `measure` performs one sample and returns its seconds per run.
struct Measurable {
  std::string name;
  std::function<double()> measure;
};

/// Registers every item with manual time and a single iteration, runs all of them in the given
/// order, and forgets them again. What `measure` throws is rethrown here when the round is over.
void run_round(const std::vector<Measurable>& items);

}  // namespace bench

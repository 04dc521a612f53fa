// From which size on the GPU wins over the CPU.
#pragma once

#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// The speedup of CUDA over the best CPU variant at each size, for each workload, precision, number
/// of bins, parameters and scope that has it at two numbers of elements or more, and the number of
/// elements from which on it stays above 1, with a 95 % interval. What was not measured has no part
/// in it, and of what waited for a processor nothing is known. Needs no samples: the ratios and
/// their intervals are in the cases.
std::vector<CrossoverRecord> crossovers(const std::vector<CaseRecord>& cases);

}  // namespace bench

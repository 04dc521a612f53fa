// From which size on the GPU wins over the CPU.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

/// For each workload, precision, number of bins, parameters and scope with a speedup of CUDA over
/// the best CPU variant at two numbers of elements or more: that speedup at each size, and the
/// number of elements from which on it stays above 1, with a 95 % interval. `cases` and `speedups`
/// are those of a document, row by row; what was not measured has no part in it. Costs no
/// resampling: the ratios and their intervals are in the speedups.
nlohmann::ordered_json crossovers(const nlohmann::ordered_json& cases,
                                  const nlohmann::ordered_json& speedups);

/// Lines for people, from the crossovers of the workload, precision and cache mode of a case:
/// `energy f32: the GPU wins from 42 000 elements on (31 000 … 55 000), with the transfers …`.
std::vector<std::string> crossover_texts(const nlohmann::ordered_json& crossovers,
                                         const nlohmann::ordered_json& of);

/// A number of elements for reading: 420, 42 000 (with a no-break space), 3.1 million, 10⁹.
std::string elements_text(double elements);

}  // namespace bench

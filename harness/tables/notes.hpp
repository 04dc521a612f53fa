// The notes under a table, after its sentence: scaling with threads, where the GPU wins, and what
// a figure is mostly made of.
#pragma once

#include <string>
#include <vector>

#include "harness/document/document.hpp"
#include "harness/tables/row.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// A line for a variant: `scaling of openmp/simd: 1.00 on 1, 1.92 on 2 (96 %)`.
std::string scaling_text(const ScalingRecord& entry, Language language = Language::en);

/// Lines from the crossovers of the workload, precision and cache mode of a case:
/// `energy f32: the GPU wins from 42 000 elements on (31 000 … 55 000), with the transfers …`.
std::vector<std::string> crossover_texts(const std::vector<CrossoverRecord>& crossovers,
                                         const CaseRecord& of, Language language = Language::en);

/// A note that a GPU's L2 cache may hold much of what the CUDA rows of a table move, and from which
/// size on it cannot; empty where it is not so, or not known.
std::string l2_text(const std::vector<Row>& rows, Language language = Language::en);

/// Which CUDA kernels take so little time that what shows is their launch; empty where none does,
/// or where it is not known how long that takes.
std::string launch_text(const std::vector<Row>& rows, Language language = Language::en);

/// The case whose first call took longest against its later ones, where that is a hundredfold;
/// empty where none did.
std::string first_call_text(const std::vector<Row>& rows, Language language = Language::en);

/// Which cases ran out of time before their median was known to 5 %; empty where none did.
std::string noise_text(const std::vector<Row>& rows, Language language = Language::en);

/// The row that needs the most executions, and how far its own differ beyond what their rounds
/// show; empty where the program was started once.
std::string executions_text(const std::vector<Row>& rows, Language language = Language::en);

/// Why rows have no energy although it was asked for; empty where each has one, or it was not.
std::string energy_text(const std::vector<Row>& rows, Language language = Language::en);

/// Why no events were counted although that was asked for, or that they took turns.
std::string counters_text(const std::vector<Row>& rows, Language language = Language::en);

/// A number of elements for reading: 420, 42 000 (with a no-break space), 3.1 million, 10⁹.
std::string elements_text(double elements, Language language = Language::en);

}  // namespace bench

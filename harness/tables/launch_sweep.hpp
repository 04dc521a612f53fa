// One kernel in blocks and grids of several sizes.
#pragma once

#include <string>
#include <vector>

#include "harness/tables/row.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// A line for each CUDA variant of a table that was measured with several launches: the speed with
/// each against the fastest, and which cannot be distinguished from it. Needs the samples.
std::vector<std::string> launch_sweep_texts(const std::vector<Row>& rows,
                                            Language language = Language::en);

}  // namespace bench

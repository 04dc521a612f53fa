// The sentences under a table. Point estimates decide nothing here: intervals, and samples that
// waited for a processor, say what may be claimed.
#pragma once

#include <string>
#include <vector>

#include "harness/tables/answer.hpp"
#include "harness/tables/row.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// Which variant is the fastest, by how much, and what the memory would allow: as far as that is
/// known. `rows` are all of one piece of work, and `answer` is theirs; `compared`: they have ratios
/// over another baseline than the naive loop.
std::string conclusion(const std::vector<Row>& rows, const Answer& answer,
                       Language language = Language::en, bool compared = false);

}  // namespace bench

// What a node has otherwise than most others, in words.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/others.hpp"
#include "harness/tables/language.hpp"

namespace bench {

/// What differs between one node and most others: `governor powersave (others performance)`, `clock
/// 2100 MHz (others 3400)`. A figure differs only beyond the scatter of the others.
std::vector<std::string> differences(const NodeRun& node, const Others& others, Language language);

/// Of these differences, those in what a node or its job has: fewer threads, processors or bytes
/// than most others, another instruction set, a lower limit. They are faults even where no time
/// shows them.
std::vector<std::string> shortfalls(const NodeRun& node, const Others& others, Language language);

}  // namespace bench

// What comparisons of runs have found, as people read it.
#pragma once

#include <string>

#include "harness/compare/false_alarms.hpp"
#include "harness/compare/reproduction.hpp"
#include "harness/compare/run_comparison.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// `threshold` is that of compare().
std::string text(const Comparisons& comparisons, double threshold,
                 Language language = Language::en);
std::string text(const FalseAlarms& alarms, Language language = Language::en);
std::string text(const Reproduction& reproduction, Language language = Language::en);

}  // namespace bench

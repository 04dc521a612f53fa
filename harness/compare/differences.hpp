// In what two runs differ that may matter to their ratios, as lines like `seed: 42 and 7`.
#pragma once

#include <string>
#include <vector>

#include "harness/document/document.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// What makes ratios meaningless: settings, and inputs of the same workload, precision and size.
std::vector<std::string> unlike_settings(const Context& first, const Context& second,
                                         Language language);

/// What may explain a ratio: node, binding, build.
std::vector<std::string> differing(const Context& first, const Context& second, Language language);

}  // namespace bench

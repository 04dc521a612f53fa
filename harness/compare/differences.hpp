// In what two runs differ that may matter to their ratios.
#pragma once

#include <string>
#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// A fact of two runs, and its values; they are empty where the fact says all.
struct DifferingFact {
  Reason fact;
  std::string first{};
  std::string second{};

  bool operator==(const DifferingFact&) const = default;
};

/// What makes ratios meaningless: settings, and inputs of the same workload, precision and size.
std::vector<DifferingFact> unlike_settings(const Context& first, const Context& second);

/// What may explain a ratio: node, binding, build.
std::vector<DifferingFact> differing(const Context& first, const Context& second);

}  // namespace bench

// In what two runs differ that may matter to their ratios.
#pragma once

#include <string>
#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// A fact of two runs, and its values; they are empty where the fact says all.
struct Difference {
  Reason fact;
  std::string first{};
  std::string second{};

  bool operator==(const Difference&) const = default;
};

/// What makes ratios meaningless: settings, and inputs of the same workload, precision and size.
std::vector<Difference> unlike_settings(const Context& first, const Context& second);

/// What may explain a ratio: node, binding, build.
std::vector<Difference> differing(const Context& first, const Context& second);

}  // namespace bench

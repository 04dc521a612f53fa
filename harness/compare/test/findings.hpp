// What the tests of comparisons ask of their findings.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "harness/compare/node_comparison.hpp"

namespace bench::test {

using Names = std::vector<std::string>;

/// A list of the JSON that is of sentences, or of nodes.
inline Names lines(const NodeComparison& comparison, const char* list) {
  return node_comparison_json(comparison, false).at(list).get<Names>();
}

/// The nodes of these findings.
inline Names nodes_of(const NodeComparison& comparison, std::initializer_list<Found> keys) {
  Names names;
  for (const Finding& one : comparison.found(keys)) {
    names.insert(names.end(), one.nodes.begin(), one.nodes.end());
  }
  return names;
}

/// What differs in the slowest node.
inline Names differences_of_slowest(const NodeComparison& comparison) {
  return node_comparison_json(comparison, false).at("slow").at(0).at("differs").get<Names>();
}

inline Names slow(const NodeComparison& comparison) { return nodes_of(comparison, {Found::slow}); }

}  // namespace bench::test

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// The names that a list in Slurm's notation stands for: `n[01-03,07],gpu1` is n01, n02, n03, n07
/// and gpu1; a name may hold several brackets. Empty where the list makes no sense, or stands for
/// more names than any cluster has.
std::vector<std::string> expand_nodelist(std::string_view list);

/// The order of nodes: numbers in names as numbers, n2 before n10.
struct NodeOrder {
  bool operator()(std::string_view a, std::string_view b) const;
};

/// Names whose numbers follow one another.
struct NodeRange {
  std::string text;  ///< `n[01-03]`, `n[1-4]/gpu0`, or one name
  std::size_t nodes = 0;
};

/// Sorted, as few as possible.
std::vector<NodeRange> node_ranges(const std::vector<std::string>& names);

}  // namespace bench

#include "harness/compare/suspects.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace bench {
namespace {

/// Sound nodes differ by less.
constexpr double least_suspected_ratio = 1.02;

/// Whether a column is one of those that are pooled in another one.
bool is_part_of(const Column& column, const Column& pooled) {
  return column.pooled.empty() && column.best == pooled.best && column.dtype == pooled.dtype &&
         column.parameters == pooled.parameters;
}

/// The cells of all columns together: those of one kind of nodes in one column are compared.
std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> pooled_cells(
    const NodeComparison& comparison) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < comparison.cells.size(); ++i) {
    const Cell& cell = comparison.cells[i];
    if (comparison.columns[cell.column].pooled.empty()) continue;
    found[{cell.kind, cell.column}].push_back(i);
  }
  return found;
}

/// The ratio from which on a node is not one of the others.
double suspected_from(const NodeComparison& comparison, const std::vector<std::size_t>& cells,
                      const std::set<std::size_t>& slow) {
  constexpr double deviations = 4;
  std::vector<double> seconds;
  for (const std::size_t i : cells) {
    const Cell& cell = comparison.cells[i];
    if (!slow.contains(cell.run)) seconds.push_back(cell.time.seconds);
  }
  if (seconds.empty()) return least_suspected_ratio;
  return std::max(least_suspected_ratio, std::exp(deviations * bench::spread(seconds)));
}

/// A suspect, with the number of pooled columns in which its node is slower.
Finding suspect(const NodeComparison& comparison, std::size_t at) {
  const Cell& together = comparison.cells[at];
  const Column& pooled = comparison.columns[together.column];
  std::size_t slower = 0;
  std::size_t columns = 0;
  for (const Cell& cell : comparison.cells) {
    if (cell.run != together.run || !is_part_of(comparison.columns[cell.column], pooled)) continue;
    ++columns;
    if (cell.ratio.value > 1) ++slower;
  }
  return {.key = Found::suspect,
          .nodes = {comparison.runs[together.run].node},
          .values = {{"slower_columns", slower}, {"columns", columns}},
          .columns = {pooled},
          .cells = {at},
          .ratio = together.ratio};
}

}  // namespace

Findings suspects(const NodeComparison& comparison) {
  constexpr std::size_t enough_nodes = 5;
  const auto slow = comparison.slow_runs();
  std::map<std::size_t, Finding> of_run;
  for (const auto& [compared, cells] : pooled_cells(comparison)) {
    if (cells.size() < enough_nodes) continue;
    const double from = suspected_from(comparison, cells, slow);
    for (const std::size_t i : cells) {
      const Cell& cell = comparison.cells[i];
      if (slow.contains(cell.run) || cell.ratio.value < from || cell.ratio.ci95.low <= 1) continue;
      const Finding one = suspect(comparison, i);
      const bool in_most = 8 * one.values["slower_columns"].get<std::size_t>() >=
                           7 * one.values["columns"].get<std::size_t>();
      if (!in_most && !one.columns.front().of_limits()) continue;
      const auto [known, is_new] = of_run.try_emplace(cell.run, one);
      if (!is_new && one.ratio.value > known->second.ratio.value) known->second = one;
    }
  }
  Findings found;
  for (const auto& [run, one] : of_run) found.push_back(one);
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    return a.ratio.value > b.ratio.value;
  });
  return found;
}

}  // namespace bench

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
  std::map<std::size_t, std::size_t> kind_of;
  for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind) {
    for (const std::size_t run : comparison.kinds[kind].runs) kind_of[run] = kind;
  }
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> found;
  for (std::size_t i = 0; i < comparison.cells.size(); ++i) {
    const Cell& cell = comparison.cells[i];
    if (comparison.columns[cell.column].pooled.empty()) continue;
    found[{kind_of.at(cell.run), cell.column}].push_back(i);
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
Suspect with_columns(const NodeComparison& comparison, std::size_t at) {
  const Cell& all = comparison.cells[at];
  Suspect one{at, 0, 0};
  for (const Cell& cell : comparison.cells) {
    if (cell.run != all.run ||
        !is_part_of(comparison.columns[cell.column], comparison.columns[all.column])) {
      continue;
    }
    ++one.columns;
    if (cell.ratio.value > 1) ++one.slower;
  }
  return one;
}

}  // namespace

std::vector<Suspect> suspects(const NodeComparison& comparison) {
  constexpr std::size_t enough_nodes = 5;
  const auto slow = comparison.slow_runs();
  const auto ratio = [&](const Suspect& one) { return comparison.cells[one.cell].ratio.value; };
  std::map<std::size_t, Suspect> of_run;
  for (const auto& [compared, cells] : pooled_cells(comparison)) {
    if (cells.size() < enough_nodes) continue;
    const double from = suspected_from(comparison, cells, slow);
    for (const std::size_t i : cells) {
      const Cell& cell = comparison.cells[i];
      if (slow.contains(cell.run) || cell.ratio.value < from || cell.ratio.ci95.low <= 1) continue;
      const Suspect one = with_columns(comparison, i);
      const bool of_limits = comparison.columns[cell.column].of_limits();
      if (!of_limits && 8 * one.slower < 7 * one.columns) continue;
      const auto [known, is_new] = of_run.try_emplace(cell.run, one);
      if (!is_new && ratio(one) > ratio(known->second)) known->second = one;
    }
  }
  std::vector<Suspect> found;
  for (const auto& [run, one] : of_run) found.push_back(one);
  std::stable_sort(found.begin(), found.end(),
                   [&](const Suspect& a, const Suspect& b) { return ratio(a) > ratio(b); });
  return found;
}

}  // namespace bench

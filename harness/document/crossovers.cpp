#include "harness/document/crossovers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace bench {
namespace {

/// The best CUDA variant of one size, and what it is compared with.
struct Point {
  CrossoverPoint point;
  double seconds = 0;
};

/// What makes one entry.
struct SizeSeries {
  CrossoverRecord entry;
  std::map<std::string, Point> points;  ///< by size
};

/// A ratio that has a logarithm.
bool usable(const std::optional<RatioRecord>& ratio) {
  const auto has_one = [](double value) { return value > 0 && std::isfinite(value); };
  return ratio && ratio->baseline && has_one(ratio->value) && has_one(ratio->ci95.low) &&
         has_one(ratio->ci95.high);
}

/// What a series is called: a size is none of its parts, the number of bins is.
std::string series_name(const CaseRecord& one) {
  Parameters parameters = one.parameters;
  std::string name = fmt::format("{}/{}/{}", one.workload, name_of(one.dtype), name_of(one.scope));
  if (one.bins) name += fmt::format(",bins={}", *one.bins);
  for (const auto& [key, value] : parameters) name += fmt::format(",{}={}", key, value);
  return name;
}

/// The series in the order of the document. Of each size the fastest variant stays.
std::vector<SizeSeries> all_size_series(const std::vector<CaseRecord>& cases) {
  std::map<std::string, std::string> rungs;
  for (const CaseRecord& one : cases) rungs[one.name] = one.rung();
  std::vector<SizeSeries> all;
  std::map<std::string, std::size_t> known;
  for (const CaseRecord& one : cases) {
    if (one.backend != cuda_backend || !one.measured() || one.beside || !one.ours()) continue;
    if (one.elements == 0 || of_other_memory(one.scope)) continue;
    if (!usable(one.over_best_cpu) || !rungs.contains(*one.over_best_cpu->baseline)) continue;
    const std::string name = series_name(one);
    const auto [found, is_new] = known.emplace(name, all.size());
    if (is_new) {
      CrossoverRecord& entry = all.emplace_back().entry;
      entry.name = name;
      entry.workload = one.workload;
      entry.dtype = one.dtype;
      entry.bins = one.bins;
      entry.scope = one.scope;
      entry.cache = one.cache;
    }
    const Estimate ratio{one.over_best_cpu->value, one.over_best_cpu->ci95};
    const Point point{
        {one.size, one.elements, rungs.at(*one.over_best_cpu->baseline), one.rung(), ratio},
        one.seconds->median};
    const auto [other, is_first] = all[found->second].points.emplace(one.size, point);
    if (!is_first && point.seconds < other->second.seconds) other->second = point;
  }
  return all;
}

using Points = std::vector<CrossoverPoint>;

/// By size. Of shapes with equally many elements the one where the GPU does worst comes last, so
/// that it does not count as won where it wins one of them only.
Points in_order(const std::map<std::string, Point>& by_size) {
  Points points;
  for (const auto& [size, point] : by_size) points.push_back(point.point);
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
    if (a.elements != b.elements) return a.elements < b.elements;
    return a.ratio.value > b.ratio.value;
  });
  return points;
}

constexpr double everywhere = 0;
constexpr double nowhere = std::numeric_limits<double>::infinity();

/// The number of elements from which on `ratio` stays above 1: a straight line in the logarithms of
/// both between the last point where it does not, and its successor. `everywhere` where it always
/// does, `nowhere` where it does not even at the largest size.
template <class Ratio>
double crossing(const Points& points, Ratio ratio) {
  std::size_t won = points.size();
  while (won > 0 && ratio(points[won - 1]) > 1) --won;
  if (won == 0) return everywhere;
  if (won == points.size()) return nowhere;
  const CrossoverPoint& before = points[won - 1];
  const CrossoverPoint& after = points[won];
  const double rise = std::log(ratio(after)) - std::log(ratio(before));
  const double way = -std::log(ratio(before)) / rise;
  const double from = std::log(static_cast<double>(before.elements));
  const double to = std::log(static_cast<double>(after.elements));
  return std::round(std::exp(from + way * (to - from)));
}

/// The ends are where the ends of the ratios' bootstrap intervals cross 1: between them the data do
/// not exclude a draw. Not resampled along the line: the groups of two sizes were measured apart,
/// so their errors are independent, and the line between the ends of two intervals lies no further
/// in than the interval of the line would. It also needs no samples. What it does not hold is how
/// far the curve between two sizes is from a line.
std::array<std::optional<std::size_t>, 2> interval(const Points& points) {
  // A percentile interval need not contain its own estimate; ours shall.
  const double low = crossing(points, [](const CrossoverPoint& point) {
    return std::max(point.ratio.ci95.high, point.ratio.value);
  });
  const double high = crossing(points, [](const CrossoverPoint& point) {
    return std::min(point.ratio.ci95.low, point.ratio.value);
  });
  std::array<std::optional<std::size_t>, 2> ends;
  if (low == nowhere) {
    ends[0] = points.back().elements;
  } else if (low != everywhere) {
    ends[0] = static_cast<std::size_t>(low);
  }
  if (high == everywhere) {
    ends[1] = points.front().elements;
  } else if (high != nowhere) {
    ends[1] = static_cast<std::size_t>(high);
  }
  return ends;
}

void conclude(CrossoverRecord& entry) {
  const double from =
      crossing(entry.points, [](const CrossoverPoint& point) { return point.ratio.value; });
  entry.ci95 = interval(entry.points);
  const auto [low, high] = entry.ci95;
  // What the intervals do not bear is no verdict.
  entry.verdict = high == entry.points.front().elements ? CrossoverVerdict::always
                  : low == entry.points.back().elements ? CrossoverVerdict::never
                  : high                                ? CrossoverVerdict::from
                                                        : CrossoverVerdict::unclear;
  const bool estimate = entry.verdict == CrossoverVerdict::from && from != everywhere;
  if (estimate) entry.size = static_cast<std::size_t>(from);
}

}  // namespace

std::vector<CrossoverRecord> crossovers(const std::vector<CaseRecord>& cases) {
  std::vector<CrossoverRecord> entries;
  for (SizeSeries& series : all_size_series(cases)) {
    series.entry.points = in_order(series.points);
    const Points& points = series.entry.points;
    if (points.front().elements == points.back().elements) continue;
    conclude(series.entry);
    entries.push_back(std::move(series.entry));
  }
  return entries;
}

}  // namespace bench

#include "harness/document/crossovers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "harness/document/doubt.hpp"

namespace bench {
namespace {

/// The best CUDA variant of one size, and what it is compared with.
struct Point {
  CrossoverPoint point;
  double seconds = 0;
  bool untold = false;  ///< of the ratio nothing is known
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

/// What a series is called: a size is none of its parts, the number of bins or steps is.
std::string series_name(const CaseRecord& one) {
  std::string name = fmt::format("{}/{}/{}", one.workload, name_of(one.dtype), name_of(one.scope));
  if (one.bins) name += fmt::format(",bins={}", *one.bins);
  if (one.steps) name += fmt::format(",steps={}", *one.steps);
  for (const auto& [key, value] : one.parameters) name += fmt::format(",{}={}", key, value);
  return name;
}

/// The series in the order of the result file. Of each size the fastest variant stays.
std::vector<SizeSeries> all_size_series(const std::vector<CaseRecord>& cases) {
  std::map<std::string, const CaseRecord*> measured;
  for (const CaseRecord& one : cases) {
    if (one.measured()) measured[one.name] = &one;
  }
  std::vector<SizeSeries> all;
  std::map<std::string, std::size_t> known;
  for (const CaseRecord& one : cases) {
    if (!runs_on(one.backend, RunsOn::device) || !one.measured() || one.beside || !one.ours())
      continue;
    if (one.elements == 0 || of_other_memory(one.scope)) continue;
    if (!usable(one.over_best_cpu) || !measured.contains(*one.over_best_cpu->baseline)) continue;
    const CaseRecord& cpu = *measured.at(*one.over_best_cpu->baseline);
    const std::string name = series_name(one);
    const auto [found, is_new] = known.emplace(name, all.size());
    if (is_new) {
      CrossoverRecord& entry = all.emplace_back().entry;
      entry.name = name;
      entry.workload = one.workload;
      entry.dtype = one.dtype;
      entry.bins = one.bins;
      entry.steps = one.steps;
      entry.scope = one.scope;
      entry.cache = one.cache;
      entry.parameters = one.parameters;
    }
    const Estimate ratio{one.over_best_cpu->value, one.over_best_cpu->ci95};
    const Point point{{one.size, one.elements, cpu.rung(), one.rung(), ratio},
                      one.seconds->median,
                      inconclusive(cpu) || inconclusive(one)};
    const auto [other, is_first] = all[found->second].points.emplace(one.size, point);
    if (!is_first && point.seconds < other->second.seconds) other->second = point;
  }
  return all;
}

using Points = std::vector<Point>;

/// The points by size. Among shapes with equally many elements the one where the GPU does worst
/// comes last, so that it does not count as won where it wins one of them only.
Points in_order(const std::map<std::string, Point>& by_size) {
  Points points;
  for (const auto& [size, point] : by_size) points.push_back(point);
  std::stable_sort(points.begin(), points.end(), [](const Point& one, const Point& other) {
    const CrossoverPoint& a = one.point;
    const CrossoverPoint& b = other.point;
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
  const Point& before = points[won - 1];
  const Point& after = points[won];
  const double below = -std::log(ratio(before));
  const double way = std::isinf(below) ? 1 : below / (below + std::log(ratio(after)));
  const double from = std::log(static_cast<double>(before.point.elements));
  const double to = std::log(static_cast<double>(after.point.elements));
  return std::round(std::exp(from + way * (to - from)));
}

/// The ends are where the ends of the ratios' intervals cross 1: between them the data do
/// not exclude a draw. The groups of two sizes were measured apart, so their errors are
/// independent, and the line between the ends of two intervals is not further in than the interval
/// of the line would. It also needs no samples. What it does not hold is how far the curve between
/// two sizes is from a line. The ratio of an untold point may be anything.
std::array<std::optional<std::size_t>, 2> interval(const Points& points) {
  // That of a ratio of another run need not contain its estimate; this one must.
  const double low = crossing(points, [](const Point& one) {
    const Estimate& ratio = one.point.ratio;
    return one.untold ? HUGE_VAL : std::max(ratio.ci95.high, ratio.value);
  });
  const double high = crossing(points, [](const Point& one) {
    const Estimate& ratio = one.point.ratio;
    return one.untold ? 0 : std::min(ratio.ci95.low, ratio.value);
  });
  std::array<std::optional<std::size_t>, 2> ends;
  if (low == nowhere) {
    ends[0] = points.back().point.elements;
  } else if (low != everywhere) {
    ends[0] = static_cast<std::size_t>(low);
  }
  if (high == everywhere) {
    ends[1] = points.front().point.elements;
  } else if (high != nowhere) {
    ends[1] = static_cast<std::size_t>(high);
  }
  return ends;
}

void conclude(CrossoverRecord& entry, const Points& points) {
  const double from = crossing(points, [](const Point& one) { return one.point.ratio.value; });
  entry.ci95 = interval(points);
  const auto [low, high] = entry.ci95;
  // No verdict beyond what the intervals support.
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
    const Points points = in_order(series.points);
    for (const Point& one : points) series.entry.points.push_back(one.point);
    if (points.front().point.elements == points.back().point.elements) continue;
    conclude(series.entry, points);
    entries.push_back(std::move(series.entry));
  }
  return entries;
}

}  // namespace bench

#include "harness/crossovers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "harness/case_name.hpp"
#include "harness/document.hpp"
#include "harness/result.hpp"
#include "harness/size_label.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

/// The best CUDA variant of one size.
struct Point {
  std::string size;
  std::size_t elements = 0;
  std::string cpu;
  std::string gpu;
  double seconds = 0;
  Estimate ratio;  ///< time of the best CPU variant over its own
};

/// What makes one entry.
struct Series {
  Json identity;
  std::map<std::string, Point> points;  ///< by size
};

/// Nothing where a figure is missing or has no logarithm.
std::optional<Estimate> estimate(const Json& ratio) {
  const Json& value = at(ratio, "value");
  const Json& ci95 = at(ratio, "ci95");
  if (!ci95.is_array() || ci95.size() != 2) return {};
  for (const Json& one : {value, ci95.at(0), ci95.at(1)}) {
    if (!one.is_number() || !(one.get<double>() > 0) || !std::isfinite(one.get<double>())) {
      return {};
    }
  }
  return Estimate{value.get<double>(), {ci95.at(0).get<double>(), ci95.at(1).get<double>()}};
}

/// backend/variant of a case's name.
std::string variant_of(const std::string& name) {
  std::istringstream parts(name);
  std::string workload;
  std::string backend;
  std::string variant;
  std::getline(parts, workload, '/');
  std::getline(parts, backend, '/');
  std::getline(parts, variant, '/');
  return fmt::format("{}/{}", backend, variant);
}

std::string text(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

/// The parameters in a case's name, the number of bins among them as it is one here.
std::string parameters(const std::string& name, std::size_t bins) {
  const std::string rest = name.substr(std::min(name.find(','), name.size()));
  return (bins > 0 ? fmt::format(",bins={}", bins) : "") + rest;
}

/// The series in the order of the document. Of each size the fastest variant stays.
std::vector<Series> all_series(const Json& cases, const Json& speedups) {
  std::vector<Series> all;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& one = cases.at(i);
    const std::string name = text(one, "name");
    if (one.at("backend") != cuda_backend || one.at("status") != "measured") continue;
    if (!beside(name).empty() || one.value("library", false)) continue;
    const Json& over_cpu = speedups.at(i).at("over_best_cpu");
    const auto ratio = estimate(over_cpu);
    const auto size = parse_label(text(one, "size"));
    const Json& baseline = at(over_cpu, "baseline");
    if (!ratio || !size || !baseline.is_string()) continue;

    const std::string key = fmt::format("{}/{}/{}{}", text(one, "workload"), text(one, "dtype"),
                                        text(one, "scope"), parameters(name, size->bins));
    const auto [found, is_new] = known.emplace(key, all.size());
    if (is_new) {
      Series& series = all.emplace_back();
      series.identity = {{"name", key},
                         {"workload", one.at("workload")},
                         {"dtype", one.at("dtype")},
                         {"bins", size->bins > 0 ? Json(size->bins) : Json(nullptr)},
                         {"scope", one.at("scope")},
                         {"cache", one.at("cache")}};
    }
    const Point point{.size = text(one, "size"),
                      .elements = size->elements,
                      .cpu = variant_of(baseline.get<std::string>()),
                      .gpu = fmt::format("{}/{}", text(one, "backend"), text(one, "variant")),
                      .seconds = speedups.at(i).at("seconds").get<double>(),
                      .ratio = *ratio};
    const auto [other, is_first] = all[found->second].points.emplace(point.size, point);
    if (!is_first && point.seconds < other->second.seconds) other->second = point;
  }
  return all;
}

/// By size. Of shapes with equally many elements the one where the GPU does worst comes last, so
/// that it does not count as won where it wins one of them only.
std::vector<Point> in_order(const std::map<std::string, Point>& by_size) {
  std::vector<Point> points;
  for (const auto& [size, point] : by_size) points.push_back(point);
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
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
double crossing(const std::vector<Point>& points, Ratio ratio) {
  std::size_t won = points.size();
  while (won > 0 && ratio(points[won - 1]) > 1) --won;
  if (won == 0) return everywhere;
  if (won == points.size()) return nowhere;
  const Point& before = points[won - 1];
  const Point& after = points[won];
  const double rise = std::log(ratio(after)) - std::log(ratio(before));
  const double way = -std::log(ratio(before)) / rise;
  const double from = std::log(static_cast<double>(before.elements));
  const double to = std::log(static_cast<double>(after.elements));
  return std::round(std::exp(from + way * (to - from)));
}

Json elements(double count) { return static_cast<std::uint64_t>(count); }

/// The ends are where the ends of the ratios' bootstrap intervals cross 1: between them the data do
/// not exclude a draw. Not resampled along the line: the groups of two sizes were measured apart,
/// so their errors are independent, and the line between the ends of two intervals lies no further
/// in than the interval of the line would. It also needs no samples. What it does not hold is how
/// far the curve between two sizes is from a line.
Json interval(const std::vector<Point>& points) {
  // A percentile interval need not contain its own estimate; ours shall.
  const double low = crossing(points, [](const Point& point) {
    return std::max(point.ratio.ci95.high, point.ratio.value);
  });
  const double high = crossing(
      points, [](const Point& point) { return std::min(point.ratio.ci95.low, point.ratio.value); });
  Json ends = {nullptr, nullptr};
  if (low == nowhere) {
    ends[0] = points.back().elements;
  } else if (low != everywhere) {
    ends[0] = elements(low);
  }
  if (high == everywhere) {
    ends[1] = points.front().elements;
  } else if (high != nowhere) {
    ends[1] = elements(high);
  }
  return ends;
}

Json entry(const Series& series, const std::vector<Point>& points) {
  Json rows = Json::array();
  for (const Point& point : points) {
    const Interval& ci95 = point.ratio.ci95;
    rows.push_back({{"size", point.size},
                    {"elements", point.elements},
                    {"cpu", point.cpu},
                    {"gpu", point.gpu},
                    {"ratio", {{"value", point.ratio.value}, {"ci95", {ci95.low, ci95.high}}}}});
  }
  const double from = crossing(points, [](const Point& point) { return point.ratio.value; });
  Json result = series.identity;
  result["points"] = rows;
  result["size"] = from == everywhere || from == nowhere ? Json(nullptr) : elements(from);
  result["ci95"] = interval(points);
  result["verdict"] = from == everywhere ? "always" : from == nowhere ? "never" : "from";
  return result;
}

}  // namespace

Json crossovers(const Json& cases, const Json& speedups) {
  Json entries = Json::array();
  for (const Series& series : all_series(cases, speedups)) {
    const std::vector<Point> points = in_order(series.points);
    if (points.front().elements == points.back().elements) continue;
    entries.push_back(entry(series, points));
  }
  return entries;
}

}  // namespace bench

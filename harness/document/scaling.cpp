#include "harness/document/scaling.hpp"

#include <algorithm>

#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"

namespace bench {
namespace {

using Cases = std::vector<const CaseRecord*>;

/// What more threads must bring to be called a help.
constexpr double worth_it = 1.05;

bool suffices(const Cases& by_threads, std::size_t i) {
  return std::all_of(by_threads.begin() + static_cast<std::ptrdiff_t>(i) + 1, by_threads.end(),
                     [&](const CaseRecord* more) {
                       return ratio_over(*by_threads[i], *more).ci95.high < worth_it;
                     });
}

/// The most threads, where they are known to help.
std::optional<int> enough_threads(const Cases& by_threads) {
  const auto untold = [](const CaseRecord* one) { return inconclusive(*one); };
  if (std::any_of(by_threads.begin(), by_threads.end(), untold)) return std::nullopt;
  for (std::size_t i = 0; i + 1 < by_threads.size(); ++i) {
    if (suffices(by_threads, i)) return by_threads[i]->threads;
  }
  const CaseRecord& most = *by_threads.back();
  const bool helps = std::all_of(by_threads.begin(), by_threads.end() - 1, [&](const auto* fewer) {
    return ratio_over(*fewer, most).ci95.low > 1;
  });
  return helps ? most.threads : std::nullopt;
}

ScalingRecord entry(const std::string& name, Cases cases) {
  std::sort(cases.begin(), cases.end(),
            [](const CaseRecord* a, const CaseRecord* b) { return a->threads < b->threads; });
  const CaseRecord& fewest = *cases.front();
  ScalingRecord entry{.name = name,
                      .workload = fewest.workload,
                      .backend = fewest.backend,
                      .variant = fewest.variant,
                      .dtype = fewest.dtype,
                      .size = fewest.size,
                      .cache = fewest.cache,
                      .points = {},
                      .enough_threads = enough_threads(cases)};
  for (const CaseRecord* one : cases) {
    const RatioRecord speedup = ratio_over(fewest, *one);
    const bool untold = one != &fewest && (inconclusive(fewest) || inconclusive(*one));
    const double ideal = static_cast<double>(*one->threads) / *fewest.threads;
    entry.points.push_back({.threads = *one->threads,
                            .seconds = one->seconds->median,
                            .speedup = {speedup.value, speedup.ci95, std::nullopt},
                            .efficiency = speedup.value / ideal,
                            .doubtful = untold || !narrow(speedup.ci95)});
  }
  return entry;
}

}  // namespace

std::vector<ScalingRecord> scaling(const std::vector<CaseRecord>& cases) {
  Cases with_threads;
  for (const CaseRecord& one : cases) {
    if (one.measured() && runs_on(one.backend, RunsOn::all_threads) && !one.beside)
      with_threads.push_back(&one);
  }
  std::vector<ScalingRecord> entries;
  for (const Series& series : series_over({"threads"}, with_threads)) {
    entries.push_back(entry(series.name, series.cases));
  }
  return entries;
}

}  // namespace bench

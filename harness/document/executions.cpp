#include "harness/document/executions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "harness/base/reasons.hpp"
#include "harness/document/crossovers.hpp"
#include "harness/document/ratios.hpp"
#include "harness/document/record.hpp"
#include "harness/document/report.hpp"

namespace bench {
namespace {

/// The same case in each execution.
using Each = std::vector<const CaseRecord*>;

double square(double value) { return value * value; }

double mean_of(const Each& all, const std::function<double(const TimesRecord&)>& figure) {
  double sum = 0;
  for (const CaseRecord* const one : all) sum += figure(*one->seconds);
  return sum / static_cast<double>(all.size());
}

/// Half the interval of a median is two of its deviations.
double error_of_median(const TimesRecord& times) {
  return (times.ci95.high - times.ci95.low) / 4 / times.median;
}

/// The deviation of a normal distribution with these quartiles: tails do not count.
double deviation_of_samples(const TimesRecord& times) {
  constexpr double quartiles = 1.349;
  return (times.q3 - times.q1) / quartiles / times.median;
}

/// As many as make the interval of the ratio of two such runs 1 % to either side.
std::size_t for_one_percent(double deviation) {
  constexpr std::size_t most = 1'000'000;
  const double goal = std::log(1.01);
  std::size_t n = 2;
  while (n < most && student_95(n) * deviation * std::sqrt(2.0 / static_cast<double>(n)) > goal) {
    n += 1 + n / 20;
  }
  return n;
}

ExecutionsRecord executions_record(const Each& all, const std::vector<double>& medians) {
  ExecutionsRecord record;
  for (const CaseRecord* const one : all) record.samples.push_back(one->seconds->samples.size());
  const double scatter = relative_deviation(medians);
  const double within = mean_of(all, [](const TimesRecord& times) {
    return square(error_of_median(times)) + square(times.drift.value_or(0));
  });
  record.between = std::sqrt(std::max(0.0, square(scatter) - within));
  record.of_blocks = mean_of(all, [](const TimesRecord& times) { return times.drift.value_or(0); });
  record.of_rounds = mean_of(all, deviation_of_samples);
  record.for_one_percent = for_one_percent(scatter);
  return record;
}

TimesRecord pooled_times(const Each& all) {
  TimesRecord times;
  std::vector<double> medians;
  for (const CaseRecord* const one : all) {
    const std::vector<double>& more = one->seconds->samples;
    times.samples.insert(times.samples.end(), more.begin(), more.end());
    medians.push_back(one->seconds->median);
  }
  for (const CaseRecord* const one : all) {
    const TimesRecord& part = *one->seconds;
    if (part.preempted) times.preempted = times.preempted.value_or(0) + *part.preempted;
    times.too_short += part.too_short;
    times.stop = part.stop;
  }
  times.executions = executions_record(all, medians);
  put_figures(times);
  return times;
}

/// The worst of all.
VerificationRecord pooled_verification(const Each& all) {
  VerificationRecord worst = *all.front()->verification;
  for (const CaseRecord* const one : all) {
    worst.max_error = std::max(worst.max_error, one->verification->max_error);
  }
  return worst;
}

std::optional<GpuUseRecord> pooled_gpu(const Each& all) {
  std::optional<GpuUseRecord> gpu = all.front()->gpu;
  if (!gpu) return gpu;
  std::vector<double> clocks;
  gpu->throttled_samples.reset();
  gpu->throttled_by.reset();
  for (const CaseRecord* const one : all) {
    if (!one->gpu) continue;
    if (one->gpu->sm_clock_mhz) clocks.push_back(*one->gpu->sm_clock_mhz);
    const auto throttled = one->gpu->throttled_samples;
    if (throttled) gpu->throttled_samples = gpu->throttled_samples.value_or(0) + *throttled;
    if (!one->gpu->throttled_by) continue;
    if (!gpu->throttled_by) gpu->throttled_by.emplace();
    for (const auto& [why, samples] : *one->gpu->throttled_by) (*gpu->throttled_by)[why] += samples;
  }
  if (!clocks.empty()) gpu->sm_clock_mhz = median(clocks);
  return gpu;
}

/// Nothing where an execution has none: what is left would be of less than the samples.
template <class T>
std::vector<T> of_each(const Each& all, std::optional<T> CaseRecord::*fact) {
  std::vector<T> found;
  for (const CaseRecord* const one : all) {
    if (one->*fact) found.push_back(*(one->*fact));
  }
  if (found.size() < all.size()) found.clear();
  return found;
}

std::optional<EnergyRecord> pooled_energy(const Each& all) {
  const std::vector<EnergyRecord> parts = of_each(all, &CaseRecord::energy);
  if (parts.empty()) return {};
  EnergyRecord whole;
  whole.of = parts.front().of;
  for (const EnergyRecord& part : parts) {
    whole.samples.insert(whole.samples.end(), part.samples.begin(), part.samples.end());
    whole.seconds += part.seconds;
    whole.runs += part.runs;
  }
  whole.joules = median(whole.samples);
  const auto elements = static_cast<double>(all.front()->elements);
  if (elements > 0) whole.joules_per_element = whole.joules / elements;
  return whole;
}

/// Counts per run, of the runs of all.
std::optional<EventCounts> pooled_counters(const Each& all) {
  const std::vector<EventCounts> parts = of_each(all, &CaseRecord::counters);
  if (parts.empty()) return {};
  EventCounts whole = parts.front();
  whole.runs = 0;
  for (const EventCounts& part : parts) {
    whole.runs += part.runs;
    whole.scaled = whole.scaled || part.scaled;
  }
  for (const auto figure : event_figures) {
    double total = 0;
    for (const EventCounts& part : parts) {
      if (!(part.*figure)) (whole.*figure).reset();
      total += (part.*figure).value_or(0) * static_cast<double>(part.runs);
    }
    if (whole.*figure) whole.*figure = total / static_cast<double>(whole.runs);
  }
  return whole;
}

CaseRecord pooled_case(const Each& all) {
  const auto elsewhere =
      std::find_if(all.begin(), all.end(), [](const CaseRecord* one) { return !one->measured(); });
  if (elsewhere != all.end()) return **elsewhere;
  CaseRecord one = *all.front();
  one.seconds = pooled_times(all);
  one.rounds = one.seconds->samples.size();
  one.verification = pooled_verification(all);
  one.gpu = pooled_gpu(all);
  one.energy = pooled_energy(all);
  one.counters = pooled_counters(all);
  if (one.gb_per_s) one.gb_per_s = static_cast<double>(one.bytes) / one.seconds->median / 1e9;
  one.bound.reset();
  one.standing.reset();
  one.model_share.reset();
  one.over_serial.reset();
  one.over_best_cpu.reset();
  return one;
}

/// What the same takes with data in the caches, relative to the time of the case, over executions.
std::optional<Estimate> share_in_cache(const Each& all) {
  std::vector<double> shares;
  for (const CaseRecord* const one : all) {
    const auto& bound = one->bound;
    if (!bound || !bound->in_cache_seconds) return std::nullopt;
    shares.push_back(*bound->in_cache_seconds / one->seconds->median);
  }
  return with_interval(median(shares), interval_over_executions(shares));
}

/// Cases of the same rounds, each with what it was in every execution.
void append_pooled(Document& document, const std::vector<Each>& rows) {
  std::vector<CaseRecord> cases;
  for (const Each& row : rows) cases.push_back(pooled_case(row));
  fill_shares(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].measured()) put_bound(cases[i], share_in_cache(rows[i]));
  }
  append_group(document, std::move(cases));
}

/// What the first execution says of the run, and what the others add.
RunRecord pooled_run(const std::vector<Document>& executions) {
  RunRecord run = executions.front().context.run;
  run.executions = executions.size();
  run.duration_s = 0;
  run.phases_s.emplace();
  run.warnings.clear();
  for (const Document& execution : executions) {
    *run.duration_s += execution.context.run.duration_s.value_or(0);
    for (const auto& [phase, seconds] : execution.context.run.phases_s.value_or(Seconds{})) {
      (*run.phases_s)[phase] += seconds;
    }
    // Those of its samples are made again, from the samples of all executions.
    const auto of_samples = sample_warnings(execution);
    for (const Reason& warning : execution.context.run.warnings) {
      const auto known = std::find(of_samples.begin(), of_samples.end(), warning);
      if (known == of_samples.end()) add_once(run.warnings, warning);
    }
  }
  return run;
}

/// The cases that are in every execution, in the order of the first, by their rounds.
std::vector<std::vector<Each>> rows_by_rounds(const std::vector<Document>& executions,
                                              RunRecord& run) {
  std::map<std::string, Each> by_name;
  for (const Document& execution : executions) {
    for (const CaseRecord& one : execution.cases) by_name[one.name].push_back(&one);
  }
  for (const auto& [name, each] : by_name) {
    if (each.size() == executions.size()) continue;
    add_once(run.warnings, said<reasons::not_in_every_execution>(name));
  }
  std::vector<std::vector<Each>> all;
  const CaseRecord* before = nullptr;
  for (const CaseRecord& one : executions.front().cases) {
    const Each& each = by_name.at(one.name);
    if (each.size() < executions.size()) continue;
    if (before == nullptr || rounds_of(*before) != rounds_of(one)) all.emplace_back();
    all.back().push_back(each);
    before = &one;
  }
  return all;
}

/// Leaves the part of one of several executions. What is known of all of them only is divided, or
/// is the first one's.
void take_part(CaseRecord& one, std::size_t number, std::size_t count) {
  TimesRecord& times = *one.seconds;
  const std::span<const double> part = executions_of(times)[number];
  times.samples = std::vector<double>(part.begin(), part.end());
  times.busiest.reset();
  times.executions.reset();
  put_figures(times);
  one.rounds = times.samples.size();
  one.bound.reset();
  if (one.counters) one.counters->runs /= count;
  if (one.energy && one.energy->samples.size() % count == 0) {
    EnergyRecord& energy = *one.energy;
    const auto each = static_cast<std::ptrdiff_t>(energy.samples.size() / count);
    const auto begin = energy.samples.begin() + static_cast<std::ptrdiff_t>(number) * each;
    energy.samples = std::vector<double>(begin, begin + each);
    energy.seconds /= static_cast<double>(count);
    energy.runs /= count;
  } else {
    one.energy.reset();
  }
  if (number == 0) return;
  if (times.preempted) times.preempted = 0;
  times.too_short = 0;
  if (one.gpu && one.gpu->throttled_samples) one.gpu->throttled_samples = 0;
  if (one.gpu) one.gpu->throttled_by.reset();
}

/// The first execution, which was ended in its middle, as the run that it is.
Document begun(Document first) {
  first.context.run.executions.reset();
  first.context.run.executions_wanted.reset();
  return first;
}

}  // namespace

std::vector<Document> apart(const Document& whole) {
  const std::size_t count = whole.context.run.executions.value_or(0);
  if (count == 0 && !whole.cases.empty()) return {begun(whole)};
  std::vector<Document> all(count, whole);
  for (std::size_t i = 0; i < count; ++i) {
    RunRecord& run = all[i].context.run;
    run.finished = true;
    run.ended_by.reset();
    run.duration_s = 0;  // the resumed run knows the time of all
    run.phases_s.reset();
    if (i > 0) run.warnings.clear();
    for (CaseRecord& one : all[i].cases) {
      if (one.measured() && count > 1) take_part(one, i, count);
    }
  }
  return all;
}

Document pooled(const std::vector<Document>& executions) {
  Document whole;
  whole.context = executions.front().context;
  RunRecord& run = whole.context.run;
  run = pooled_run(executions);
  for (const auto& rows : rows_by_rounds(executions, run)) append_pooled(whole, rows);
  whole.crossovers = crossovers(whole.cases);
  return whole;
}

}  // namespace bench

#include "harness/document/ratios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

bool ours_on_cpu(const CaseRecord& one) { return one.measured() && !one.on_gpu() && one.ours(); }

/// Cases of one run: paired by execution where it has several, else by round.
Estimate ratio_within_run(const CaseRecord& baseline, const CaseRecord& one) {
  const TimesRecord& numerator = *baseline.seconds;
  const TimesRecord& denominator = *one.seconds;
  if (numerator.executions && denominator.executions) {
    std::vector<double> ratios = medians_of(numerator);
    const std::vector<double> below = medians_of(denominator);
    std::transform(ratios.begin(), ratios.end(), below.begin(), ratios.begin(), std::divides());
    return with_interval(numerator.median / denominator.median, interval_over_executions(ratios));
  }
  // A GPU's variants have turns of their own within a round.
  const bool paired = baseline.on_gpu() == one.on_gpu();
  return paired ? paired_ratio(numerator.samples, denominator.samples)
                : drifting_ratio(numerator.samples, denominator.samples);
}

/// The GPU or socket of a case: each in a result file has references of its own.
std::string part_of(const CaseRecord& one) {
  std::string part;
  for (const char* const key : {device_parameter, socket_parameter, together_parameter}) {
    const auto found = one.parameters.find(key);
    if (found != one.parameters.end()) part += fmt::format(",{}={}", key, found->second);
  }
  return part;
}

std::string nearest_reference(const CaseRecord& one) {
  std::string nearest = plain_reference;
  for (const auto& [reference, share] : one.share_of) {
    if (reference != plain_reference) nearest = reference;
  }
  return nearest;
}

using Fastest = std::map<ReferenceKey, const CaseRecord*>;

/// What is compared with a reference, in 10⁹ per second: operations where that is an arithmetic
/// one, bytes otherwise. Nothing where the case has none of them.
std::optional<double> speed(const CaseRecord& one, const CaseRecord& reference) {
  if (!reference.arithmetic_reference) return one.gb_per_s;
  if (!one.seconds || one.flops == 0) return {};
  return static_cast<double>(one.flops) / one.seconds->median / 1e9;
}

bool is_faster(const CaseRecord& one, const CaseRecord& reference) {
  return speed(one, reference).value_or(0) > *speed(reference, reference);
}

/// The fastest of what moves the bytes of a reference, or does as much arithmetic: it shows that
/// this can be done.
Fastest yardsticks(const Fastest& references, const std::vector<CaseRecord>& cases) {
  Fastest fastest = references;
  for (const CaseRecord& one : cases) {
    // One of several steps need not move its bytes.
    if (!one.ours() || one.beside || one.sweeps() > 1) continue;
    const ReferenceKey key = reference_key(one, nearest_reference(one));
    const auto found = references.find(key);
    if (found == references.end()) continue;
    const CaseRecord*& best = fastest.at(key);
    if (speed(one, *found->second).value_or(0) > *speed(*best, *found->second)) best = &one;
  }
  return fastest;
}

Interval widened(const Estimate& ratio, double factor) {
  const auto end = [&](double of_one) {
    return ratio.value * std::pow(of_one / ratio.value, factor);
  };
  return {end(ratio.ci95.low), end(ratio.ci95.high)};
}

}  // namespace

std::vector<std::span<const double>> executions_of(const TimesRecord& times) {
  const std::span<const double> all = times.samples;
  if (!times.executions) return {all};
  std::vector<std::span<const double>> parts;
  std::size_t begin = 0;
  for (const std::size_t count : times.executions->samples) {
    parts.push_back(all.subspan(begin, count));
    begin += count;
  }
  return parts;
}

std::vector<double> medians_of(const TimesRecord& times) {
  std::vector<double> medians;
  for (const auto part : executions_of(times)) medians.push_back(median(part));
  return medians;
}

Estimate ratio_of_runs(const TimesRecord& numerator, const TimesRecord& denominator) {
  if (!numerator.executions || !denominator.executions) {
    return drifting_ratio(numerator.samples, denominator.samples);
  }
  return with_interval(numerator.median / denominator.median,
                       interval_over_executions(medians_of(numerator), medians_of(denominator)));
}

std::string rounds_of(const CaseRecord& one) {
  const Beside group = one.beside.value_or(Beside{one.workload, one.size});
  return fmt::format("{}:{}/{}/{}{}", group.workload, group.size, name_of(one.dtype),
                     name_of(one.cache), one.on_gpu() ? "" : part_of(one));
}

std::string work_of(const CaseRecord& one) {
  return fmt::format("{}/{}:{}", rounds_of(one), one.workload, one.size);
}

RatioRecord ratio_on_processor(const CaseRecord& baseline, const CaseRecord& one) {
  if (&baseline == &one) return {1, {1, 1}, baseline.name};
  const auto [value, ci95] = paired_ratio(*baseline.seconds->busiest, *one.seconds->busiest);
  return {value, ci95, baseline.name};
}

RatioRecord ratio_over(const CaseRecord& baseline, const CaseRecord& one) {
  if (&baseline == &one) return {1, {1, 1}, baseline.name};
  const Estimate ratio = baseline.origin == one.origin
                             ? ratio_within_run(baseline, one)
                             : ratio_of_runs(*baseline.seconds, *one.seconds);
  return {ratio.value, ratio.ci95, baseline.name};
}

std::vector<Series> series_over(const std::vector<std::string>& parameters,
                                const std::vector<const CaseRecord*>& cases) {
  std::vector<Series> all;
  for (const CaseRecord* const one : cases) {
    Parameters others = one->parameters;
    for (const std::string& parameter : parameters) others.erase(parameter);
    const std::string name = one->name_with(others);
    const auto known = std::find_if(all.begin(), all.end(), [&](const Series& series) {
      return series.name == name && series.cases.front()->origin == one->origin;
    });
    auto& same = known == all.end() ? all.emplace_back(Series{name, {}}) : *known;
    same.cases.push_back(one);
  }
  std::erase_if(all, [](const Series& series) { return series.cases.size() < 2; });
  return all;
}

std::map<std::string, Baselines> baselines(const std::vector<CaseRecord>& cases) {
  std::map<std::string, Baselines> all;
  for (const CaseRecord& one : cases) {
    if (!ours_on_cpu(one)) continue;
    Baselines& here = all[work_of(one)];
    if (one.rung() == naive_rung) here.serial = &one;
    if (here.best_cpu == nullptr || one.seconds->median < here.best_cpu->seconds->median) {
      here.best_cpu = &one;
    }
  }
  return all;
}

void put_ratios(std::vector<CaseRecord>& cases) {
  const auto all = baselines(cases);
  for (CaseRecord& one : cases) {
    if (!one.measured()) continue;
    const auto put = [&](std::optional<RatioRecord>& ratio, const CaseRecord* baseline) {
      if (baseline == nullptr) return;
      const bool other_run = baseline->origin != one.origin;
      if (ratio && !other_run) return;
      ratio = ratio_over(*baseline, one);
      one.other_run = one.other_run || other_run;
    };
    if (const auto found = all.find(work_of(one)); found != all.end()) {
      put(one.over_serial, found->second.serial);
      put(one.over_best_cpu, found->second.best_cpu);
    }
    one.no_ratio =
        one.over_serial ? std::nullopt : std::optional(one.no_ratio.value_or(no_baseline));
  }
}

ReferenceKey reference_key(const CaseRecord& one, const std::string& workload) {
  // A user kernel, or a model, is compared with what the ladder reaches with as many threads.
  const RunsOn where = one.on_gpu()       ? RunsOn::device
                       : one.threads == 1 ? RunsOn::one_thread
                                          : RunsOn::all_threads;
  const std::string backend(one.guest ? backend_on(where).name : ladder_of(one.backend));
  return {rounds_of(one), backend + part_of(one), one.threads.value_or(0), one.scope, workload};
}

std::map<ReferenceKey, const CaseRecord*> reference_bandwidths(
    const std::vector<CaseRecord>& cases) {
  std::map<ReferenceKey, const CaseRecord*> fastest;
  for (const CaseRecord& one : cases) {
    // The ladder of a reference workload is measured by the fastest of its own.
    const bool reference = one.beside || one.share_of.contains(one.workload);
    // A library may show what can be computed: then it alone.
    const bool fits = one.ours() ? one.memory_bound || one.arithmetic_reference
                                 : one.library && one.arithmetic_reference;
    if (!reference || !fits || speed(one, one).value_or(0) <= 0) continue;
    const CaseRecord*& best = fastest[reference_key(one, one.workload)];
    if (best == nullptr || is_faster(one, *best)) best = &one;
  }
  return fastest;
}

void fill_shares(std::vector<CaseRecord>& cases) {
  const auto references = reference_bandwidths(cases);
  const auto fastest = yardsticks(references, cases);
  for (CaseRecord& one : cases) {
    one.share_ci95.clear();
    for (auto& [workload, share] : one.share_of) {
      const auto found = fastest.find(reference_key(one, workload));
      share.reset();
      if (found == fastest.end()) continue;
      const CaseRecord& reference = *references.at(found->first);
      const CaseRecord& yardstick = *found->second;
      const auto own = speed(one, reference);
      if (!own) continue;
      share = *own / *speed(yardstick, reference);
      const RatioRecord times = ratio_over(yardstick, one);
      const double scale = *share / times.value;
      const double of_reference = *own / *speed(reference, reference);
      one.share_ci95[workload] = {scale * times.ci95.low,
                                  std::max(scale * times.ci95.high, of_reference)};
    }
  }
}

ReferenceShare nearest_share(const CaseRecord& one) {
  const std::string nearest = nearest_reference(one);
  const bool arithmetic = !one.memory_bound;
  if (arithmetic && nearest == plain_reference) return {};
  const auto share = one.share_of.find(nearest);
  const auto ci95 = one.share_ci95.find(nearest);
  return {nearest, share == one.share_of.end() ? std::nullopt : share->second,
          ci95 == one.share_ci95.end() ? std::nullopt : std::optional(ci95->second), arithmetic};
}

Change judge(const Interval& ratio, double threshold) {
  const double slowest_same = 1 + threshold;
  const double fastest_same = 1 / slowest_same;
  if (ratio.low > slowest_same) return Change::slower;
  if (ratio.high < fastest_same) return Change::faster;
  if (ratio.low >= fastest_same && ratio.high <= slowest_same) return Change::same;
  return Change::unclear;
}

Change judge_among(std::size_t ratios, const Estimate& ratio, double threshold) {
  const Change alone = judge(ratio.ci95, threshold);
  if (alone == Change::same || ratios == 0) return alone;
  return judge(widened(ratio, joint_95(ratios) / joint_95(1)), threshold);
}

}  // namespace bench

#include "harness/document/record.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "harness/document/crossovers.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/document/scaling.hpp"

namespace bench {
namespace {

std::optional<Reason> text_or_nothing(const Reason& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The interval of the ratio over another run of which nothing is known but that it is alike.
double smallest_change(const std::vector<double>& samples) {
  return drifting_ratio(samples, samples).ci95.high - 1;
}

TimesRecord times_of(const Timing& timing) {
  TimesRecord times;
  times.samples = timing.samples;
  times.preempted = timing.preempted;
  if (timing.busiest.size() == timing.samples.size()) times.busiest = timing.busiest;
  times.too_short = timing.too_short;
  times.stop = timing.stop;
  put_figures(times);
  return times;
}

/// The threads used in samples that are long enough: what is asked and answered uses a processor,
/// too.
std::optional<double> threads_used(const Timing& timing) {
  constexpr double long_enough = 1e-3;
  const double runs = std::accumulate(timing.samples.begin(), timing.samples.end(), 0.0);
  const double seconds = runs * static_cast<double>(timing.batch);
  if (!timing.processor_seconds) return {};
  if (seconds < long_enough * static_cast<double>(timing.samples.size())) return {};
  return *timing.processor_seconds / seconds;
}

GpuUseRecord gpu_use_of(const GpuUse& gpu) {
  const auto& clocks = gpu.sm_clocks_mhz;
  GpuUseRecord record{gpu.uuid, {}, gpu.throttled_samples, {}};
  if (!clocks.empty()) record.sm_clock_mhz = median(clocks);
  if (!gpu.throttled_by.empty()) record.throttled_by = gpu.throttled_by;
  return record;
}

EnergyRecord energy_of(const EnergyUse& use, std::size_t elements) {
  const double joules = median(use.joules);
  return {.joules = joules,
          .joules_per_element = if_finite(joules / static_cast<double>(elements)),
          .samples = use.joules,
          .seconds = use.seconds,
          .runs = use.runs,
          .of = use.of};
}

void put_measured(CaseRecord& one, const Case& result) {
  one.batch = result.timing.batch;
  one.rounds = result.timing.samples.size();
  one.seconds = times_of(result.timing);
  if (result.energy) one.energy = energy_of(*result.energy, result.elements);
  one.energy_reason = text_or_nothing(result.no_energy);
  one.counters = result.counts;
  one.threads_used = threads_used(result.timing);
  if (!result.memory_bound) return;
  one.gb_per_s = static_cast<double>(result.bytes) / one.seconds->median / 1e9;
}

CaseRecord case_record(const Case& result) {
  CaseRecord one;
  part_of<CaseIdentity>(one) = result;
  one.status = result.status.value();
  one.reason = text_or_nothing(result.reason);
  one.unchecked = text_or_nothing(result.unchecked);
  if (result.measured()) put_measured(one, result);
  if (const auto& verdict = result.verdict) {
    one.verification = VerificationRecord{verdict->metric, if_finite(verdict->max_error),
                                          verdict->tolerance, verdict->passed};
  }
  one.launch = result.launch;
  if (result.gpu) one.gpu = gpu_use_of(*result.gpu);
  return one;
}

/// The share of its time that a case takes in caches, paired by round. A user kernel has fewer
/// samples there, after the rounds.
std::optional<Estimate> share_in_cache(const Timing& timing) {
  if (timing.in_cache.empty()) return {};
  const std::span<const double> all = timing.samples;
  return paired_ratio(timing.in_cache, all.last(timing.in_cache.size()));
}

/// The workloads that the cases of a group are compared with: copying, and a nearer one where the
/// group's workload has it.
std::map<std::string, std::optional<double>> references_of(const Group& group) {
  std::map<std::string, std::optional<double>> names{{plain_reference, std::nullopt}};
  for (const Case& one : group.cases) {
    const bool is_there = !one.library || one.measured();
    if (one.bandwidth_reference || (one.nearer_reference && is_there)) {
      names.emplace(one.workload, std::nullopt);
    }
  }
  return names;
}

bool is_guest(const CaseRecord& one) { return one.guest.has_value(); }

/// The case that is faster in the middle of its samples, what was not measured last.
bool sooner(const CaseRecord* a, const CaseRecord* b) {
  if (!a->measured() || !b->measured()) return a->measured() && !b->measured();
  if (a->on_processor && b->on_processor) return a->on_processor->median < b->on_processor->median;
  return a->seconds->median < b->seconds->median;
}

/// The ratio by which a race is decided.
RatioRecord ratio_in_race(const CaseRecord& baseline, const CaseRecord& one) {
  const bool on_processor = baseline.on_processor && one.on_processor;
  return on_processor ? ratio_on_processor(baseline, one) : ratio_over(baseline, one);
}

/// `one` against built-in variants, of which `ladder` has the fastest first.
StandingRecord standing_of(const CaseRecord& one, const std::vector<CaseRecord*>& ladder) {
  StandingRecord standing;
  for (const CaseRecord* const rung : ladder) {
    const RatioRecord over = ratio_in_race(*rung, one);
    if (over.ci95.low > 1) {
      standing.faster_than = over;
      break;
    }
    if (over.ci95.high < 1) {
      standing.slower_than = over;
      standing.like.clear();
    } else {
      standing.like.push_back(rung->name);
    }
  }
  return standing;
}

/// What a user kernel can be compared with: what ran on the same hardware in the same scope.
struct Race {
  std::vector<CaseRecord*> guests;
  std::vector<CaseRecord*> ladder;  ///< the built-in ones
};

/// Somebody's time says nothing because others used the node, and what each had of a processor is
/// known.
bool busy(const Race& race) {
  const auto is_unclear = [](const CaseRecord* one) {
    return submitted(*one) && (busy(*one) || !narrow(one->seconds->ci95));
  };
  // A clock that did not tick makes ratios without a number.
  const auto is_known = [](const CaseRecord* one) {
    const auto& busiest = one->seconds->busiest;
    return busiest && !one->seconds->executions &&
           std::all_of(busiest->begin(), busiest->end(),
                       [](double seconds) { return seconds > 0; });
  };
  return std::any_of(race.guests.begin(), race.guests.end(), is_unclear) &&
         std::all_of(race.guests.begin(), race.guests.end(), is_known) &&
         std::all_of(race.ladder.begin(), race.ladder.end(), is_known);
}

/// Fills in what each in a busy race had of a processor.
void put_on_processor(Race& race) {
  std::vector<CaseRecord*> all = race.ladder;
  all.insert(all.end(), race.guests.begin(), race.guests.end());
  for (CaseRecord* const one : all) {
    const auto [middle, ci95] = median_estimate(*one->seconds->busiest);
    one->on_processor = OnProcessorRecord{middle, ci95, {}, {}};
  }
  const auto fastest = std::min_element(race.ladder.begin(), race.ladder.end(), sooner);
  const auto naive = std::find_if(race.ladder.begin(), race.ladder.end(),
                                  [](const CaseRecord* one) { return one->rung() == naive_rung; });
  for (CaseRecord* const one : all) {
    if (naive != race.ladder.end()) {
      one->on_processor->over_serial = ratio_on_processor(**naive, *one);
    }
    if (fastest != race.ladder.end()) {
      one->on_processor->over_best_cpu = ratio_on_processor(**fastest, *one);
    }
  }
}

void put_standings(Race& race) {
  const bool is_busy = busy(race);
  if (is_busy) put_on_processor(race);
  const double alike = is_busy ? indistinguishable_when_busy : indistinguishable_files;
  std::sort(race.ladder.begin(), race.ladder.end(), sooner);
  std::sort(race.guests.begin(), race.guests.end(), sooner);
  // The first one of many that are equal was lucky: the middle one of those before was not.
  std::vector<const CaseRecord*> sharing;  // a rank
  std::size_t rank = 1;
  std::size_t before = 0;
  for (CaseRecord* const one : race.guests) {
    one->standing = standing_of(*one, race.ladder);
    if (!submitted(*one) || incredible(*one) || unranked(*one)) continue;
    ++before;
    if (!sharing.empty()) {
      const CaseRecord& middle = *sharing[(sharing.size() - 1) / 2];
      if (1 / ratio_in_race(middle, *one).ci95.high - 1 > alike) {
        sharing.clear();
        rank = before;
      }
    }
    sharing.push_back(one);
    one->standing->rank = rank;
  }
}

/// Puts the standings of all cases of one or more runs.
void put_standings(std::vector<CaseRecord>& cases) {
  std::map<std::tuple<std::optional<std::size_t>, std::string, bool, Scope>, Race> races;
  for (CaseRecord& one : cases) {
    one.standing.reset();
    one.on_processor.reset();
    if (!one.measured() || one.beside) continue;
    Race& race = races[{one.origin, rounds_of(one), one.on_gpu(), one.scope}];
    if (is_guest(one)) race.guests.push_back(&one);
    if (one.ours()) race.ladder.push_back(&one);
  }
  for (auto& [where, race] : races) put_standings(race);
}

/// Puts the share of the ladder's speed that each model reaches, into its fastest case.
void put_model_shares(std::vector<CaseRecord>& cases) {
  using Where = std::tuple<std::optional<std::size_t>, std::string, int, Scope, std::string_view>;
  std::map<Where, CaseRecord*> fastest;
  const auto where = [](const CaseRecord& one, std::string_view backend) {
    return Where{one.origin, rounds_of(one), one.threads.value_or(0), one.scope, backend};
  };
  for (CaseRecord& one : cases) {
    one.model_share.reset();
    if (!one.measured() || !one.ours() || one.beside) continue;
    CaseRecord*& best = fastest[where(one, one.backend)];
    if (best == nullptr || sooner(&one, best)) best = &one;
  }
  for (const auto& [of, one] : fastest) {
    if (!is_model(one->backend)) continue;
    const auto ladder = fastest.find(where(*one, ladder_of(one->backend)));
    if (ladder != fastest.end()) one->model_share = ratio_over(*ladder->second, *one);
  }
}

/// What the same takes with data in the caches, as a file says it: its samples are not in there.
std::optional<Estimate> recorded_in_cache(const BoundRecord& bound, double seconds) {
  if (!bound.in_cache_seconds) return std::nullopt;
  const double share = *bound.in_cache_seconds / seconds;
  const bool known = bound.by == Limit::in_cache;
  return Estimate{share, known ? bound.share.ci95 : Interval{share, share}};
}

/// A share of the time, or of a bandwidth, as a limit; nothing where it was exceeded. What noise
/// puts above the limit is at it.
std::optional<Estimate> as_bound(const Estimate& share) {
  const auto [low, high] = share.ci95;
  if (!std::isfinite(share.value) || low > 1 || high > beyond_limit) return {};
  return Estimate{std::min(share.value, 1.0), {low, std::min(high, 1.0)}};
}

/// The time in a cache is scaled from some microseconds: its interval has to be narrow, too.
std::optional<Estimate> bound_in_cache(const std::optional<Estimate>& share) {
  constexpr double widest = 1.2;
  if (!share || share->ci95.high > widest * share->ci95.low) return {};
  return as_bound(*share);
}

/// User kernels are sorted by time, because readers look for the fastest.
void sort_guests(std::vector<CaseRecord>& cases) {
  const auto begin = std::find_if(cases.begin(), cases.end(), is_guest);
  const auto end = std::find_if_not(begin, cases.end(), is_guest);
  std::stable_sort(begin, end,
                   [](const CaseRecord& a, const CaseRecord& b) { return sooner(&a, &b); });
}

}  // namespace

void record(Document& document, const Group& group) {
  std::vector<CaseRecord> cases;
  const auto references = references_of(group);
  for (const Case& result : group.cases) {
    cases.push_back(case_record(result));
    cases.back().share_of = references;
  }
  fill_shares(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].measured()) put_bound(cases[i], share_in_cache(group.cases[i].timing));
  }
  append_group(document, std::move(cases));
}

void put_middle(TimesRecord& times) {
  const Estimate middle = median_estimate(times.samples);
  times.median = middle.value;
  times.ci95 = middle.ci95;
  times.drift = if_finite(drift(times.samples, middle));
  if (!times.executions) return;
  times.ci95 = with_interval(middle.value, interval_over_executions(medians_of(times))).ci95;
}

void put_figures(TimesRecord& times) {
  const std::vector<double>& samples = times.samples;
  put_middle(times);
  times.q1 = quantile(samples, 0.25);
  times.q3 = quantile(samples, 0.75);
  times.min = *std::min_element(samples.begin(), samples.end());
  times.noise = if_finite(relative_noise(samples));
  times.smallest_change = if_finite(smallest_change(samples));
  times.outliers = outliers(samples);
  if (!times.executions) return;
  const std::vector<double> medians = medians_of(times);
  times.noise = (times.ci95.high - times.ci95.low) / 2 / times.median;
  times.smallest_change = interval_over_executions(medians, medians).high - 1;
}

void put_bound(CaseRecord& one, const std::optional<Estimate>& time_in_cache) {
  if (!one.memory_bound || one.beside) return;
  const auto in_cache = bound_in_cache(time_in_cache);
  // User kernels and libraries were not run on data in a cache: memory need not be what keeps it
  // back.
  if (one.guest && !in_cache) return;
  const double seconds = one.seconds->median;
  const auto [reference, share, ci95, arithmetic] = nearest_share(one);
  BoundRecord bound;
  const auto sweeps = static_cast<double>(one.sweeps());  // of which one is enough
  const auto memory = share && ci95
                          ? as_bound({*share / sweeps, {ci95->low / sweeps, ci95->high / sweeps}})
                          : std::nullopt;
  if (memory) {
    bound.memory_seconds = memory->value * seconds;
    bound.share = *memory;
  }
  if (in_cache) {
    bound.in_cache_seconds = in_cache->value * seconds;
    if (in_cache->value > bound.share.value) {
      bound.by = Limit::in_cache;
      bound.share = *in_cache;
    }
  }
  bound.seconds = bound.share.value * seconds;
  if (bound.seconds > 0) one.bound = bound;
}

void derive(Document& document) {
  std::vector<CaseRecord>& cases = document.cases;
  for (CaseRecord& one : cases) {
    one.over_serial.reset();
    one.over_best_cpu.reset();
    if (one.seconds) put_figures(*one.seconds);
  }
  fill_shares(cases);
  for (CaseRecord& one : cases) {
    const auto bound = std::exchange(one.bound, std::nullopt);
    if (bound) put_bound(one, recorded_in_cache(*bound, one.seconds->median));
  }
  put_ratios(cases);
  put_standings(cases);
  put_model_shares(cases);
  document.scaling = scaling(cases);
  document.crossovers = crossovers(cases);
}

void append_group(Document& document, std::vector<CaseRecord> cases) {
  put_ratios(cases);
  put_standings(cases);
  put_model_shares(cases);
  sort_guests(cases);
  for (ScalingRecord& entry : scaling(cases)) document.scaling.push_back(std::move(entry));
  for (CaseRecord& one : cases) document.cases.push_back(std::move(one));
}

}  // namespace bench

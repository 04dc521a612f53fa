#include "harness/document/record.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/document/scaling.hpp"

namespace bench {
namespace {

std::optional<std::string> text_or_nothing(const std::string& text) {
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
  TimesRecord times = bench::times_of(timing.samples);
  times.noise = if_finite(timing.noise);
  times.preempted = timing.preempted;
  times.too_short = timing.too_short;
  times.stop = timing.stop;
  return times;
}

/// Of samples long enough: what is asked and answered uses a processor, too.
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
  return {gpu.uuid, clocks.empty() ? std::nullopt : std::optional(median(clocks)),
          gpu.throttled_samples};
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
  one.name = result.name;
  one.workload = result.workload;
  one.backend = result.backend;
  one.variant = result.variant;
  one.idea = result.idea;
  one.dtype = result.dtype;
  one.size = result.size;
  one.elements = result.elements;
  one.shape = result.shape;
  if (result.bins > 0) one.bins = result.bins;
  one.scope = result.scope;
  one.parameters = result.parameters;
  one.beside = result.beside;
  one.status = result.status.value();
  one.reason = text_or_nothing(result.reason);
  one.reference = result.reference;
  one.library = result.library;
  one.guest = text_or_nothing(result.guest);
  if (result.threads > 0) one.threads = result.threads;
  one.isa = text_or_nothing(result.isa);
  one.bytes = result.bytes;
  one.flops = result.flops;
  one.memory_bound = result.memory_bound;
  one.arithmetic_reference = result.arithmetic_reference;
  one.cache = result.cache;
  one.footprint_bytes = result.footprint;
  one.first_use_s = result.first_use_seconds;
  one.launch_s = result.launch_seconds;
  if (result.measured()) put_measured(one, result);
  if (const auto& verdict = result.verdict) {
    one.verification = VerificationRecord{verdict->metric, if_finite(verdict->max_error),
                                          verdict->tolerance, verdict->passed};
  }
  one.launch = result.launch;
  if (result.gpu) one.gpu = gpu_use_of(*result.gpu);
  return one;
}

/// Of the time of a measured case, paired by round.
std::optional<Estimate> share_in_cache(const Timing& timing) {
  if (timing.in_cache.empty()) return {};
  return bootstrap_ratio(timing.in_cache, timing.samples);
}

/// The workloads that the cases of a group are held against: copying, and a nearer one where the
/// group's workload has it.
std::map<std::string, std::optional<double>> references_of(const Group& group) {
  std::map<std::string, std::optional<double>> names{{plain_reference, std::nullopt}};
  for (const Case& one : group.cases) {
    if (one.bandwidth_reference || one.nearer_reference) names.emplace(one.workload, std::nullopt);
  }
  return names;
}

bool is_guest(const CaseRecord& one) { return one.guest.has_value(); }

/// The case that is faster in the middle of its samples, what was not measured last.
bool sooner(const CaseRecord* a, const CaseRecord* b) {
  if (!a->measured() || !b->measured()) return a->measured() && !b->measured();
  return a->seconds->median < b->seconds->median;
}

/// `one` against our variants, of which `ladder` has the fastest first.
StandingRecord standing_of(const CaseRecord& one, const std::vector<const CaseRecord*>& ladder) {
  StandingRecord standing;
  for (const CaseRecord* const rung : ladder) {
    const RatioRecord over = ratio_over(*rung, one);
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

/// Whom a guest can be held against: what ran on the same hardware in the same scope.
struct Race {
  std::vector<CaseRecord*> guests;
  std::vector<const CaseRecord*> ladder;  ///< ours
};

void put_standings(Race& race) {
  std::sort(race.ladder.begin(), race.ladder.end(), sooner);
  std::sort(race.guests.begin(), race.guests.end(), sooner);
  const CaseRecord* first = nullptr;  // of those that share a rank
  std::size_t rank = 1;
  std::size_t before = 0;
  for (CaseRecord* const one : race.guests) {
    one->standing = standing_of(*one, race.ladder);
    if (incredible(*one) || doubtful(*one)) continue;
    ++before;
    const double slower = first == nullptr ? 0 : 1 / ratio_over(*first, *one).ci95.high - 1;
    if (first == nullptr || slower > indistinguishable) {
      first = one;
      rank = before;
    }
    one->standing->rank = rank;
  }
}

void put_standings(std::vector<CaseRecord>& cases) {
  std::map<std::pair<bool, Scope>, Race> races;
  for (CaseRecord& one : cases) {
    if (!one.measured() || one.beside) continue;
    Race& race = races[{one.on_gpu(), one.scope}];
    if (is_guest(one)) race.guests.push_back(&one);
    if (one.ours()) race.ladder.push_back(&one);
  }
  for (auto& [where, race] : races) put_standings(race);
}

/// Guests follow each other as they are in time: who is fastest is what one looks for.
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

TimesRecord times_of(const std::vector<double>& samples) {
  const Estimate middle = bootstrap_median(samples);
  TimesRecord times;
  times.samples = samples;
  times.median = middle.value;
  times.q1 = quantile(samples, 0.25);
  times.q3 = quantile(samples, 0.75);
  times.min = *std::min_element(samples.begin(), samples.end());
  times.ci95 = middle.ci95;
  times.drift = if_finite(drift(samples));
  times.smallest_change = if_finite(smallest_change(samples));
  times.outliers = outliers(samples);
  return times;
}

void put_bound(CaseRecord& one, const std::optional<Estimate>& in_cache) {
  if (!one.memory_bound || one.beside) return;
  // What others wrote was not run on data in a cache: memory need not be what keeps it back.
  if (one.guest && !in_cache) return;
  const double seconds = one.seconds->median;
  const auto [reference, share, ci95] = nearest_share(one);
  BoundRecord bound;
  // Nothing at all is no part of the bandwidth, nor more than it.
  if (share && ci95 && std::isfinite(*share)) {
    bound.memory_seconds = *share * seconds;
    bound.share = {*share, *ci95};
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

void append_group(Document& document, std::vector<CaseRecord> cases) {
  put_ratios(cases);
  put_standings(cases);
  sort_guests(cases);
  for (ScalingRecord& entry : scaling(cases)) document.scaling.push_back(std::move(entry));
  for (CaseRecord& one : cases) document.cases.push_back(std::move(one));
}

}  // namespace bench

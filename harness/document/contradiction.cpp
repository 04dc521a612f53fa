#include "harness/document/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/document/ratios.hpp"

namespace bench {
namespace {

// More than rounding, and less than anybody would call a difference.
constexpr double tolerable = 1e-6;

bool agree(double a, double b) {
  return std::abs(a - b) <= tolerable * std::max(std::abs(a), std::abs(b));
}

void require(bool right, const Where& where, const char* what) {
  if (!right) throw Misfit(where, what);
}

void check_identity(const CaseRecord& one, const Where& where) {
  require(one.name == one.name_with(one.parameters), Where(where, "name"),
          "does not say what the other keys say");
  constexpr int most_threads = 100'000;
  const bool sane = !one.threads || (*one.threads >= 1 && *one.threads <= most_threads);
  require(sane, Where(where, "threads"), "is no number of threads");
}

/// A case of several runs in one document says of which it is.
void check_origin(const CaseRecord& one, const std::optional<std::vector<Origin>>& merged,
                  const Where& where) {
  const bool known = merged ? one.origin && *one.origin < merged->size() : !one.origin;
  require(known, Where(where, "origin"), "is none of the runs in /context/run/merged");
}

/// Few executions bear an interval that reaches beyond all of their samples.
void check_executions(const ExecutionsRecord& executions, std::size_t samples, const Where& where) {
  std::size_t all = 0;
  bool empty = false;
  for (const std::size_t count : executions.samples) {
    empty = empty || count == 0 || count > samples;
    all += count;
  }
  require(executions.samples.size() > 1 && !empty && all == samples, Where(where, "samples"),
          "are not all samples, by execution");
}

void check_samples(const CaseRecord& one, const Where& where) {
  const TimesRecord& times = *one.seconds;
  const std::vector<double>& samples = times.samples;
  constexpr std::size_t most = 1000;
  const auto positive = [](double sample) { return sample > 0; };
  require(!samples.empty() && samples.size() <= most &&
              std::all_of(samples.begin(), samples.end(), positive),
          Where(where, "samples"), "is not a list of times");
  const auto ends = std::minmax_element(samples.begin(), samples.end());
  const double fastest = *ends.first;
  const double slowest = *ends.second;
  const auto of_samples = [&](const char* key, double recorded, double computed) {
    require(agree(recorded, computed), Where(where, key), "is not that of the samples");
  };
  of_samples("median", times.median, median(samples));
  of_samples("q1", times.q1, quantile(samples, 0.25));
  of_samples("q3", times.q3, quantile(samples, 0.75));
  of_samples("min", times.min, fastest);
  const auto inside = [&](double end) {
    return end >= fastest * (1 - tolerable) && end <= slowest * (1 + tolerable);
  };
  if (times.executions) {
    check_executions(*times.executions, samples.size(), Where(where, "executions"));
  } else {
    require(inside(times.ci95.low) && inside(times.ci95.high), Where(where, "ci95"),
            "lies outside of the samples");
  }
  const auto is_there = [&](std::size_t outlier) { return outlier < samples.size(); };
  require(std::all_of(times.outliers.begin(), times.outliers.end(), is_there),
          Where(where, "outliers"), "names a sample that is not there");
  require(times.preempted.value_or(0) <= samples.size(), Where(where, "preempted"),
          "counts more than there are");
  require(times.too_short <= samples.size(), Where(where, "too_short"),
          "counts more than there are");
}

void check_bound(const CaseRecord& one, const Where& where) {
  const BoundRecord& bound = *one.bound;
  const double memory = bound.memory_seconds.value_or(0);
  const double in_cache = bound.in_cache_seconds.value_or(0);
  require(agree(bound.seconds, std::max(memory, in_cache)), Where(where, "seconds"),
          "is not the longer of both times");
  require((bound.by == Limit::memory) == (memory >= in_cache), Where(where, "by"),
          "is not what takes longer");
  require(agree(bound.share.value, bound.seconds / one.seconds->median), Where(where, "share"),
          "is not that of the median time");
}

void check_energy(const CaseRecord& one, const Where& where) {
  const EnergyRecord& energy = *one.energy;
  const auto positive = [](double joules) { return joules > 0; };
  constexpr std::size_t most = 1000;
  require(!energy.samples.empty() && energy.samples.size() <= most &&
              std::all_of(energy.samples.begin(), energy.samples.end(), positive),
          Where(where, "samples"), "is not a list of energies");
  require(agree(energy.joules, median(energy.samples)), Where(where, "joules"),
          "is not that of the samples");
  const double all = energy.joules_per_element.value_or(0) * static_cast<double>(one.elements);
  require(!energy.joules_per_element || agree(all, energy.joules),
          Where(where, "joules_per_element"), "is not that of the elements");
  require(energy.seconds > 0, Where(where, "seconds"), "is no time");
  require(energy.runs > 0, Where(where, "runs"), "counts none");
}

void check_counters(const EventCounts& counts, const Where& where) {
  for (const auto figure : event_figures) {
    require((counts.*figure).value_or(0) >= 0, where, "counts less than nothing");
  }
  require(counts.runs > 0, Where(where, "runs"), "counts none");
}

void check_measured(const CaseRecord& one, const Where& where) {
  require(one.seconds.has_value(), Where(where, "seconds"), "is missing");
  require(one.rounds.has_value(), Where(where, "rounds"), "is missing");
  require(one.verification.has_value(), Where(where, "verification"), "is missing");
  const VerificationRecord& verification = *one.verification;
  const bool right = verification.passed && verification.max_error &&
                     *verification.max_error <= verification.tolerance;
  require(right, Where(where, "verification"), "did not pass, but the case was measured");
  check_samples(one, Where(where, "seconds"));
  require(*one.rounds == one.seconds->samples.size(), Where(where, "rounds"),
          "is not the number of samples");
  const double bandwidth = static_cast<double>(one.bytes) / one.seconds->median / 1e9;
  require(one.gb_per_s.has_value() == one.memory_bound, Where(where, "gb_per_s"),
          one.memory_bound ? "is missing" : "is there, but memory does not limit it");
  require(!one.gb_per_s || agree(*one.gb_per_s, bandwidth), Where(where, "gb_per_s"),
          "is not bytes over the median time");
  if (one.bound) check_bound(one, Where(where, "bound"));
  if (one.energy) check_energy(one, Where(where, "energy"));
  if (one.counters) check_counters(*one.counters, Where(where, "counters"));
}

void check_not_measured(const CaseRecord& one, const Where& where) {
  require(one.reason.has_value(), Where(where, "reason"), "is missing");
  require(!one.seconds && !one.gb_per_s && !one.bound && !one.energy && !one.counters,
          Where(where, "status"), "says not measured, but there are times");
}

/// The interval of a ratio of two medians, which no resampling of the samples can leave.
void check_interval(const Interval& ci95, const CaseRecord& baseline, const CaseRecord& one,
                    const Where& where) {
  const std::vector<double>& numerator = baseline.seconds->samples;
  const std::vector<double>& denominator = one.seconds->samples;
  const auto [fastest, slowest] = std::minmax_element(numerator.begin(), numerator.end());
  const auto [low, high] = std::minmax_element(denominator.begin(), denominator.end());
  // Drift between two runs widens an interval on both sides; it does not move it away.
  const bool around = ci95.low <= *slowest / *low * (1 + tolerable) &&
                      ci95.high >= *fastest / *high * (1 - tolerable);
  require(ci95.low >= 0 && around, where, "is far from the samples");
}

void check_ratio(const RatioRecord& ratio, const CaseRecord& baseline, const CaseRecord& one,
                 const Where& where) {
  require(agree(ratio.value, baseline.seconds->median / one.seconds->median), Where(where, "value"),
          "is not the ratio of the medians");
  check_interval(ratio.ci95, baseline, one, Where(where, "ci95"));
}

class Ratios {
 public:
  explicit Ratios(const std::vector<CaseRecord>& cases)
      : baselines_(baselines(cases)), references_(reference_bandwidths(cases)) {
    for (const CaseRecord& one : cases) by_name_[one.name] = &one;
  }

  void check(CaseRecord& one, const Where& where) const {
    const auto found = baselines_.find(work_of(one));
    const Baselines here = found == baselines_.end() ? Baselines{} : found->second;
    check(one.over_serial, here.serial, one, Where(where, "over_serial"));
    if (!one.over_serial && one.measured() && !one.no_ratio) one.no_ratio = no_baseline;
    const Where place(where, "over_best_cpu");
    const CaseRecord* best = check(one.over_best_cpu, nullptr, one, place);
    require(best == nullptr || agree(best->seconds->median, here.best_cpu->seconds->median),
            Where(place, "baseline"), "is not the fastest on the CPU");
    const bool elsewhere =
        of_other_run(one.over_serial, one) || of_other_run(one.over_best_cpu, one);
    require(one.other_run || !elsewhere, Where(where, "other_run"),
            "is not there, but a baseline is from another run");
    one.other_run = elsewhere;
  }

  /// True where a share is as earlier versions took it that merged: over the fastest copy of any
  /// backend.
  bool check_shares(CaseRecord& one, const Where& where) const {
    bool older = false;
    for (auto& [workload, share] : one.share_of) {
      if (!share) continue;
      const std::string key = "share_of_" + workload;
      require(one.measured(), Where(where, key), "is of no measured case");
      const auto best = references_.find(reference_key(one, workload));
      if (best == references_.end()) {
        share.reset();
        continue;
      }
      const bool agrees = agree(*share, *one.gb_per_s / *best->second->gb_per_s);
      if (one.origin && !agrees) {
        older = true;
        continue;
      }
      require(agrees, Where(where, key), "is not the ratio of the bandwidths");
      const auto ci95 = one.share_ci95.find(workload);
      if (ci95 == one.share_ci95.end()) continue;
      const double scale = *share * one.seconds->median / best->second->seconds->median;
      check_interval({ci95->second.low / scale, ci95->second.high / scale}, *best->second, one,
                     Where(Where(where, "share_ci95"), workload));
    }
    std::erase_if(one.share_ci95, [&](const auto& entry) {
      const auto share = one.share_of.find(entry.first);
      return share == one.share_of.end() || !share->second;
    });
    return older;
  }

 private:
  /// The case that a ratio is over: the one that it names, `usual` where it names none. Null where
  /// there is no ratio, or no such case any more: then it is dropped.
  const CaseRecord* check(std::optional<RatioRecord>& ratio, const CaseRecord* usual,
                          const CaseRecord& one, const Where& where) const {
    if (!ratio) return nullptr;
    const CaseRecord* baseline = usual;
    if (ratio->baseline) {
      const auto found = by_name_.find(*ratio->baseline);
      baseline = found == by_name_.end() ? nullptr : found->second;
    }
    if (baseline == nullptr) {
      ratio.reset();
      return nullptr;
    }
    require(baseline->measured() && work_of(*baseline) == work_of(one), Where(where, "baseline"),
            "is no measured case of the same work");
    check_ratio(*ratio, *baseline, one, where);
    ratio->baseline = baseline->name;
    return baseline;
  }

  bool of_other_run(const std::optional<RatioRecord>& ratio, const CaseRecord& one) const {
    return ratio && by_name_.at(*ratio->baseline)->origin != one.origin;
  }

  std::map<std::string, Baselines> baselines_;
  std::map<ReferenceKey, const CaseRecord*> references_;
  std::map<std::string, const CaseRecord*> by_name_;
};

}  // namespace

void require_sound_cases(const Document& document) {
  const Where root;
  const Where cases(root, "cases");
  for (std::size_t i = 0; i < document.cases.size(); ++i) {
    const CaseRecord& one = document.cases[i];
    check_identity(one, Where(cases, i));
    check_origin(one, document.context.run.merged, Where(cases, i));
    if (one.measured()) {
      check_measured(one, Where(cases, i));
    } else {
      check_not_measured(one, Where(cases, i));
    }
  }
}

void require_sound_ratios(Document& document) {
  const Where root;
  const Where cases(root, "cases");
  const Where speedups(root, "speedups");
  const Ratios ratios(document.cases);
  bool older = false;
  for (std::size_t i = 0; i < document.cases.size(); ++i) {
    CaseRecord& one = document.cases[i];
    require(one.measured() || (!one.over_serial && !one.over_best_cpu), Where(speedups, i),
            "is of no measured case, but has a ratio");
    ratios.check(one, Where(speedups, i));
    older |= ratios.check_shares(one, Where(cases, i));
  }
  if (older) fill_shares(document.cases);
}

}  // namespace bench

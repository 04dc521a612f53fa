// A case as result files hold it: identity, times, verdict, ratios.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/fields.hpp"
#include "harness/base/statistics.hpp"
#include "harness/plan/result.hpp"

namespace bench {

/// [low, high]
inline void read(const Json& json, const Where& where, Interval& interval) {
  std::array<double, 2> ends{};
  read(json, where, ends);
  interval = {ends[0], ends[1]};
  if (interval.low > interval.high) throw Misfit(where, "ends before it begins");
}
inline Json written(const Interval& interval) {
  return written(std::array<double, 2>{interval.low, interval.high});
}
inline Json schema_of(const Interval*) {
  Json schema = schema_of(static_cast<const std::array<double, 2>*>(nullptr));
  schema["items"]["type"] = {"number", "null"};
  return schema;
}

/// The spread of a program that was started several times: each time it has other addresses, and is
/// as lucky with them as they are, in all of its samples. The deviations are relative, and what is
/// beyond those of the levels below.
struct ExecutionsRecord {
  std::vector<std::size_t> samples;
  double between = 0;
  double of_blocks = 0;
  double of_rounds = 0;
  /// How many would distinguish two such runs that differ by 1 %.
  std::size_t for_one_percent = 0;
};

void fields(auto& visit, Of<ExecutionsRecord> auto& one) {
  visit(FIELD(samples), "how many samples each execution has, in their order");
  visit(FIELD(between), "standard deviation of the executions' medians");
  visit(FIELD(of_blocks), "of the medians of consecutive fifths of an execution's rounds");
  visit(FIELD(of_rounds), "of the samples within those, by their quartiles");
  visit(FIELD(for_one_percent),
        "how many executions would distinguish two such runs that differ by 1 %");
}

/// More than bench takes.
constexpr std::size_t most_samples_of_case = 1000;

/// Seconds per run; `samples` in the order of the rounds, the rest is what they say.
struct TimesRecord {
  std::vector<double> samples;
  double median = 0;
  double q1 = 0;
  double q3 = 0;
  double min = 0;
  Interval ci95;
  std::optional<double> noise;
  std::optional<double> drift;
  /// Relative: below it, two such runs cannot be distinguished.
  std::optional<double> smallest_change;
  std::vector<std::size_t> outliers;
  std::optional<std::size_t> preempted;
  std::optional<std::vector<double>> busiest;
  std::size_t too_short = 0;
  Stop stop = Stop::max_samples;
  std::optional<ExecutionsRecord> executions;
};

void fields(auto& visit, Of<TimesRecord> auto& one) {
  visit(FIELD(samples), {"raw, in the order of the rounds", positive});
  visit(FIELD(median), "median of the samples");
  visit(FIELD(q1), "first quartile of the samples");
  visit(FIELD(q3), "third quartile of the samples");
  visit(FIELD(min), "fastest sample");
  visit(FIELD(ci95), "95 % confidence interval of the median");
  visit(FIELD(noise), "half of that interval divided by the median");
  visit.later(
      FIELD(drift),
      "standard deviation of a slow drift in the course of the run, relative to the median");
  visit.maybe(FIELD(smallest_change),
              "relative: below it, two runs like this one cannot be distinguished");
  visit(FIELD(outliers),
        "indices of samples more than three interquartile ranges outside of the quartiles; they "
        "stay in");
  visit(FIELD(preempted),
        "samples in which threads of the process waited for a processor for more than 2 % of the "
        "time");
  visit.maybe(
      FIELD(busiest),
      {"--graded: of each sample, what the busiest thread had of a processor, in seconds per "
       "run: the time without what others took",
       positive});
  visit.later(FIELD(too_short), "samples below 10× the timer's resolution");
  visit(FIELD(stop),
        "why sampling ended: the interval was narrow enough, the time or the number of samples was "
        "used up, or a signal came");
  visit.maybe(FIELD(executions),
              "of a program that was started several times; deviations are relative, beyond what "
              "the levels below explain");
}

struct VerificationRecord {
  std::string metric;
  std::optional<double> max_error;
  double tolerance = 0;
  bool passed = false;
};

void fields(auto& visit, Of<VerificationRecord> auto& one) {
  visit(FIELD(metric), "unit of the error: ulp, eps (of the largest result), or wrong counts");
  visit(FIELD(max_error), "largest error of all elements");
  visit(FIELD(tolerance), "largest error that passes");
  visit(FIELD(passed));
}

namespace cuda {
void fields(auto& visit, Of<LaunchShape> auto& one) {
  visit(FIELD(grid));
  visit(FIELD(block));
  visit(FIELD(shared_bytes), "dynamic shared memory per block");
  visit.later(FIELD(launches), "of one run; the shape is that of the last one. 0: not recorded");
  visit.maybe(FIELD(registers), "of 32 bits, per thread");
  visit.maybe(FIELD(blocks_per_multiprocessor), "that fit there at once");
  visit.maybe(FIELD(occupancy),
              "threads of those blocks over the most that a multiprocessor holds");
}
}  // namespace cuda

struct GpuUseRecord {
  std::string uuid;
  std::optional<double> sm_clock_mhz;
  std::optional<std::size_t> throttled_samples;
  std::optional<std::map<std::string, std::size_t>> throttled_by;
};

void fields(auto& visit, Of<GpuUseRecord> auto& one) {
  visit(FIELD(uuid), "of the device");
  visit(FIELD(sm_clock_mhz), "median of the samples");
  visit(FIELD(throttled_samples), "samples in which the device lowered its clock");
  visit.maybe(
      FIELD(throttled_by),
      "of these, how many by the limit of power, by heat, by a brake for power, or by other "
      "hardware");
}

void fields(auto& visit, Of<Estimate> auto& one) {
  visit(FIELD(value));
  visit(FIELD(ci95));
}

/// How many times faster than another case.
struct RatioRecord {
  double value = 0;
  Interval ci95;
  std::optional<std::string> baseline;
};

void fields(auto& visit, Of<RatioRecord> auto& one) {
  visit(FIELD(value), "ratio of the medians");
  visit(FIELD(ci95), "[low, high]");
  visit.maybe(FIELD(baseline), {"the case that it is over", case_name_pattern});
}

/// What the busiest thread had of a processor, in a race on a busy node, and its ratios.
struct OnProcessorRecord {
  double median = 0;
  Interval ci95;
  std::optional<RatioRecord> over_serial;
  std::optional<RatioRecord> over_best_cpu;
};

void fields(auto& visit, Of<OnProcessorRecord> auto& one) {
  visit(FIELD(median), {"of seconds.busiest", positive});
  visit(FIELD(ci95), "95 % confidence interval of that median");
  visit.maybe(FIELD(over_serial), "how many times faster than the naive loop");
  visit.maybe(FIELD(over_best_cpu), "how many times faster than the fastest built-in variant");
}

/// Where a user kernel is among the built-in variants, and among the other user kernels: the CPU's,
/// the GPU's, or those of the GPU with the same transfers. A difference counts only where the
/// paired interval of the ratio shows it.
struct StandingRecord {
  /// The place of the fastest user kernel that shares it. Each is within 5 % of the middle one of
  /// those before it, as far as the paired interval says. None for what is doubtful or incredible
  /// (doubt.hpp): a wide interval would share the rank of everybody in it.
  std::optional<std::size_t> rank;
  std::optional<RatioRecord> faster_than;
  std::optional<RatioRecord> slower_than;
  std::vector<std::string> like;
};

void fields(auto& visit, Of<StandingRecord> auto& one) {
  visit(FIELD(rank), {"position among the user kernels; those that differ by 5 % or less (10 % on "
                      "a busy node) share it. "
                      "Null if it seems to move more than 1.1 times what its reference moves, or "
                      "if nothing can be said of its time",
                      positive});
  visit(FIELD(faster_than), "over the fastest built-in variant that it is faster than");
  visit(FIELD(slower_than), "over the slowest built-in variant that it is slower than");
  visit(FIELD(like), "names of the built-in variants from which it cannot be distinguished");
}

/// What keeps a case from being faster, as far as that was measured.
enum class Limit { memory, in_cache };

template <>
struct NamesOf<Limit> {
  static constexpr std::array<std::pair<Limit, std::string_view>, 2> all{
      {{Limit::memory, "memory"}, {Limit::in_cache, "in_cache"}}};
};

/// The longer of two times, both measured in the rounds of the case: no run of this code can be
/// expected to take less.
struct BoundRecord {
  double seconds = 0;
  Limit by = Limit::memory;
  std::optional<double> memory_seconds;
  std::optional<double> in_cache_seconds;
  Estimate share;
};

void fields(auto& visit, Of<BoundRecord> auto& one) {
  visit(FIELD(seconds), {"lower bound on the time", positive});
  visit(FIELD(by), "which of them is the longer one");
  visit(FIELD(memory_seconds),
        "its bytes at the bandwidth of the reference that moves data most as it does");
  visit(FIELD(in_cache_seconds),
        {"time of as many elements on data in each core's own caches, by the same code and "
         "threads; on a GPU in a quarter of the L2, without launch latency; null where it was not "
         "measured, or not well enough to be a bound",
         positive});
  visit(FIELD(share), "of the time of the case");
}

/// What its runs took, in spans after the rounds in which they followed each other.
struct EnergyRecord {
  double joules = 0;
  std::optional<double> joules_per_element;
  std::vector<double> samples;
  double seconds = 0;
  std::size_t runs = 0;
  std::string of;
};

void fields(auto& visit, Of<EnergyRecord> auto& one) {
  visit(FIELD(joules), {"per run: the median of the spans", positive});
  visit(FIELD(joules_per_element), {"null where there are none", positive});
  visit(FIELD(samples), {"joules per run, of each span", positive});
  visit(FIELD(seconds), {"of all spans together", positive});
  visit(FIELD(runs), {"in all spans", positive});
  visit(FIELD(of),
        "what was counted, idle power and neighbours included: whole sockets without or with their "
        "memory, or the whole GPU");
}

void fields(auto& visit, Of<EventCounts> auto& one) {
  visit.maybe(FIELD(cycles));
  visit.maybe(FIELD(instructions));
  visit.maybe(FIELD(cache_misses), "of the last level");
  visit.maybe(FIELD(branch_misses), "branches that were not predicted");
  visit.maybe(FIELD(tlb_misses), "loads whose page was not in the first TLB for data");
  visit(
      FIELD(scaled),
      "the events took turns on the processor: the figures are extrapolated from the time of each");
  visit(FIELD(runs), {"", positive});
}

struct CaseRecord : CaseIdentity {
  Status status = Status::skipped;
  std::optional<Reason> reason;
  std::optional<Reason> unchecked;
  std::optional<StandingRecord> standing;
  std::optional<OnProcessorRecord> on_processor;
  std::optional<RatioRecord> model_share;
  std::optional<double> threads_used;
  std::optional<std::size_t> batch;
  std::optional<std::size_t> rounds;
  std::optional<TimesRecord> seconds;
  std::optional<VerificationRecord> verification;
  std::optional<double> gb_per_s;
  /// The share of each reference: GB/s, or operations per second, relative to its fastest variant
  /// in the same rounds.
  std::map<std::string, std::optional<double>> share_of;
  std::map<std::string, Interval> share_ci95;
  std::optional<BoundRecord> bound;
  std::optional<EnergyRecord> energy;
  std::optional<Reason> energy_reason;
  std::optional<EventCounts> counters;
  std::optional<cuda::LaunchShape> launch;
  std::optional<GpuUseRecord> gpu;
  std::optional<std::size_t> origin;

  // These are in the list `speedups`, in the same order.
  std::optional<RatioRecord> over_serial;
  std::optional<RatioRecord> over_best_cpu;
  std::optional<Reason> no_ratio;  ///< why there is none over the naive loop
  bool other_run = false;          ///< a baseline was measured in another run

  bool measured() const { return status == Status::measured; }
  bool wrong_on_purpose() const { return status == Status::expected_wrong; }
  bool on_gpu() const { return !threads && !imported(); }
  /// Neither a library's nor a user kernel's, nor another program's: others are measured by it.
  bool ours() const { return !library && !guest && !imported(); }
  /// `serial/naive`
  std::string rung() const { return backend + "/" + variant; }
  /// What it would be called with other parameters.
  std::string name_with(const Parameters& others) const {
    if (imported()) return workload + "/" + variant;
    return case_name(workload, backend, variant, dtype, size, scope, others, beside);
  }
};

void fields(auto& visit, Of<CaseRecord> auto& one) {
  fields(visit, part_of<CaseIdentity>(one));
  visit(FIELD(status),
        "measured; failed: a wrong result; skipped: no device, not enough memory, …; "
        "expected_wrong: a variant that shows a mistake, checked and never timed; checked: a CUDA "
        "file that is right on the CPU. All but measured have a reason and no time");
  visit(FIELD(reason), "why there is no time; null if measured");
  visit.maybe(FIELD(unchecked), "of a user kernel: what could not be looked at, and why");
  visit.maybe(FIELD(standing),
              "of a user kernel: its position among the built-in variants on the same hardware in "
              "the same scope, as far as paired intervals show");
  visit.maybe(
      FIELD(on_processor),
      "--graded, where the node was busy: ranks and points are by this and not by the time");
  visit.maybe(FIELD(model_share),
              "of a model's fastest variant: its speed relative to the fastest variant that is not "
              "a model's, with as many threads");
  visit.maybe(FIELD(threads_used), {"of a user kernel: processor time over time, in its samples; "
                                    "absent where they are too short",
                                    positive});
  visit(FIELD(batch), {"runs per sample", positive});
  visit(FIELD(rounds), {"rounds in which all variants of the group took turns", positive});
  visit(FIELD(seconds), "times per run, in seconds");
  visit(FIELD(verification), "the check of its results; null if it never ran");
  visit(FIELD(gb_per_s), "bytes divided by the median time, in 10^9 bytes/s");
  visit.each("share_of_", one.share_of,
             "GB/s over that of the fastest variant of that workload, or of the case's own where "
             "that is faster: same backend, threads and arrays. Of an arithmetic reference: "
             "operations of the formula per second over what it reaches with the same backend, "
             "threads and instruction set");
  visit.later(
      FIELD(share_ci95),
      "by workload: the 95 % interval of that share, from the rounds in which both were measured");
  visit.maybe(FIELD(bound),
              "a lower bound on the time: the longer of two times that were measured in the rounds "
              "of the case");
  visit.maybe(
      FIELD(energy),
      "--energy: what its runs took, in spans after the rounds; absent where a reason says why");
  visit.maybe(FIELD(energy_reason), "why there is no energy, if the reason is not of the node");
  visit.maybe(FIELD(counters),
              "--counters: events per run, of all threads and of user code only, counted in runs "
              "of their own after the rounds; what the processor does not count is missing");
  visit.later(FIELD(launch),
              "CUDA: the shape of the launch (the last one, where a variant has several)");
  visit.later(FIELD(gpu), "CUDA: the device, looked at after each sample");
  visit.maybe(FIELD(origin), "in merged files: number of its run in context.run.merged, from 0 on");
}

}  // namespace bench

// A case as documents hold it: identity, times, verdict, ratios.
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
#include "harness/measure/result.hpp"

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
  return schema_of(static_cast<const std::array<double, 2>*>(nullptr));
}

/// Of a program that was started several times: each time it has other addresses, and is as lucky
/// with them as they are, in all of its samples. The deviations are relative, and what is beyond
/// those of the levels below.
struct ExecutionsRecord {
  std::vector<std::size_t> samples;  ///< how many, in their order, each execution has
  double between = 0;                ///< deviation of the executions' medians
  double of_blocks = 0;              ///< of the medians of consecutive rounds within an execution
  double of_rounds = 0;              ///< of the samples within those
  /// How many would tell two such runs apart that differ by 1 %.
  std::size_t for_one_percent = 0;
};

template <class V>
void fields(V& visit, Of<ExecutionsRecord> auto& one) {
  visit("samples", one.samples);
  visit("between", one.between);
  visit("of_blocks", one.of_blocks);
  visit("of_rounds", one.of_rounds);
  visit("for_one_percent", one.for_one_percent);
}

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
  /// Relative: below it, two such runs cannot be told apart.
  std::optional<double> smallest_change;
  std::vector<std::size_t> outliers;
  std::optional<std::size_t> preempted;
  std::size_t too_short = 0;
  Stop stop = Stop::max_samples;
  std::optional<ExecutionsRecord> executions;  ///< nothing: all samples are of one
};

template <class V>
void fields(V& visit, Of<TimesRecord> auto& one) {
  visit("samples", one.samples);
  visit("median", one.median);
  visit("q1", one.q1);
  visit("q3", one.q3);
  visit("min", one.min);
  visit("ci95", one.ci95);
  visit("noise", one.noise);
  visit.later("drift", one.drift);
  visit.maybe("smallest_change", one.smallest_change);
  visit("outliers", one.outliers);
  visit("preempted", one.preempted);
  visit.later("too_short", one.too_short);
  visit("stop", one.stop);
  visit.maybe("executions", one.executions);
}

struct VerificationRecord {
  std::string metric;
  std::optional<double> max_error;  ///< null: infinite, or no number
  double tolerance = 0;
  bool passed = false;
};

template <class V>
void fields(V& visit, Of<VerificationRecord> auto& one) {
  visit("metric", one.metric);
  visit("max_error", one.max_error);
  visit("tolerance", one.tolerance);
  visit("passed", one.passed);
}

namespace cuda {
template <class V>
void fields(V& visit, Of<LaunchShape> auto& one) {
  visit("grid", one.grid);
  visit("block", one.block);
  visit("shared_bytes", one.shared_bytes);
  visit.later("launches", one.launches);
  visit.maybe("registers", one.registers);
  visit.maybe("blocks_per_multiprocessor", one.blocks_per_multiprocessor);
  visit.maybe("occupancy", one.occupancy);
}
}  // namespace cuda

struct GpuUseRecord {
  std::string uuid;
  std::optional<double> sm_clock_mhz;
  std::optional<std::size_t> throttled_samples;
};

template <class V>
void fields(V& visit, Of<GpuUseRecord> auto& one) {
  visit("uuid", one.uuid);
  visit("sm_clock_mhz", one.sm_clock_mhz);
  visit("throttled_samples", one.throttled_samples);
}

template <class V>
void fields(V& visit, Of<Estimate> auto& one) {
  visit("value", one.value);
  visit("ci95", one.ci95);
}

/// How many times faster than another case.
struct RatioRecord {
  double value = 0;
  Interval ci95;
  std::optional<std::string> baseline;  ///< the name of the other case
};

template <class V>
void fields(V& visit, Of<RatioRecord> auto& one) {
  visit("value", one.value);
  visit("ci95", one.ci95);
  visit.maybe("baseline", one.baseline);
}

template <class V>
void fields(V& visit, Of<Beside> auto& one) {
  visit("workload", one.workload);
  visit("size", one.size);
}

/// Where a guest stands on our ladder, and among the other guests: the CPU's, the GPU's, or those
/// of the GPU with the same transfers. Only what the paired intervals of ratios tell apart is told
/// apart.
struct StandingRecord {
  /// The place of the fastest guest that cannot be told from it: whose paired interval does not
  /// exclude that both differ by 3 % or less. None for what is not to be believed (doubt.hpp).
  std::optional<std::size_t> rank;
  std::optional<RatioRecord> faster_than;  ///< the fastest variant that it leaves behind
  std::optional<RatioRecord> slower_than;  ///< the slowest that leaves it behind: below 1
  std::vector<std::string> like;           ///< the names of those between
};

template <class V>
void fields(V& visit, Of<StandingRecord> auto& one) {
  visit("rank", one.rank);
  visit("faster_than", one.faster_than);
  visit("slower_than", one.slower_than);
  visit("like", one.like);
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
  std::optional<double> memory_seconds;    ///< its bytes at the bandwidth of its reference
  std::optional<double> in_cache_seconds;  ///< as many elements, by the same code, in the cache
  Estimate share;                          ///< of the time of the case
};

template <class V>
void fields(V& visit, Of<BoundRecord> auto& one) {
  visit("seconds", one.seconds);
  visit("by", one.by);
  visit("memory_seconds", one.memory_seconds);
  visit("in_cache_seconds", one.in_cache_seconds);
  visit("share", one.share);
}

/// What its runs took, in spans after the rounds in which they followed each other.
struct EnergyRecord {
  double joules = 0;                         ///< per run: the median of the spans
  std::optional<double> joules_per_element;  ///< null where there is none
  std::vector<double> samples;               ///< per run, of each span
  double seconds = 0;                        ///< of all spans together
  std::size_t runs = 0;                      ///< likewise
  std::string of;                            ///< as in EnergyMeter
};

template <class V>
void fields(V& visit, Of<EnergyRecord> auto& one) {
  visit("joules", one.joules);
  visit("joules_per_element", one.joules_per_element);
  visit("samples", one.samples);
  visit("seconds", one.seconds);
  visit("runs", one.runs);
  visit("of", one.of);
}

template <class V>
void fields(V& visit, Of<EventCounts> auto& one) {
  visit.maybe("cycles", one.cycles);
  visit.maybe("instructions", one.instructions);
  visit.maybe("cache_misses", one.cache_misses);
  visit.maybe("branch_misses", one.branch_misses);
  visit.maybe("tlb_misses", one.tlb_misses);
  visit("scaled", one.scaled);
  visit("runs", one.runs);
}

struct CaseRecord {
  std::string name;
  std::string workload;
  std::string backend;
  std::string variant;
  std::string idea;
  Dtype dtype = Dtype::f32;
  std::string size;                 ///< as it stands in names
  std::size_t elements = 0;         ///< rows × columns
  std::vector<std::size_t> shape;   ///< rows and columns of a matrix, the length of a vector
  std::optional<std::size_t> bins;  ///< of a histogram
  Scope scope = Scope::kernel;
  Parameters parameters;
  std::optional<Beside> beside;
  Status status = Status::skipped;
  std::optional<std::string> reason;
  bool reference = false;            ///< measured for comparison only
  bool library = false;              ///< not ours: shown beside ours, never best and no reference
  std::optional<std::string> guest;  ///< the file of somebody else's that computed it
  std::optional<StandingRecord> standing;  ///< of a guest
  std::optional<int> threads;              ///< null: it runs on a GPU
  std::optional<std::string> isa;
  std::size_t bytes = 0;
  std::size_t flops = 0;
  bool memory_bound = true;           ///< else it is held against no bandwidth
  bool arithmetic_reference = false;  ///< its FLOP/s are what the arithmetic units can do
  CacheMode cache = CacheMode::cold;
  std::size_t footprint_bytes = 0;
  std::optional<std::size_t> batch;
  std::optional<std::size_t> rounds;
  std::optional<double> first_use_s;
  std::optional<double> launch_s;  ///< until the call returned that started it on a GPU
  std::optional<TimesRecord> seconds;
  std::optional<VerificationRecord> verification;
  std::optional<double> gb_per_s;  ///< null where memory is not what limits it, too
  /// By workload: GB/s relative to the fastest of its variants in the same rounds.
  std::map<std::string, std::optional<double>> share_of;
  std::map<std::string, Interval> share_ci95;
  std::optional<BoundRecord> bound;
  std::optional<EnergyRecord> energy;
  std::optional<std::string> energy_reason;  ///< why there is none, if that is not of the node
  std::optional<EventCounts> counters;       ///< per run
  std::optional<cuda::LaunchShape> launch;
  std::optional<GpuUseRecord> gpu;
  std::optional<std::size_t> origin;  ///< of several runs in one document: which, from 0 on

  // These stand in the list `speedups`, in the same order.
  std::optional<RatioRecord> over_serial;
  std::optional<RatioRecord> over_best_cpu;
  std::optional<std::string> no_ratio;  ///< why there is none over the naive loop
  bool other_run = false;               ///< a baseline was measured in another run

  bool measured() const { return status == Status::measured; }
  bool wrong_on_purpose() const { return status == Status::expected_wrong; }
  bool on_gpu() const { return !threads; }
  /// Neither a library's nor a guest's: others are measured by it.
  bool ours() const { return !library && !guest; }
  /// `serial/naive`
  std::string rung() const { return backend + "/" + variant; }
  /// What it would be called with other parameters.
  std::string name_with(const Parameters& others) const {
    return case_name(workload, backend, variant, dtype, size, scope, others, beside);
  }
};

template <class V>
void fields(V& visit, Of<CaseRecord> auto& one) {
  visit("name", one.name);
  visit("workload", one.workload);
  visit("backend", one.backend);
  visit("variant", one.variant);
  visit("idea", one.idea);
  visit("dtype", one.dtype);
  visit("size", one.size);
  visit("elements", one.elements);
  visit("shape", one.shape);
  visit("bins", one.bins);
  visit("scope", one.scope);
  visit("parameters", one.parameters);
  visit("beside", one.beside);
  visit("status", one.status);
  visit("reason", one.reason);
  visit("reference", one.reference);
  visit.later("library", one.library);
  visit.maybe("guest", one.guest);
  visit.maybe("standing", one.standing);
  visit("threads", one.threads);
  visit("isa", one.isa);
  visit("bytes", one.bytes);
  visit("flops", one.flops);
  visit.later("memory_bound", one.memory_bound);
  visit.later("arithmetic_reference", one.arithmetic_reference);
  visit("cache", one.cache);
  visit("footprint_bytes", one.footprint_bytes);
  visit("batch", one.batch);
  visit("rounds", one.rounds);
  visit("first_use_s", one.first_use_s);
  visit.maybe("launch_s", one.launch_s);
  visit("seconds", one.seconds);
  visit("verification", one.verification);
  visit("gb_per_s", one.gb_per_s);
  visit.each("share_of_", one.share_of);
  visit.later("share_ci95", one.share_ci95);
  visit.maybe("bound", one.bound);
  visit.maybe("energy", one.energy);
  visit.maybe("energy_reason", one.energy_reason);
  visit.maybe("counters", one.counters);
  visit.later("launch", one.launch);
  visit.later("gpu", one.gpu);
  visit.maybe("origin", one.origin);
}

}  // namespace bench

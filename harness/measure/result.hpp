// What the runner hands to the report: cases and the groups that were measured together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/names.hpp"
#include "harness/base/statistics.hpp"
#include "harness/cuda/launch_shape.hpp"
#include "harness/node/event_counts.hpp"
#include "harness/workload/case_name.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// What became of a case. `expected_wrong`: a variant that shows a mistake, checked and never
/// timed. `checked`: right as far as this node can tell, which has no time for it.
enum class Status { measured, failed, skipped, expected_wrong, checked };
template <>
struct NamesOf<Status> {
  static constexpr std::array<std::pair<Status, std::string_view>, 5> all{
      {{Status::measured, "measured"},
       {Status::failed, "failed"},
       {Status::skipped, "skipped"},
       {Status::expected_wrong, "expected_wrong"},
       {Status::checked, "checked"}}};
};

/// Why the rounds of a group ended.
enum class Stop { noise, max_time, max_samples, signal };
template <>
struct NamesOf<Stop> {
  static constexpr std::array<std::pair<Stop, std::string_view>, 4> all{
      {{Stop::noise, "noise"},
       {Stop::max_time, "max_time"},
       {Stop::max_samples, "max_samples"},
       {Stop::signal, "signal"}}};
};

/// From this share of disturbed samples on a run warns, and nothing is concluded from a case.
constexpr double disturbed_share = 0.2;

/// Times in seconds per run; `samples` in the order of the rounds.
struct Timing {
  std::vector<double> samples;
  std::size_t batch = 1;  ///< runs per sample
  /// Samples in which our threads waited for a processor; nothing where the kernel does not say.
  std::optional<std::size_t> preempted;
  /// Of the processors, in all samples; nothing where that is not known.
  std::optional<double> processor_seconds;
  std::size_t too_short = 0;  ///< samples below 10× the timer's resolution
  double noise = 0;           ///< half width of the median's interval, relative
  /// As many as samples: the same variant on data in the nearest cache, in seconds per as many
  /// elements. Empty where that was not measured.
  std::vector<double> in_cache;
  Stop stop = Stop::max_samples;
};

/// What the device said of itself after each sample.
struct GpuUse {
  std::string uuid;
  std::vector<double> sm_clocks_mhz;             ///< empty where it does not say
  std::optional<std::size_t> throttled_samples;  ///< likewise
};

/// What the runs of a case took, in spans of their own after the rounds.
struct EnergyUse {
  std::vector<double> joules;  ///< per run, of each span
  double seconds = 0;          ///< of all spans together
  std::size_t runs = 0;
  std::string of;  ///< as in EnergyMeter
};

/// One variant at one size, precision and number of threads: one row of a table.
struct Case {
  std::string name;  ///< case_name()
  std::string workload;
  std::string backend;
  std::string variant;
  std::string idea;
  Dtype dtype = Dtype::f32;
  std::string size;                ///< label()
  std::size_t elements = 0;        ///< rows × columns
  std::vector<std::size_t> shape;  ///< rows and columns of a matrix, the length of a vector
  std::size_t bins = 0;            ///< 0: none
  Scope scope = Scope::kernel;
  Parameters parameters;
  std::optional<Beside> beside;
  std::string isa;
  CacheMode cache = CacheMode::cold;
  int threads = 1;
  bool bandwidth_reference = false;   ///< a case of the workload that every share is taken of
  bool nearer_reference = false;      ///< of the one that moves data as the group's workload does
  bool reference = false;             ///< measured for comparison only, the filter left it out
  bool library = false;               ///< as in BoundVariant
  bool wrong = false;                 ///< likewise
  std::string guest;                  ///< the file of a GuestVariant; empty: one of the registry
  bool memory_bound = true;           ///< as in Workload
  bool arithmetic_reference = false;  ///< likewise
  std::size_t bytes = 0;
  std::size_t flops = 0;
  std::size_t footprint = 0;

  /// Nothing while nothing speaks against it: verify() and profile() leave it so.
  std::optional<Status> status;
  std::string reason;  ///< why not measured
  std::optional<Verdict> verdict;
  std::optional<double> first_use_seconds;
  std::optional<double> launch_seconds;     ///< until the call returned, not waited for its work
  std::optional<cuda::LaunchShape> launch;  ///< of CUDA variants
  std::optional<GpuUse> gpu;
  Timing timing;
  std::optional<EnergyUse> energy;
  std::string no_energy;  ///< why not, where the node would tell; empty where nobody asked
  std::optional<EventCounts> counts;

  bool measured() const { return status == Status::measured; }
};

/// Cases that share their inputs and were measured in the same rounds.
struct Group {
  std::string workload;
  Dtype dtype = Dtype::f32;
  std::string size;
  std::string input_hash;  ///< XXH3-64 of the input arrays' bytes, in order
  std::vector<Case> cases;
};

}  // namespace bench

// What the runner hands to the report: cases and the groups that were measured together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/fields.hpp"
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

/// The share of disturbed samples from which on a run warns, and nothing is concluded from a case.
constexpr double disturbed_share = 0.2;

/// Times in seconds per run; `samples` in the order of the rounds.
struct Timing {
  std::vector<double> samples;
  std::size_t batch = 1;  ///< runs per sample
  /// Samples in which our threads waited for a processor; nothing where the kernel does not say.
  std::optional<std::size_t> preempted;
  /// Seconds of the processors, in all samples; nothing where that is not known.
  std::optional<double> processor_seconds;
  /// As many as samples, where grades depend on them: seconds per run that the busiest thread had
  /// of a processor.
  std::vector<double> busiest;
  std::size_t too_short = 0;  ///< samples below 10× the timer's resolution
  /// As many as samples: the same variant on data in the nearest cache, in seconds per as many
  /// elements. Empty where that was not measured.
  std::vector<double> in_cache;
  Stop stop = Stop::max_samples;
};

/// What the device said of itself after each sample.
struct GpuUse {
  std::string uuid;
  std::vector<double> sm_clocks_mhz;                  ///< empty where it does not say
  std::optional<std::size_t> throttled_samples;       ///< none where it does not say
  std::map<std::string, std::size_t> throttled_by{};  ///< of these, by the word for the reason
};

/// What the runs of a case took, in spans of their own after the rounds.
struct EnergyUse {
  std::vector<double> joules;  ///< per run, of each span
  double seconds = 0;          ///< of all spans together
  std::size_t runs = 0;
  std::string of;  ///< as in EnergyMeter
};

/// workload/backend/variant/dtype/size/scope, then parameters.
constexpr const char* case_name_pattern =
    "^[a-z0-9_]+/[a-z0-9_]+/([a-z0-9_]+|\\*)/(f32|f64|u32|i16|f16)/[0-9]+(x[0-9]+){0,2}(:[0-9]+)?/"
    "(kernel|end_to_end|pageable|mapped|managed)(,[a-z]+=[^,/]+)*$";

// Null: unknown.
inline void read(const Json& json, const Where& where, Dtype& dtype) {
  std::optional<std::string> name;
  read(json, where, name);
  const auto known = name ? value_named<Dtype>(*name) : Dtype::unknown;
  if (!known) throw Misfit(where, "is none of " + all_names<Dtype>());
  dtype = *known;
}
inline Json written(Dtype dtype) {
  return dtype == Dtype::unknown ? Json() : Json(std::string(name_of(dtype)));
}

void fields(auto& visit, Of<Beside> auto& one) {
  visit(FIELD(workload));
  visit(FIELD(size));
}

/// What is known of a case besides its status and its times, while it is measured and in files.
struct CaseIdentity {
  std::string name;  ///< case_name()
  std::string workload;
  std::string backend;
  std::string variant;
  std::string idea;
  Dtype dtype = Dtype::f32;
  std::string size;  ///< label()
  std::size_t elements = 0;
  std::vector<std::size_t> shape;
  std::optional<std::size_t> bins;
  std::optional<std::size_t> steps;
  Scope scope = Scope::kernel;
  Parameters parameters;
  std::optional<Beside> beside;
  bool reference = false;            ///< the filter left it out
  bool library = false;              ///< as in BoundVariant
  std::optional<std::string> guest;  ///< the file of a GuestVariant
  bool own_numbers = false;          ///< as in Arrays
  std::optional<int> threads = 1;    ///< nothing: it runs on a GPU
  std::optional<std::string> isa;
  std::size_t bytes = 0;
  std::size_t flops = 0;
  bool memory_bound = true;           ///< as in Workload
  bool arithmetic_reference = false;  ///< as in Workload
  CacheMode cache = CacheMode::cold;
  std::size_t footprint_bytes = 0;
  std::optional<double> first_use_s;
  std::optional<double> launch_s;

  /// True where it is from a file of another program (document/imported.hpp).
  bool imported() const { return dtype == Dtype::unknown; }
  /// Sets size, elements, shape, bins and steps.
  void take(SizeFormat form, const Shape& of);
  /// The shape that these say.
  Shape shape_of_problem() const;
  /// The number of sweeps over the data whose bytes `bytes` are: one for each step of a kernel.
  /// Memory allows as many times the bandwidth of a copy, where the data stay in a cache from step
  /// to step.
  std::size_t sweeps() const;
};

void fields(auto& visit, Of<CaseIdentity> auto& one) {
  visit(FIELD(name), {"workload/backend/variant/dtype/size/scope, then parameters set away from "
                      "their default, sorted; of another program's: program/benchmark/parameters"});
  visit(FIELD(workload), "what is computed");
  visit(FIELD(backend));
  visit(FIELD(variant), "name of the variant in its backend");
  visit(FIELD(idea), "what the variant adds to the one before it");
  visit(FIELD(dtype),
        "null: measured by another program. backend is the format of its file, workload the "
        "program, variant the rest of the name. Size and shape are empty, what else the file does "
        "not say is null or 0, and no result was checked");
  visit(FIELD(size), "elements, rows x columns, elements:bins, rows x columns:steps, or M x N x K");
  visit(FIELD(elements), "rows times columns");
  visit(
      FIELD(shape),
      "rows and columns of a matrix, the length of a vector; of a product of matrices M, N and K");
  visit(FIELD(bins), {"of a histogram", positive});
  visit.maybe(FIELD(steps), "how often a stencil is applied; absent for others");
  visit(FIELD(scope), "what the time includes on a GPU; kernel on a CPU");
  visit(
      FIELD(parameters),
      "what the user set away from its default; part of the name. With --devices all or --sockets "
      "all also the GPU (device) or socket, and how many worked at the same time (together)");
  visit(FIELD(beside),
        "the group that a reference case was measured with, on its arrays; part of the name");
  visit(FIELD(reference), "measured for comparison only");
  visit.later(
      FIELD(library),
      "a library call that users would make instead: never the best variant, and never a baseline");
  visit.maybe(FIELD(guest), "the file of the user kernel that computed it; absent for bench's own");
  visit.later(FIELD(own_numbers),
              "it draws random numbers of its own: its result is checked in sigma");
  visit(FIELD(threads), {"counted in a parallel region", positive});
  visit(FIELD(isa), "instruction set that the variant was compiled for; null on a GPU");
  visit(FIELD(bytes),
        "least bytes moved to and from memory per run; of a kernel of several steps, by a sweep "
        "over the data for each");
  visit(FIELD(flops), "floating-point operations per run");
  visit.later(
      FIELD(memory_bound),
      "false where moving the arrays is not what limits the work: no gb_per_s, and no share of "
      "copy");
  visit.later(FIELD(arithmetic_reference),
              "true where the workload shows what the arithmetic units can do: the FLOP/s of its "
              "fastest variant are the flat roof of a roofline");
  visit(FIELD(cache), "as in context.run");
  visit(FIELD(footprint_bytes), "size of all arrays of the case");
  visit(FIELD(first_use_s), "the first call in the process, never part of a sample");
  visit.maybe(FIELD(launch_s),
              "CUDA, kernel alone: until the call returned that starts it; what a clock shows that "
              "does not wait");
}

/// One variant at one size, precision and number of threads: one row of a table.
struct Case : CaseIdentity {
  bool bandwidth_reference = false;  ///< a case of the workload that every share is taken of
  /// A case of the one that moves data as the group's workload does, or that only computes.
  bool nearer_reference = false;
  bool wrong = false;                    ///< as in BoundVariant
  std::size_t most_elements = any_size;  ///< as in Variant: it is not tried with more either

  /// Nothing while nothing speaks against it: verify() and profile() leave it so.
  std::optional<Status> status;
  Reason reason;     ///< why not measured
  Reason unchecked;  ///< as in Examined
  std::optional<Verdict> verdict;
  std::optional<cuda::LaunchShape> launch;  ///< of CUDA variants
  std::optional<GpuUse> gpu;
  Timing timing;
  std::optional<EnergyUse> energy;
  Reason no_energy;  ///< why not, where the node would tell; empty where nobody asked
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

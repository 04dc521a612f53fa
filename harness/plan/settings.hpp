// What is measured, and how: what is asked for, what the node offers, and what measures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/fields.hpp"
#include "harness/node/allowance.hpp"
#include "harness/node/energy_span.hpp"
#include "harness/node/event_counts.hpp"
#include "harness/plan/guest_variant.hpp"
#include "harness/simd/isa.hpp"
#include "harness/workload/case_name.hpp"

namespace bench {

namespace cuda {
class Device;
}
class InputFiles;

/// Which cases; the defaults need no option. Result files record it, so that they can be continued.
struct Selection {
  std::vector<std::string> filters;
  std::vector<std::string> backends;
  std::vector<std::string> sizes{"default"};
  std::vector<Dtype> dtypes;
  std::vector<std::size_t> bins;
  std::vector<int> threads;
  std::vector<unsigned> blocks;
  std::vector<unsigned> grids;
  std::vector<Scope> scopes;
  bool no_baseline = false;
  std::size_t most_elements = 0;
  /// The GPU, as CUDA numbers those that this process sees; empty: chosen by the task's rank.
  std::optional<std::size_t> gpu_number;
  bool all_devices = false;
  bool all_sockets = false;
  std::vector<std::string> guests;
  double patience = 30;
  bool graded = false;
  bool peers = false;
  bool energy = false;
  bool counters = false;
};

void fields(auto& visit, Of<Selection> auto& one) {
  visit(FIELD(filters), "which variants; empty: the default ones");
  visit(FIELD(backends), "--backend; empty: all");
  visit(FIELD(sizes), "--size");
  visit(FIELD(dtypes), "--dtype");
  visit(FIELD(bins), "--bins");
  visit(FIELD(threads), "--threads; empty: one per core");
  visit.later(FIELD(blocks), "--block: threads per block; empty: the variants' own choice");
  visit.later(FIELD(grids), "--grid: blocks");
  visit.later(FIELD(scopes), "--scope: of the cases on a GPU only these; empty: all");
  visit.later(FIELD(no_baseline), "--no-baseline: serial/naive only where a filter names it");
  visit.later(
      FIELD(most_elements),
      "--max-slow-elements: largest size at which deliberately slow variants run; 0: not given");
  visit.maybe("device", one.gpu_number, "--device");
  visit.later(FIELD(all_devices), "--devices all");
  visit.later(FIELD(all_sockets), "--sockets all");
  visit.later(FIELD(guests), "--with, and the files of bench try");
  visit.later(FIELD(patience), "--timeout: seconds that a user kernel may take to answer");
  visit.later(FIELD(graded), "--graded: user kernels were not trusted with the clock");
  visit.later(FIELD(peers), "--peers");
  visit.later(FIELD(energy), "--energy");
  visit.later(FIELD(counters), "--counters");
}

/// How long a run may take, all in all.
struct Budget {
  double left() const { return seconds - since_begin.seconds(); }
  Reason used_up() const;
  Reason too_small(double needed) const;

  double seconds;
  Stopwatch since_begin{};
};

/// What is asked for.
struct Asked : Selection {
  std::uint32_t seed = default_seed;
  std::size_t max_samples = most_samples;
  double min_seconds = 0.5;  ///< per group
  double max_seconds = 4;    ///< per group, once every case has min_samples
  CacheMode cache = CacheMode::cold;
  simd::Isa isa = simd::Isa::baseline;
  bool isa_given = false;                    ///< other than the widest one here
  std::shared_ptr<const InputFiles> inputs;  ///< the user's own data, instead of sizes and dtypes
  bool on_processors = true;                 ///< what is not a CUDA variant, too
  bool on_gpu = true;                        ///< CUDA variants, too
  bool for_their_author = false;             ///< user kernels: what nobody can judge is measured
  /// Names the cases on a GPU, or on a socket, where there will be those of several in one result
  /// file.
  Parameters of_part;

  static constexpr std::uint32_t default_seed = 42;
  static constexpr std::size_t most_samples = 100;  ///< that a result file holds per case
  /// Below this no U test has power, and Google Benchmark's compare.py makes none.
  static constexpr std::size_t min_samples = 9;
};

struct GpuSize {
  std::size_t l2_bytes = 0;
  std::size_t free_bytes = 0;
  int multiprocessors = 1;
};

/// What this node, the program and the user kernels offer.
struct Offered {
  int job_threads = 1;                     ///< what the job was given
  std::size_t last_level_cache_bytes = 0;  ///< 0: unknown
  std::size_t own_cache_bytes = 0;         ///< of each core; 0: unknown
  /// How much memory the arrays may take now; nothing where that is unknown.
  std::function<std::optional<MemoryAllowance>()> memory_allowance;
  bool with_cuda = false;                        ///< the program contains CUDA variants
  std::vector<const Backend*> absent;            ///< models that the program was built without
  std::optional<GpuSize> gpu;                    ///< where CUDA variants run, if anywhere
  std::vector<GuestVariant> guest_variants;      ///< what the user kernels offer
  std::optional<Forbidden> forbidden_to_guests;  ///< where they are graded
};

/// What measures.
struct Engine {
  std::optional<Budget> budget;
  /// A test of what finds slow nodes: work is planted in each sample, which then takes this many
  /// times as long.
  double planted = 1;
  cuda::Device* device = nullptr;  ///< where CUDA variants run, if anywhere
  EnergyMeter socket_energy;  ///< its counter null: not reported by this node, or not asked for
  EnergyMeter gpu_energy;     ///< as above
  /// Counts in the threads that there are when it is called; null where nobody asked.
  std::function<std::unique_ptr<EventCounter>()> event_counter;
};

/// What decides which cases there are.
struct Planning : Asked, Offered {};

struct Settings : Planning, Engine {};

}  // namespace bench

// From what the user asked for to what is measured together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/cuda/launch_shape.hpp"
#include "harness/measure/result.hpp"
#include "harness/node/environment.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

namespace cuda {
class Device;
}
class InputFiles;

/// What a run was asked to do; the defaults need no option.
struct Settings {
  std::vector<std::string> filters;   ///< globs on workload/backend/variant; empty: everything
  std::vector<std::string> backends;  ///< only these of what the filters select; empty: all
  std::vector<std::string> sizes{"default"};
  std::vector<Dtype> dtypes{Dtype::f32};
  std::vector<std::size_t> bins;  ///< empty: the workload's own
  std::vector<int> threads;       ///< empty: what the job was given
  int job_threads = 1;            ///< what the job was given
  std::uint32_t seed = default_seed;
  std::size_t max_samples = 100;
  double min_seconds = 0.5;  ///< per group
  double max_seconds = 5;    ///< per group, once every case has min_samples
  CacheMode cache = CacheMode::cold;
  simd::Isa isa = simd::Isa::baseline;
  bool isa_given = false;                  ///< other than the widest one here
  std::size_t last_level_cache_bytes = 0;  ///< 0: unknown
  /// How much memory the arrays may take now; nothing where that is unknown.
  std::function<std::optional<MemoryAllowance>()> memory_allowance;
  std::shared_ptr<const InputFiles> inputs;  ///< the user's own data, in place of sizes and dtypes
  bool with_cuda = false;                    ///< the program contains CUDA variants
  cuda::Overrides cuda_launch;               ///< --block, --grid
  cuda::Device* device = nullptr;            ///< where CUDA variants run, if anywhere

  static constexpr std::uint32_t default_seed = 42;
  /// Below this no U test has power, and Google Benchmark's compare.py makes none.
  static constexpr std::size_t min_samples = 9;
};

/// A case and how to run it.
struct PlannedCase {
  Case identity;
  std::function<void(const Arrays&)> run;
  bool transfers = false;  ///< as in Variant
  /// A yardstick, on the group's own arrays; null for the group's problem itself.
  std::shared_ptr<const Problem> beside;
};

/// Cases that are measured in the same rounds, on the same inputs.
struct PlannedGroup {
  std::string workload;
  Dtype dtype = Dtype::f32;
  std::string size;
  std::shared_ptr<const Problem> problem;
  std::vector<std::shared_ptr<const Problem>> yardsticks;  ///< none in the first one's own group
  std::shared_ptr<const InputFiles> inputs;                ///< null: generated
  /// The largest size whose arrays need no more bytes than this, as it stands in names; empty if
  /// none does.
  std::function<std::string(std::size_t bytes)> largest_within;
  std::vector<PlannedCase> cases;
};

/// The groups that the settings ask for, in the order of the registry. To every group belong its
/// baseline serial/naive and, beside it, the yardsticks on the same arrays: the registry's first
/// workload, and the workload's own one where it has one. Throws std::invalid_argument, with a
/// sentence for the user, where a filter or size is unknown.
std::vector<PlannedGroup> plan(std::span<const Workload* const> registry, const Settings& settings);

/// Bytes of the array that yardsticks write where the problem's own output is too small for one; 0
/// where none needs it.
std::size_t scratch_bytes(const PlannedGroup& group);

/// Bytes of all arrays of a group, its yardsticks' too.
std::size_t bytes_needed(const PlannedGroup& group);

/// Throws std::invalid_argument where a filter selects nothing of the registry.
void require_known_filters(std::span<const Workload* const> registry, const Settings& settings);

/// True where the filters and backends of the settings select workload/backend/variant.
bool selected(const Settings& settings, const std::string& path);

/// True where `filter`, a glob on workload/backend/variant or a prefix of one, selects `path`.
bool matches(const std::string& filter, const std::string& path);

}  // namespace bench

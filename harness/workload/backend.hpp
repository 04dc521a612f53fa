// The backends: what each is called, and where its variants run. Another one is a row.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/base/names.hpp"

namespace bench {

enum class RunsOn { one_thread, all_threads, device };
template <>
struct NamesOf<RunsOn> {
  static constexpr std::array<std::pair<RunsOn, std::string_view>, 3> all{
      {{RunsOn::one_thread, "one_thread"},
       {RunsOn::all_threads, "all_threads"},
       {RunsOn::device, "device"}}};
};
/// What makes the threads of a processor.
enum class Pool { openmp, tbb };

struct Backend {
  std::string_view name;
  RunsOn runs_on;
  std::string_view needs{};  ///< what some builds are without
  Pool pool = Pool::openmp;
  bool model = false;  ///< it is compared with the ladder of the device where it runs
  /// Its variants are target regions of OpenMP: one that moves its data itself is given the host's
  /// arrays.
  bool regions = false;
};

namespace backends {
inline constexpr Backend serial{"serial", RunsOn::one_thread};
inline constexpr Backend openmp{"openmp", RunsOn::all_threads};
inline constexpr Backend stdpar{.name = "stdpar",
                                .runs_on = RunsOn::all_threads,
                                .needs = "TBB",
                                .pool = Pool::tbb,
                                .model = true};
inline constexpr Backend cuda{"cuda", RunsOn::device, "CUDA"};
/// The files of cuda, by another compiler.
inline constexpr Backend hip{"hip", RunsOn::device, "HIP"};
inline constexpr Backend target{.name = "target",
                                .runs_on = RunsOn::device,
                                .needs = "OpenMP offload",
                                .model = true,
                                .regions = true};
/// The order of tables.
inline constexpr std::array all{serial, openmp, stdpar, cuda, hip, target};
/// What the files of cuda were compiled for in this program: cuda or hip.
inline const Backend* of_cuda_files = &cuda;
}  // namespace backends

/// A program has no variants of this backend, because those of its files are another's.
inline bool is_elsewhere(const Backend& one) {
  const bool of_those_files = one.name == backends::cuda.name || one.name == backends::hip.name;
  return of_those_files && one.name != backends::of_cuda_files->name;
}

/// Null for the backends of user kernels and peers.
constexpr const Backend* backend_named(std::string_view name) {
  const auto* const found = std::find_if(backends::all.begin(), backends::all.end(),
                                         [name](const Backend& one) { return one.name == name; });
  return found == backends::all.end() ? nullptr : found;
}

/// Whether this is one of our backends that runs there.
constexpr bool runs_on(std::string_view backend, RunsOn where) {
  const Backend* const found = backend_named(backend);
  return found != nullptr && found->runs_on == where;
}

constexpr bool uses(std::string_view backend, Pool pool) {
  const Backend* const found = backend_named(backend);
  return found != nullptr && found->runs_on == RunsOn::all_threads && found->pool == pool;
}

/// Whether its variants are target regions of OpenMP.
constexpr bool has_regions(std::string_view backend) {
  const Backend* const found = backend_named(backend);
  return found != nullptr && found->regions;
}

/// The first of those that run there.
constexpr const Backend& backend_on(RunsOn where) {
  return *std::find_if(backends::all.begin(), backends::all.end(),
                       [where](const Backend& one) { return one.runs_on == where; });
}

/// The backend that has the ladder of the device where this one runs: its own, but for a model.
constexpr std::string_view ladder_of(std::string_view backend) {
  const Backend* const found = backend_named(backend);
  return found == nullptr || !found->model ? backend : backend_on(found->runs_on).name;
}
constexpr bool is_model(std::string_view backend) { return ladder_of(backend) != backend; }

}  // namespace bench

// How CUB's functions are called: first for the size of their temporary storage, then with it. For
// AMD GPUs rocPRIM computes what they do.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "harness/base/reasons.hpp"
#include "harness/cuda/error.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/workspace.hpp"

#if defined(BENCH_WITH_HIP)
#include "harness/cuda/hip/cub.hpp"
#else
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

// g++ 12 takes an empty member there for one that is not initialised.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#pragma GCC diagnostic pop
#include <cub/version.cuh>
#endif

namespace bench::cuda {

/// CUB as in CUDA 13. Of an older one less is known, and what it lacks differs.
constexpr bool current_cub = CUB_VERSION >= 300000;

/// Throws Unavailable where CUB does not count that far: older versions silently truncate.
inline void require_cub_counts(std::size_t n,
                               std::size_t most = current_cub
                                                      ? std::numeric_limits<std::size_t>::max()
                                                      : std::numeric_limits<int>::max()) {
  if (n > most) throw Unavailable(said<reasons::cub_in_32_bits>());
}

/// The temporary storage of one function. It is asked for and allocated when the shape of the
/// problem changes, and kept: as in a program that calls the function again and again, the timed
/// runs do neither.
class CubStorage {
 public:
  using Shape = std::array<std::size_t, 2>;

  /// `f(storage, bytes)` returns a cudaError_t. Throws Error, and Unavailable where there is no
  /// room.
  template <class F>
  void call(const char* what, const Shape& shape, F f) {
    if (!known_ || shape != shape_) {
      known_ = false;
      check(f(nullptr, bytes_), what);
      memory_.of(bytes_);
      shape_ = shape;
      known_ = true;
    }
    check(f(memory_.of(bytes_), bytes_), what);
  }

 private:
  Workspace memory_;
  std::size_t bytes_ = 0;
  Shape shape_{};
  bool known_ = false;
};

}  // namespace bench::cuda

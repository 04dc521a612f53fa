// How CUB's functions are called: first for the size of their temporary storage, then with it.
#pragma once

#include <array>
#include <cstddef>
#include <cub/version.cuh>

#include "harness/cuda/launch.hpp"
#include "harness/cuda/workspace.hpp"

namespace bench::cuda {

/// CUB as in CUDA 13. Of an older one less is known, and what it lacks differs.
constexpr bool current_cub = CUB_VERSION >= 300000;

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

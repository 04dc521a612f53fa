// row_norms by CUB: a segmented reduction, whose segments are the rows. Iterators of Thrust square
// the elements on input and take the roots on output.

#include <limits>

#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/row_norms/row_norms.hpp"

namespace kernels::row_norms {
namespace {

struct Square {
  __host__ __device__ double operator()(Real x) const {
    const double value = x;
    return value * value;
  }
};

struct Root {
  __host__ __device__ Real operator()(double x) const { return static_cast<Real>(std::sqrt(x)); }
};

struct Plus {
  __host__ __device__ double operator()(double a, double b) const { return a + b; }
};

struct BeginOfRow {
  std::size_t cols;
  __host__ __device__ std::size_t operator()(std::size_t i) const { return i * cols; }
};

void segmented_reduce(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                      double* /*parts*/) {
  if (rows == 0) return;
  bench::cuda::require_cub_counts(rows, std::numeric_limits<int>::max());
  const auto squares = thrust::make_transform_iterator(in, Square{});
  const auto norms = thrust::make_transform_output_iterator(out, Root{});
  const auto begins = thrust::make_transform_iterator(
      thrust::make_counting_iterator(std::size_t{0}), BeginOfRow{cols});
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceSegmentedReduce", {rows, cols}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceSegmentedReduce::Reduce(memory, bytes, squares, norms, static_cast<int>(rows),
                                              begins, begins + 1, Plus{}, 0.0);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library",
       bench::cuda::by_vendor("library routine: DeviceSegmentedReduce of CUB",
                              "library routine: segmented_reduce of rocPRIM"),
       segmented_reduce},
  };
  return ladder;
}

}  // namespace kernels::row_norms

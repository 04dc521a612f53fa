// sum_of_squares by CUB: a sum over squares, which an iterator computes as doubles.

#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <limits>

#include "harness/base/reasons.hpp"
#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace kernels::sum_of_squares {
namespace {

struct Square {
  __host__ __device__ double operator()(Real x) const {
    const double wide = x;
    return wide * wide;
  }
};

void reduce(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  // Older CUB versions silently truncate larger counts.
  constexpr std::size_t most = bench::cuda::current_cub ? std::numeric_limits<std::size_t>::max()
                                                        : std::numeric_limits<int>::max();
  if (n > most) throw bench::Unavailable(bench::said<bench::reasons::cub_in_32_bits>());
  const auto squares = thrust::make_transform_iterator(x, Square{});
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceReduce", {n}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, squares, sum, n);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: DeviceReduce of CUB over squares computed on input", reduce},
  };
  return ladder;
}

}  // namespace kernels::sum_of_squares

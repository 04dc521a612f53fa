// sum_of_squares by CUB: a sum over squares, which an iterator computes as doubles.

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
  bench::cuda::require_cub_counts(n);
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
      {"library",
       bench::cuda::by_vendor("library routine: DeviceReduce of CUB over squares computed on input",
                              "library routine: reduce of rocPRIM over squares computed on input"),
       reduce},
  };
  return ladder;
}

}  // namespace kernels::sum_of_squares

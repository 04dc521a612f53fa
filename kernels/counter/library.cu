// counter by CUB: a sum over zeros and ones, which an iterator computes.

#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/counter/counter.hpp"

namespace kernels::counter {
namespace {

struct Below {
  Real threshold;
  __host__ __device__ Count operator()(Real x) const { return x < threshold ? 1 : 0; }
};

void reduce(const Real* x, std::size_t n, Real threshold, Count* count) {
  bench::cuda::require_cub_counts(n);
  const auto ones = thrust::make_transform_iterator(x, Below{threshold});
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceReduce", {n}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(memory, bytes, ones, count, n);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library",
       bench::cuda::by_vendor(
           "library routine: DeviceReduce of CUB over zeros and ones computed on input",
           "library routine: reduce of rocPRIM over zeros and ones computed on input"),
       reduce},
  };
  return ladder;
}

}  // namespace kernels::counter

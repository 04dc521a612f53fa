// counter by CUB: a sum over zeros and ones, which an iterator computes.

#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <limits>

#include "harness/base/reasons.hpp"
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
  // Older CUB versions silently truncate larger counts.
  constexpr std::size_t most = bench::cuda::current_cub ? std::numeric_limits<std::size_t>::max()
                                                        : std::numeric_limits<int>::max();
  if (n > most) throw bench::Unavailable(bench::said<bench::reasons::cub_in_32_bits>());
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
      {"library", "library routine: DeviceReduce of CUB over zeros and ones computed on input",
       reduce},
  };
  return ladder;
}

}  // namespace kernels::counter

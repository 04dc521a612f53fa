// scan by CUB, which looks back as well. Of floats an iterator makes doubles, as totals are here.

#include <thrust/iterator/transform_iterator.h>

// g++ 12 takes an empty member there for one that is not initialised.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <cub/device/device_scan.cuh>
#pragma GCC diagnostic pop
#include <limits>
#include <type_traits>

#include "harness/base/reasons.hpp"
#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/scan/scan.hpp"

namespace kernels::scan {
namespace {

struct ToDouble {
  __host__ __device__ double operator()(float x) const { return x; }
};

void inclusive_sum(const Real* in, Real* out, std::size_t n, double* /*sums*/, Word* /*flags*/) {
  // Older CUB versions silently truncate larger counts.
  constexpr std::size_t most = bench::cuda::current_cub ? std::numeric_limits<std::size_t>::max()
                                                        : std::numeric_limits<int>::max();
  if (n > most) throw bench::Unavailable(bench::said<bench::reasons::cub_in_32_bits>());
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceScan", {n}, [=](void* memory, std::size_t& bytes) {
    if constexpr (std::is_same_v<Real, float>) {
      const auto wide = thrust::make_transform_iterator(in, ToDouble{});
      return cub::DeviceScan::InclusiveSum(memory, bytes, wide, out, n);
    } else {
      return cub::DeviceScan::InclusiveSum(memory, bytes, in, out, n);
    }
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: DeviceScan of CUB", inclusive_sum},
  };
  return ladder;
}

}  // namespace kernels::scan

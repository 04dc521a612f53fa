// scan by CUB, which looks back as well. Of floats an iterator makes doubles, as totals are here.

#include <type_traits>

#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/scan/scan.hpp"

namespace kernels::scan {
namespace {

struct ToDouble {
  __host__ __device__ double operator()(float x) const { return x; }
};

void inclusive_sum(const Real* in, Real* out, std::size_t n, double* /*sums*/, Word* /*flags*/) {
  bench::cuda::require_cub_counts(n);
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
      {"library",
       bench::cuda::by_vendor("library routine: DeviceScan of CUB",
                              "library routine: inclusive_scan of rocPRIM"),
       inclusive_sum},
  };
  return ladder;
}

}  // namespace kernels::scan

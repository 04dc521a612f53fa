// sort by CUB: a radix sort.

#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

void radix_sort(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  bench::cuda::require_cub_counts(n);
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceRadixSort", {n}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library",
       bench::cuda::by_vendor("library routine: DeviceRadixSort of CUB",
                              "library routine: radix_sort_keys of rocPRIM"),
       radix_sort},
  };
  return ladder;
}

}  // namespace kernels::sort

// sort by CUB: a radix sort.

#include <cub/device/device_radix_sort.cuh>
#include <limits>

#include "harness/base/reasons.hpp"
#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

void radix_sort(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  // Older CUB versions silently truncate larger counts.
  constexpr std::size_t most = bench::cuda::current_cub ? std::numeric_limits<std::size_t>::max()
                                                        : std::numeric_limits<int>::max();
  if (n > most) throw bench::Unavailable(bench::said<bench::reasons::cub_in_32_bits>());
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceRadixSort", {n}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(memory, bytes, in, out, n);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: DeviceRadixSort of CUB", radix_sort},
  };
  return ladder;
}

}  // namespace kernels::sort

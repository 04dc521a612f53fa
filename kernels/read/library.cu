// read by CUB: a reduction with exclusive or.

#include <cub/device/device_reduce.cuh>
#include <limits>

#include "harness/base/reasons.hpp"
#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/read/read.hpp"

namespace kernels::read {
namespace {

struct Xor {
  __host__ __device__ Word operator()(Word a, Word b) const { return a ^ b; }
};

void reduce(const Word* in, std::size_t n, Word* out) {
  // Older CUB versions silently truncate larger counts.
  constexpr std::size_t most = bench::cuda::current_cub ? std::numeric_limits<std::size_t>::max()
                                                        : std::numeric_limits<int>::max();
  if (n > most) throw bench::Unavailable(bench::said<bench::reasons::cub_in_32_bits>());
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceReduce", {n}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(memory, bytes, in, out, n, Xor{}, Word{0});
  });
}

}  // namespace

template <>
bench::Ladder<Kernel> library<Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"library", "library routine: DeviceReduce of CUB", reduce},
  };
  return ladder;
}

}  // namespace kernels::read

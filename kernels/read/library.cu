// read by CUB: a reduction with exclusive or.

#include "harness/cuda/cub.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/read/read.hpp"

namespace kernels::read {
namespace {

struct Xor {
  __host__ __device__ Word operator()(Word a, Word b) const { return a ^ b; }
};

void reduce(const Word* in, std::size_t n, Word* out) {
  bench::cuda::require_cub_counts(n);
  static bench::cuda::CubStorage storage;
  storage.call("cub::DeviceReduce", {n}, [=](void* memory, std::size_t& bytes) {
    return cub::DeviceReduce::Reduce(memory, bytes, in, out, n, Xor{}, Word{0});
  });
}

}  // namespace

template <>
bench::Ladder<Kernel> library<Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"library",
       bench::cuda::by_vendor("library routine: DeviceReduce of CUB",
                              "library routine: reduce of rocPRIM"),
       reduce},
  };
  return ladder;
}

}  // namespace kernels::read

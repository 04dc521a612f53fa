// copy by the CUDA runtime, for comparison with the fastest variant.

#include "harness/cuda/kernel.hpp"
#include "kernels/copy/copy.hpp"

namespace kernels::copy {
namespace {

void runtime_copy(const Real* in, Real* out, std::size_t n) {
  bench::cuda::check(cudaMemcpyAsync(out, in, n * sizeof(Real), cudaMemcpyDeviceToDevice, nullptr),
                     "cudaMemcpyAsync");
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: cudaMemcpyAsync, the runtime's own copy", runtime_copy},
  };
  return ladder;
}

}  // namespace kernels::copy

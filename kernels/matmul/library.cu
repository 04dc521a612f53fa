// matmul by cuBLAS: gemm with alpha = 1 and beta = 0, which computes in the precision of its data.

#include "harness/cuda/device_blas.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/matmul/matmul.hpp"

namespace kernels::matmul {
namespace {

void gemm(const Real* a, const Real* b, Sum<Real>* c, std::size_t m, std::size_t n, std::size_t k) {
  bench::cuda::device_blas().multiply(a, b, c, m, n, k);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library",
       bench::cuda::by_vendor("library routine: gemm of cuBLAS",
                              "library routine: gemm of rocBLAS"),
       gemm},
  };
  return ladder;
}

}  // namespace kernels::matmul

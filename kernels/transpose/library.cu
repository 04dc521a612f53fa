// transpose by cuBLAS: C = alpha·Aᵀ + beta·B with alpha = 1 and beta = 0.

#include "harness/cuda/device_blas.hpp"
#include "harness/cuda/kernel.hpp"
#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

void geam(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  bench::cuda::device_blas().transpose(in, out, rows, cols);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> library<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library",
       bench::cuda::by_vendor("library routine: geam of cuBLAS",
                              "library routine: geam of rocBLAS"),
       geam},
  };
  return ladder;
}

}  // namespace kernels::transpose

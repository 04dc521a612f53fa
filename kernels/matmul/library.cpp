// matmul by the matrix library of this node: what a user would call.

#include "kernels/matmul/blas.hpp"
#include "kernels/matmul/matmul.hpp"

namespace kernels::matmul {
namespace {

template <class Real>
void gemm(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n, std::size_t k) {
  blas().multiply<Real>({a, b, c, m, n, k});
}

template <class Real>
void gemm_by_all_threads(const Real* a, const Real* b, Real* c, std::size_t m, std::size_t n,
                         std::size_t k) {
  blas().multiply_by_all_threads<Real>({a, b, c, m, n, k});
}

}  // namespace

template <class Real>
bench::Ladder<Kernel<Real>> serial_library() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: gemm of OpenBLAS, BLIS or MKL", gemm<Real>},
  };
  return ladder;
}

template <class Real>
bench::Ladder<Kernel<Real>> openmp_library() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"library", "library routine: gemm of OpenBLAS, BLIS or MKL, a block of C in each thread",
       gemm_by_all_threads<Real>},
  };
  return ladder;
}

template bench::Ladder<Kernel<float>> serial_library<float>();
template bench::Ladder<Kernel<double>> serial_library<double>();
template bench::Ladder<Kernel<float>> openmp_library<float>();
template bench::Ladder<Kernel<double>> openmp_library<double>();

}  // namespace kernels::matmul

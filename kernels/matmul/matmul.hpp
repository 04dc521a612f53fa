#pragma once

#include <cstddef>

#include "harness/base/half.hpp"
#include "harness/workload/variant.hpp"

namespace kernels::matmul {

/// What sums of products of Reals are: halves are for storage only.
template <class Real>
struct SumOf {
  using type = Real;
};
template <>
struct SumOf<bench::Half> {
  using type = float;
};
template <class Real>
using Sum = typename SumOf<Real>::type;

/// C = A·B: A has m rows of k, B has k rows of n and C m rows of n elements, row after row. C[i][j]
/// is the sum of A[i][p]·B[p][j] over all p, and holds anything before. In f16 A and B are halves,
/// and C is of floats.
template <class Real>
using Kernel = void(const Real* a, const Real* b, Sum<Real>* c, std::size_t m, std::size_t n,
                    std::size_t k);

/// The same by variants that copy A and B in another order first. `packed` has room for both, and
/// for as many rows and columns more as fill the last tiles; in f16 behind them for A and B in f32.
template <class Real>
using Packing = void(const Real* a, const Real* b, Sum<Real>* c, std::size_t m, std::size_t n,
                     std::size_t k, Sum<Real>* packed);

/// Elements of C beyond which the naive loops take many seconds.
constexpr std::size_t most_of_naive = 1100 * 1100;

/// The most rows or columns of a tile.
constexpr std::size_t most_of_a_tile = 32;

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Packing<Real>> packing_serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Isa, class Real>
bench::Ladder<Packing<Real>> packing_openmp();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> stdpar();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();
template <class Real>
bench::Ladder<Kernel<Real>> target();

/// gemm of the BLAS that is installed, and of cuBLAS.
template <class Real>
bench::Ladder<Kernel<Real>> serial_library();
template <class Real>
bench::Ladder<Kernel<Real>> openmp_library();
template <class Real>
bench::Ladder<Kernel<Real>> library();

extern const bench::Workload workload;

}  // namespace kernels::matmul

// sum_of_squares on all cores by the parallel algorithms of C++: Σ x², in float64.
//
// std::transform_reduce may add in any order, also within a thread: what strict arithmetic forbids
// a loop, its name allows. 4 bytes and two operations per element in f32.

#include <execution>
#include <functional>
#include <numeric>

#include "kernels/indices.hpp"
#include "kernels/sum_of_squares/squares.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace kernels::sum_of_squares {
namespace {

// Change: the naive loop as std::transform_reduce, which is free to add by vectors.
// Cost: the order of the additions is not defined: the last digits may differ between runs.
void naive(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  sum[0] = std::transform_reduce(std::execution::par_unseq, x, x + n, 0.0, std::plus<>(),
                                 [](Real value) { return square(value); });
}

constexpr std::size_t part = 16'384;  // elements: enough work that handing it out does not show

// Before: in f32 every element is converted to a double and added as one.
// Change: parts that are added up by vectors in the precision of the data, 64 terms at a time.
// Cost: the rounding of up to 64 terms in f32, where squares beyond 3e38 overflow.
void simd(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  const std::size_t parts = (n + part - 1) / part;
  sum[0] = std::transform_reduce(
      std::execution::par, Index(0), Index(parts), 0.0, std::plus<>(), [=](std::size_t p) {
        const std::size_t left = n - p * part;
        return sum_of_neighbours(x + p * part, left < part ? left : part);
      });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> stdpar<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop as std::transform_reduce, which may add in any order", naive},
      {"simd", "threads over parts, vectors of four cache lines inside each", simd},
  };
  return ladder;
}

}  // namespace kernels::sum_of_squares

// matmul on all cores of the job, A and B in halves: C = A·B, m×k times k×n, row-major, any shape.
//
// As in f32 threads share the rows of C. What is new is who converts the halves, and how often.

#include "harness/workload/target.hpp"
#include "kernels/matmul/halves.hpp"

namespace kernels::matmul {
namespace {

// Change: the naive loops, the rows of C divided among the threads.
// Cost: each thread walks down all columns of B, and converts each element of them.
void naive(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n, std::size_t k) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

// Before: two conversions for each product.
// Change: all threads convert A and B once; then everything is as in f32.
// Cost: room for both in f32.
void register_tile(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
                   std::size_t k, float* packed) {
  const Floats floats = floats_behind(packed, m, n, k);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < m * k; ++i) floats.a[i] = a[i];
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < k * n; ++i) floats.b[i] = b[i];
  }
  last(packing_openmp<Isa, float>())(floats.a, floats.b, c, m, n, k, packed);
}

}  // namespace

template <>
bench::Ladder<Kernel<Half>> openmp<Isa, Half>() {
  static constexpr bench::Variant<Kernel<Half>> ladder[] = {
      {"naive", "the same loops, rows divided among the threads", naive, most_of_naive},
  };
  return ladder;
}

template <>
bench::Ladder<Packing<Half>> packing_openmp<Isa, Half>() {
  static constexpr bench::Variant<Packing<Half>> ladder[] = {
      {"register_tile", "A and B converted to f32 once, by all threads, then as in f32",
       register_tile},
  };
  return ladder;
}

}  // namespace kernels::matmul

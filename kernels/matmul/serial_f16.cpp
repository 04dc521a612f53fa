// matmul on one core, A and B in halves: C = A·B, m×k times k×n, row-major, any shape.
//
// A half takes two bytes, and a processor computes in floats: each one that is loaded must be
// converted first. Half the bytes help where memory is the limit, which it is not here.

#include "harness/workload/target.hpp"
#include "kernels/matmul/halves.hpp"

namespace kernels::matmul {
namespace {

// Change: the loops of the definition; the sum is a float.
// Cost: none, this is the baseline. Two conversions for each product.
void naive(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n, std::size_t k) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

// Before: the inner loop goes down a column of B.
// Change: exchange the inner loops, as in f32. Whole vectors are converted at once.
// Cost: each element of B is converted again for each row of A.
void row_order(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
               std::size_t k) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) c[i * n + j] = 0;
    for (std::size_t p = 0; p < k; ++p) {
      const float factor = a[i * k + p];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += factor * b[p * n + j];
    }
  }
}

// Before: a conversion, or two, for each product.
// Change: A and B are converted once; then everything is as in f32, tiles in registers.
// Cost: room for both in f32. Converting takes as long as a few of a thousand products.
void register_tile(const Half* a, const Half* b, float* c, std::size_t m, std::size_t n,
                   std::size_t k, float* packed) {
  const Floats floats = floats_behind(packed, m, n, k);
  for (std::size_t i = 0; i < m * k; ++i) floats.a[i] = a[i];
  for (std::size_t i = 0; i < k * n; ++i) floats.b[i] = b[i];
  last(packing_serial<Isa, float>())(floats.a, floats.b, c, m, n, k, packed);
}

}  // namespace

template <>
bench::Ladder<Kernel<Half>> serial<Isa, Half>() {
  static constexpr bench::Variant<Kernel<Half>> ladder[] = {
      {"naive", "i, j, k: the loops of the definition, strict IEEE arithmetic, -O3", naive,
       most_of_naive},
      {"row_order", "i, k, j: the inner loop runs along rows, in whole vectors", row_order},
  };
  return ladder;
}

template <>
bench::Ladder<Packing<Half>> packing_serial<Isa, Half>() {
  static constexpr bench::Variant<Packing<Half>> ladder[] = {
      {"register_tile", "A and B converted to f32 once, then tiles in vector registers",
       register_tile},
  };
  return ladder;
}

}  // namespace kernels::matmul

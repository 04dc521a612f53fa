// sin_cos on one core: p = sin x · cos y.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store), two functions of the
// mathematical library and a product. The library is right to the last bit or nearly so, for every
// angle, and answers one at a time: compute bound. Who needs less, angles of a few turns and two or
// three units of the last place, gets whole vectors.

#include <cmath>

#include "harness/simd/math.hpp"
#include "kernels/sin_cos/sin_cos.hpp"
#include "kernels/streaming.hpp"

namespace kernels::sin_cos {
namespace {

// Here: the loop as one writes it.
// Price: two calls per element, which keep the compiler from using vectors.
void naive(const Real* x, const Real* y, Real* product, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) product[i] = std::sin(x[i]) * std::cos(y[i]);
}

// Above: one element per call; the vector units do nothing.
// Here: sine and cosine without branches, so that one instruction (SIMD) works on 4 to 16 elements.
// Price: results differ from the library's in the last bits; angles must stay below sin_reach.
void simd(const Real* x, const Real* y, Real* product, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) product[i] = vector_sin(x[i]) * vector_cos(y[i]);
}

// Above: every line of `product` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; small arrays get slower.
void streaming(const Real* x, const Real* y, Real* product, std::size_t n) {
  const auto element = [=](std::size_t i) { return vector_sin(x[i]) * vector_cos(y[i]); };
  const Lines lines = store_ends(product, n, element);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(product, first, element);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "branch-free sine and cosine: whole vectors at a time", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::sin_cos

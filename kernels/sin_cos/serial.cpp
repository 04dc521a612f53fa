// sin_cos on one core: p = sin x · cos y.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store), two functions of the
// mathematical library and a product. The library is accurate to the last bit or nearly so, for
// every angle, one element at a time: compute bound. If moderate angles and an error of 2 to 3 ulp
// are enough, the loop vectorises.

#include <cmath>

#include "kernels/sin_cos/element.hpp"
#include "kernels/sin_cos/sin_cos.hpp"

namespace kernels::sin_cos {
namespace {

// Change: the naive loop.
// Cost: none, this is the baseline. Two library calls per element prevent vectorisation.
void naive(const Real* x, const Real* y, Real* product, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) product[i] = std::sin(x[i]) * std::cos(y[i]);
}

// Before: one element per call; the vector units are idle.
// Change: branch-free sine and cosine, so that one SIMD instruction computes 4 to 16 elements.
// Cost: results differ from the library's in the last bits. A chunk with an angle beyond 8000 in
// f32 takes the library's time.
void simd(const Real* x, const Real* y, Real* product, std::size_t n) {
  for (std::size_t first = 0; first < n; first += chunk) {
    store_chunk(product, first, end_of_chunk(first, n), Map{x, y});
  }
}

// Before: every line of `product` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* x, const Real* y, Real* product, std::size_t n) {
  const Map map{x, y};
  const Lines lines = store_ends(product, n, [=](std::size_t i) { return map.library(i); });
  for (std::size_t first = lines.begin; first < lines.end; first += chunk) {
    stream_chunk(product, first, end_of_chunk(first, lines.end), map);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "branch-free sine and cosine: full SIMD vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::sin_cos

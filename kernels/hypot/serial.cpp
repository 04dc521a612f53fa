// hypot on one core: c = √(a² + b²), also where a² would overflow or underflow.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store), and little arithmetic
// besides a division and a square root. Naive squaring is wrong for large and small arguments
// (1e20² is infinite in f32). So the formula is c = m·√(1 + (k/m)²) with m the larger and k the
// smaller magnitude. The limits need care: 0/0 and ∞/∞ are NaN.

#include <cmath>

#include "kernels/hypot/element.hpp"
#include "kernels/hypot/hypot.hpp"
#include "kernels/streaming.hpp"

namespace kernels::hypot {
namespace {

// Change: the library's function, which is right in every case, one element after the other.
// Cost: none, this is the baseline. The calls prevent vectorisation.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

// Before: one element per call; the vector units are idle.
// Change: the scaled formula, with selections (masks) instead of branches: it is vectorised.
// Cost: three roundings more than the library: an error of up to 2 ulp.
void simd(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) c[i] = length_of(a[i], b[i]);
}

// Before: every line of `c` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  const auto length = [=](std::size_t i) { return length_of(a[i], b[i]); };
  const Lines lines = store_ends(c, n, length);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(c, first, length);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "the scaled formula without branches: full SIMD vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::hypot

// hypot on one core: c = √(a² + b²), also where a² would overflow or underflow.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store), and little arithmetic
// beside a division and a square root. Squaring naively is wrong for large and small arguments
// (1e20² is infinite in f32), so the formula is c = m·√(1 + (k/m)²) with m the larger and k the
// smaller magnitude, and the ends need care: 0/0 and ∞/∞ are no numbers.

#include <cmath>

#include "kernels/hypot/element.hpp"
#include "kernels/hypot/hypot.hpp"
#include "kernels/streaming.hpp"

namespace kernels::hypot {
namespace {

// Here: the library's function, which gets every case right, one element after the other.
// Price: nothing; this is the baseline. The calls keep the compiler from using vectors.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

// Above: one element per call; the vector units do nothing.
// Here: the scaled formula, its branches replaced by selections (masks): it runs on vectors.
// Price: three roundings more than the library: up to 2 units in the last place.
void simd(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) c[i] = length_of(a[i], b[i]);
}

// Above: every line of `c` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; small arrays get slower.
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
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "the scaled formula without branches: whole vectors at a time", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::hypot

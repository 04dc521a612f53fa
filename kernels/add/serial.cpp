// add on one core: c = a + b.
//
// A first lesson's kernel, and the bandwidth reference of workloads that read two arrays and write
// one. 12 bytes per element in f32 (two loads, one store), one addition: the memory is the limit.
// With three streams (two read, one written) it delivers slightly less than with the two of a copy.
// What a core can still do is to ask for no byte in vain.

#include "kernels/add/add.hpp"
#include "kernels/streaming.hpp"

namespace kernels::add {
namespace {

// Here: the plain loop, which the compiler turns into vectors.
// Price: nothing; this is the baseline.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// Above: every line of `c` is read before it is written (write-allocate), a quarter of all traffic.
// Here: whole lines are written with streaming (non-temporal) stores, which go past the caches.
// Price: the result is not in any cache afterwards; small arrays get slower.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  const auto sum = [=](std::size_t i) { return a[i] + b[i]; };
  const Lines lines = store_ends(c, n, sum);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(c, first, sum);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::add

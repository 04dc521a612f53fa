// add on one core: c = a + b.
//
// The kernel of a first lesson, and the bandwidth reference of workloads that read two arrays and
// write one. 12 bytes per element in f32 (two loads, one store) and one addition: memory bandwidth
// is the limit. Three streams (two reads, one write) are slightly slower than the two of a copy.
// What is left is to avoid fetching bytes that are not needed.

#include "kernels/add/add.hpp"
#include "kernels/streaming.hpp"

namespace kernels::add {
namespace {

// Change: the naive loop, which the compiler vectorises.
// Cost: none, this is the baseline.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// Before: every line of `c` is read before it is written (write-allocate), a quarter of all
// traffic.
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
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
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::add

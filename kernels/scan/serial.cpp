// scan on one core: out[i] = x[0] + … + x[i].
//
// 8 bytes and one addition per element in f32: memory should be the limit. But each sum needs the
// one before it, and an addition has a latency of some four cycles. Of a few elements the sums can
// be computed side by side, by more additions in fewer steps. The total of real numbers is a
// double: a float would lose what is added to it.

#include "kernels/scan/scan.hpp"
#include "kernels/scan/sums.hpp"

namespace kernels::scan {
namespace {

// Change: the naive loop; the total is a double for float, too.
// Cost: none, this is the baseline. Each addition waits for the one before (a loop-carried
// dependency): bound by latency.
void naive(const Real* x, Real* out, std::size_t n, double* /*sums*/, Word* /*flags*/) {
  Total total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    total += x[i];
    out[i] = static_cast<Real>(total);
  }
}

// Before: one addition after the other.
// Change: the lanes of a vector are scanned in log2 steps: each step adds the lanes 1, 2, 4 … away.
// The sum is carried on from vector to vector; eight of them wait for one addition to the total.
// Cost: more additions, and those of zeros, which are shifted in.
void simd(const Real* x, Real* out, std::size_t n, double* /*sums*/, Word* /*flags*/) {
  scan_vectors(x, out, n, 0);
}

// Before: every line of `out` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* x, Real* out, std::size_t n, double* /*sums*/, Word* /*flags*/) {
  scan_streaming(x, out, n, 0);
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "the lanes of a vector are scanned in log2 steps", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::scan

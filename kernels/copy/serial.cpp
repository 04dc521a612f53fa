// copy on one core: out[i] = in[i].
//
// Nothing is computed, so this is the yardstick: no workload that reads and writes memory can go
// faster on this backend. Per element it needs one load and one store (8 bytes in f32, 16 in f64).
// An ordinary store costs one more hidden load: the processor reads a cache line before it changes
// part of it.

#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/copy/copy.hpp"

namespace kernels::copy {
namespace {

// Here: the plain loop. Compilers may turn it into a call of memcpy, and that is fine.
// Price: nothing; this is the baseline.
void naive(const Real* in, Real* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

// Above: every line of `out` is read before it is written, a third of all traffic.
// Here: whole lines are written with streaming stores, which go past the caches.
// Price: the result is not in any cache afterwards; small copies get slower.
void streaming(const Real* in, Real* out, std::size_t n) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const std::size_t before = elements_before_line(out);
  const std::size_t head = before < n ? before : n;
  std::size_t i = 0;
  for (; i < head; ++i) out[i] = in[i];
  for (; i + step <= n; i += step) stream_line(out + i, in + i);
  for (; i < n; ++i) out[i] = in[i];
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

}  // namespace kernels::copy

// copy on all cores of the job: out[i] = in[i].
//
// One core rarely saturates the memory of its socket; all cores together do. This is the yardstick
// of the openmp backend: what a workload that must read and write memory can reach at best.
// Per element: one load and one store (8 bytes in f32, 16 in f64).

#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/copy/copy.hpp"

namespace kernels::copy {
namespace {

// Here: the plain loop, its iterations divided among the threads in equal contiguous parts.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* in, Real* out, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

// Above: every line of `out` is read before it is written, a third of all traffic.
// Here: whole lines are written with streaming stores, which go past the caches.
// Price: the result is not in any cache afterwards; the fence is per thread.
void streaming(const Real* in, Real* out, std::size_t n) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const std::size_t before = elements_before_line(out);
  const std::size_t head = before < n ? before : n;
  const std::size_t lines = (n - head) / step;
  for (std::size_t i = 0; i < head; ++i) out[i] = in[i];
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t line = 0; line < lines; ++line) {
      stream_line(out + head + line * step, in + head + line * step);
    }
    stream_fence();
  }
  for (std::size_t i = head + lines * step; i < n; ++i) out[i] = in[i];
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::copy

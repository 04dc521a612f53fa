// reverse on all cores of the job: out[i] = in[n−1−i].
//
// 8 bytes per element in f32, no arithmetic: a few cores ask for all that the memory gives. The
// part that a thread writes and the part that it reads lie at opposite ends of the arrays: on a
// node of several sockets half of them belong to the other one's memory (NUMA).

#include "kernels/reverse/reverse.hpp"
#include "kernels/streaming.hpp"

namespace kernels::reverse {
namespace {

// Here: the plain loop, divided among the threads.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* in, Real* out, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

// Above: every line of `out` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; the fence is per thread.
void streaming(const Real* in, Real* out, std::size_t n) {
  const auto element = [=](std::size_t i) { return in[n - 1 - i]; };
  const Lines lines = store_ends(out, n, element);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(out, first, element);
    }
    stream_fence();
  }
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

}  // namespace kernels::reverse

// read on all cores of the job: the exclusive or of all words of the input.
//
// All cores together keep more cache misses in flight than one can, until the memory is saturated.
// This is the bandwidth reference of the openmp backend for workloads that only read; 4 bytes per
// element in f32.

#include <omp.h>

#include "harness/workload/target.hpp"
#include "kernels/read/read.hpp"
#include "kernels/read/streams.hpp"

namespace kernels::read {
namespace {

// Change: the naive loop, divided among the threads, each with its own bits until the end.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Word* in, std::size_t n, Word* out) {
  Word bits = 0;
#pragma omp parallel for schedule(static) reduction(^ : bits)
  for (std::size_t i = 0; i < n; ++i) bits ^= in[i];
  out[0] = bits;
}

// Before: the hardware prefetcher predicts the next lines, and stops at the end of a page.
// Change: software prefetch: each line is requested 2 KB ahead, one full line at a time.
// Cost: one more instruction per line, and harmless requests past the end.
void prefetch(const Word* in, std::size_t n, Word* out) {
  constexpr std::size_t step = 64 / sizeof(Word);
  constexpr std::size_t ahead = 2048 / sizeof(Word);
  const std::size_t whole = n - n % step;
  Word bits = 0;
#pragma omp parallel reduction(^ : bits)
  {
    Word lanes[step] = {};
#pragma omp for schedule(static) nowait
    for (std::size_t first = 0; first < whole; first += step) {
      __builtin_prefetch(in + first + ahead);
#pragma omp simd
      for (std::size_t i = 0; i < step; ++i) lanes[i] ^= in[first + i];
    }
    for (const Word lane : lanes) bits ^= lane;
  }
  for (std::size_t i = whole; i < n; ++i) bits ^= in[i];
  out[0] = bits;
}

// Before: one stream of lines per thread: the hardware prefetcher restarts at each page.
// Change: four streams, a quarter of the thread's part each: while one restarts, the loads of the
// others are in flight.
// Cost: four pages per thread in use; no gain where memory is saturated.
void streams(const Word* in, std::size_t n, Word* out) {
  Word bits = 0;
#pragma omp parallel reduction(^ : bits)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t first = n / line * thread / threads * line;
    const std::size_t end = thread + 1 < threads ? n / line * (thread + 1) / threads * line : n;
    bits ^= bits_of_streams(in + first, end - first);
  }
  out[0] = bits;
}

}  // namespace

template <>
bench::Ladder<Kernel> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"prefetch", "software prefetch: each line is requested 2 KB ahead", prefetch},
      {"streams", "four streams per thread", streams},
  };
  return ladder;
}

}  // namespace kernels::read

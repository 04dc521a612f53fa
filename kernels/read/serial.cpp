// read on one core: the exclusive or of all words of the input.
//
// A workload that writes almost nothing can be faster than a copy, so its bandwidth reference does
// not write either. Exclusive or is exact in any order, takes every bit pattern, and costs one
// instruction per vector. 4 bytes per element in f32.

#include "harness/workload/target.hpp"
#include "kernels/read/read.hpp"
#include "kernels/read/streams.hpp"

namespace kernels::read {
namespace {

// Change: the naive loop. The order does not matter, so the compiler may vectorise it.
// Cost: none, this is the baseline.
void naive(const Word* in, std::size_t n, Word* out) {
  Word bits = 0;
  for (std::size_t i = 0; i < n; ++i) bits ^= in[i];
  out[0] = bits;
}

// Before: the hardware prefetcher predicts the next lines, and stops at the end of a page.
// Change: software prefetch: each line is requested 2 KB ahead, one full line at a time.
// Cost: one more instruction per line, and harmless requests past the end.
void prefetch(const Word* in, std::size_t n, Word* out) {
  constexpr std::size_t step = 64 / sizeof(Word);
  constexpr std::size_t ahead = 2048 / sizeof(Word);
  Word lanes[step] = {};
  const std::size_t whole = n - n % step;
  for (std::size_t first = 0; first < whole; first += step) {
    __builtin_prefetch(in + first + ahead);
#pragma omp simd
    for (std::size_t i = 0; i < step; ++i) lanes[i] ^= in[first + i];
  }
  Word bits = 0;
  for (const Word lane : lanes) bits ^= lane;
  for (std::size_t i = whole; i < n; ++i) bits ^= in[i];
  out[0] = bits;
}

// Before: one stream of lines: the hardware prefetcher restarts at each page.
// Change: four streams, a quarter of the array each: while one restarts, the loads of the others
// are in flight.
// Cost: four pages in use at the same time.
void streams(const Word* in, std::size_t n, Word* out) { out[0] = bits_of_streams(in, n); }

}  // namespace

template <>
bench::Ladder<Kernel> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"naive", "the naive loop on one core, -O3", naive},
      {"prefetch", "software prefetch: each line is requested 2 KB ahead", prefetch},
      {"streams", "four streams: one continues while another crosses a page", streams},
  };
  return ladder;
}

}  // namespace kernels::read

// sum_of_squares on all cores of the job: Σ x², in float64.
//
// Threads need not share a total. Each adds up its own part, and only one number per thread is left
// to add at the end (a reduction). 4 bytes and two operations per element in f32. All cores
// together keep more loads in flight than one can. But while each waits for the latency of its
// additions, it takes many cores to reach the memory bandwidth.

#include <omp.h>

#include "kernels/sum_of_squares/squares.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace kernels::sum_of_squares {
namespace {

// Change: the naive loop, divided among the threads, with a private total for each of them.
// Cost: fork/join takes microseconds. In each thread additions wait for each other. The order of
// the totals is not defined: the last digits may differ between runs.
void naive(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t i = 0; i < n; ++i) total += square(x[i]);
  sum[0] = total;
}

/// The part of the calling thread: full cache lines, and for the last thread the remainder.
struct Part {
  explicit Part(std::size_t n) {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    first = n / lanes * thread / threads * lanes;
    count = (thread + 1 < threads ? n / lanes * (thread + 1) / threads * lanes : n) - first;
  }

  std::size_t first = 0;
  std::size_t count = 0;
};

// Before: in each thread every addition waits for the one before it.
// Change: threads over the array, and SIMD within each part: four cache lines together, in the
// precision of the data. After 64 terms each of these sums is added to a double.
// Cost: the rounding of up to 64 terms in f32, where squares beyond 3e38 overflow.
void simd(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  {
    const Part mine(n);
    total += sum_of_neighbours(x + mine.first, mine.count);
  }
  sum[0] = total;
}

// Before: one stream of lines per thread: the hardware prefetcher restarts at each page.
// Change: four streams, a quarter of the thread's part each: while one restarts, the loads of the
// others are in flight.
// Cost: four pages per thread in use; no gain where memory is saturated.
void streams(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  {
    const Part mine(n);
    total += sum_of_streams(x + mine.first, mine.count);
  }
  sum[0] = total;
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads; a total per thread", naive},
      {"simd", "threads over the array, vectors of four cache lines inside each part", simd},
      {"streams", "four streams per thread", streams},
  };
  return ladder;
}

}  // namespace kernels::sum_of_squares

// sum_of_squares on all cores of the job: Σ x², in float64.
//
// Threads need not share a total: each adds up its own part, and only as many numbers as there are
// threads are left to add at the end (a reduction). 4 bytes and two operations per element in f32.
// All cores together ask the memory for more than one can, but as long as each of them waits for
// the latency of its additions, it takes many cores to reach the memory bandwidth.

#include <omp.h>

#include "kernels/sum_of_squares/squares.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace kernels::sum_of_squares {
namespace {

// Here: the plain loop, divided among the threads, with a private total for each of them.
// Price: starting the team costs microseconds; in each thread the additions wait for each other.
// In which order the totals are added is not said: the last digits may differ from run to run.
void naive(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t i = 0; i < n; ++i) total += square(x[i]);
  sum[0] = total;
}

/// What the calling thread has to add: whole cache lines, and the last thread what is left of one.
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

// Above: in each thread every addition waits for the one before it.
// Here: threads over the array, and vectors inside each part: four cache lines side by side, in the
// precision of the data; after 64 terms each of these sums goes into a double.
// Price: the rounding of up to 64 terms in f32, where squares beyond 3e38 overflow.
void simd(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  {
    const Part mine(n);
    total += sum_of_neighbours(x + mine.first, mine.count);
  }
  sum[0] = total;
}

// Above: one stream of lines per thread: where a page ends the hardware prefetcher starts again.
// Here: four streams, a quarter of the thread's part each: while one starts again, the requests of
// the others are in flight.
// Price: four pages per thread in use at the same time; nothing is won where the memory is busy.
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

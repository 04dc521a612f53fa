// monte_carlo_pi on all cores of the job: how many of n random points lie inside the quarter
// circle.
//
// No memory is used, so that the cores share nothing that could run short: compute bound, and twice
// the cores are twice the speed. What needs a plan are the random numbers. A counter-based
// generator makes each block of them from its number, so that the threads draw what one thread
// would have drawn: the count is the same, whatever their number.

#include <cstdint>

#include "harness/workload/target.hpp"
#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"
#include "kernels/monte_carlo_pi/wide_philox.hpp"

namespace kernels::monte_carlo_pi {
namespace {

// Here: the plain loop, divided among the threads; each keeps its own count until the end.
// Price: starting the team costs microseconds; few points get slower.
void naive(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  Word count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (std::size_t b = 0; b < blocks; ++b) count += count_inside(b, n, key);
  inside[0] = count;
}

// Above: a thread has to know the number of the block that it begins with.
// Here: each thread has a generator of its own, seeded like all others, and begins with block 0.
// Price: wrong: all threads draw the same points. It still looks like π, but it is only as good as
// the share of one thread; with one thread it is right.
void same_stream(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  Word count = 0;
#pragma omp parallel reduction(+ : count)
  {
    std::size_t b = 0;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < blocks; ++i) count += count_inside(b++, n, key);
  }
  inside[0] = count;
}

// Above: each thread is told its blocks, but their rounds wait for each other.
// Here: threads over the blocks, and in each part a block per lane (SIMD), a few vectors of which
// go through each round together.
// Price: what does not fill all vectors at the end is done one by one.
void simd(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  const std::size_t whole = n / 2 - n / 2 % together;
  Word count = 0;
#pragma omp parallel reduction(+ : count)
  {
    WideWords counts = {};
#pragma omp for schedule(static) nowait
    for (std::size_t b = 0; b < whole; b += together) count_together(b, key, counts);
    count += count_in(counts);
  }
  for (std::size_t b = whole; b < blocks; ++b) count += count_inside(b, n, key);
  inside[0] = count;
}

}  // namespace

template <>
bench::Ladder<Kernel> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"same_stream", "every thread begins at the first block: all draw the same points",
       same_stream, bench::any_size, bench::kernel_only, bench::wrong_on_purpose},
      {"simd", "threads over the blocks, vectors inside each part", simd},
  };
  return ladder;
}

}  // namespace kernels::monte_carlo_pi

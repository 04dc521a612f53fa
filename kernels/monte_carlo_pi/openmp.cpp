// monte_carlo_pi on all cores of the job: how many of n random points are inside the quarter
// circle.
//
// No memory is used, so the cores share no limited resource: compute bound, and twice the cores are
// twice as fast. The random numbers need care. A counter-based generator computes each block of
// them from its number, so the threads draw the same points as one thread would. The count is the
// same for any number of threads.

#include <cstdint>

#include "harness/workload/target.hpp"
#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"
#include "kernels/monte_carlo_pi/wide_philox.hpp"

namespace kernels::monte_carlo_pi {
namespace {

// Change: the naive loop, divided among the threads, each with its own count until the end.
// Cost: fork/join takes microseconds, so few points get slower.
void naive(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  Word count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
  for (std::size_t b = 0; b < blocks; ++b) count += count_inside(b, n, key);
  inside[0] = count;
}

// Before: a thread must know the number of its first block.
// Change: each thread has a generator of its own with the same seed, and starts at block 0.
// Cost: wrong: all threads draw the same points. The estimate still resembles π, but is only as
// accurate as the share of one thread. With one thread it is right.
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

// Before: each thread has its own blocks, but their rounds wait for each other.
// Change: threads over the blocks, and SIMD within each part: one block per lane, and several
// vectors take each round together.
// Cost: the remainder is processed block by block.
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
      {"same_stream", "every thread starts at the first block: all draw the same points",
       same_stream, bench::any_size, bench::kernel_only, bench::wrong_on_purpose},
      {"simd", "threads over the blocks, vectors inside each part", simd},
  };
  return ladder;
}

}  // namespace kernels::monte_carlo_pi

// counter on all cores of the job: how many x[i] < ½.
//
// 4 bytes per element in f32, and every second element wants to add 1 to the same counter. An
// addition in memory is a load, an addition and a store (read-modify-write). If another thread
// stores in between, one of the two additions is lost (a data race). Making the three steps one
// costs time for each element, since the counter's cache line can be in one core at a time
// (contention). The remedy is not to share. Then memory bandwidth is the limit.

#include <omp.h>

#include "harness/simd/unordered.hpp"
#include "kernels/counter/counter.hpp"
#include "kernels/counter/streams.hpp"

namespace kernels::counter {
namespace {

using bench::simd::unordered_load;
using bench::simd::unordered_store;

// Change: the naive loop, divided among the threads, with atomic additions to one counter.
// Cost: the counter's cache line moves from core to core (contention), and each addition waits for
// it.
void naive(const Real* x, std::size_t n, Real threshold, Count* count) {
  count[0] = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] < threshold) {
#pragma omp atomic
      ++count[0];
    }
  }
}

// Before: an atomic addition takes many times as long as an ordinary one.
// Change: an ordinary load, addition and store.
// Cost: wrong. Two threads that load the same value both store the next one, and a count is lost
// (lost update). It is right with one thread and sometimes with more: a passed test proves nothing.
void race(const Real* x, std::size_t n, Real threshold, Count* count) {
  count[0] = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] < threshold) unordered_store(count[0], unordered_load(count[0]) + 1);
  }
}

// Before: another thread can interleave between the load and the store.
// Change: a lock around the addition (critical): only one thread at a time is inside.
// Cost: the lock is atomic too, and a thread that waits for it may be put to sleep: slower than one
// atomic addition.
void critical(const Real* x, std::size_t n, Real threshold, Count* count) {
  count[0] = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] < threshold) {
#pragma omp critical
      ++count[0];
    }
  }
}

constexpr int most_threads = 1024;  // with a counter

// Before: all threads update the same counter.
// Change: one counter per thread, in adjacent words of memory. Each addition is written there.
// Cost: no count is lost, but sixteen counters share a cache line, which still moves from core to
// core (false sharing).
void neighbours(const Real* x, std::size_t n, Real threshold, Count* count) {
  Count counters[most_threads];
  const int threads = omp_get_max_threads();
  count[0] = 0;
#pragma omp parallel num_threads(threads < most_threads ? threads : most_threads)
  {
    Count& mine = counters[omp_get_thread_num()];
    mine = 0;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] < threshold) unordered_store(mine, unordered_load(mine) + 1);
    }
#pragma omp atomic
    count[0] += mine;
  }
}

/// A counter with a cache line of its own.
struct alignas(64) Padded {
  Count count;
};

// Before: different counters in the same cache line (false sharing).
// Change: one cache line per counter (padding), which stays with its core.
// Cost: 64 bytes instead of 4. Each addition is still a load, an addition and a store.
void padded(const Real* x, std::size_t n, Real threshold, Count* count) {
  Padded counters[most_threads];
  const int threads = omp_get_max_threads();
  count[0] = 0;
#pragma omp parallel num_threads(threads < most_threads ? threads : most_threads)
  {
    Count& mine = counters[omp_get_thread_num()].count;
    mine = 0;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] < threshold) unordered_store(mine, unordered_load(mine) + 1);
    }
#pragma omp atomic
    count[0] += mine;
  }
}

// Before: each addition goes through the cache (store forwarding), after a branch that is
// mispredicted half of the time.
// Change: each thread counts in a register, and the counts are added at the end (privatisation,
// OpenMP's reduction). The loop can be vectorised.
// Cost: one addition per thread.
void private_count(const Real* x, std::size_t n, Real threshold, Count* count) {
  Count counted = 0;
#pragma omp parallel for schedule(static) reduction(+ : counted)
  for (std::size_t i = 0; i < n; ++i) counted += x[i] < threshold ? 1U : 0U;
  count[0] = counted;
}

// Before: one stream of lines per thread: the hardware prefetcher restarts at each page.
// Change: four streams, a quarter of the thread's part each: while one restarts, the loads of the
// others are in flight.
// Cost: four pages per thread in use; no gain where memory is saturated.
void streams(const Real* x, std::size_t n, Real threshold, Count* count) {
  const std::size_t lines = n / lanes;
  Count counted = 0;
#pragma omp parallel reduction(+ : counted)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = lines * thread / threads * lanes;
    const std::size_t end = lines * (thread + 1) / threads * lanes;
    counted += count_in_streams(x + begin, end - begin, threshold);
  }
  for (std::size_t i = lines * lanes; i < n; ++i) counted += x[i] < threshold ? 1U : 0U;
  count[0] = counted;
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads; one atomic counter", naive},
      {"race", "a load, an addition and a store: counts are lost", race, bench::any_size,
       bench::kernel_only, bench::wrong_on_purpose},
      {"critical", "a lock around each addition", critical, 1'000'000},
      {"neighbours", "a counter per thread, all in few cache lines: false sharing", neighbours},
      {"padded", "a cache line for each thread's counter", padded},
      {"private_count", "a register per thread, added up at the end", private_count},
      {"streams", "four streams per thread", streams},
  };
  return ladder;
}

}  // namespace kernels::counter

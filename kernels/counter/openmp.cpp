// counter on all cores of the job: how many x[i] < ½.
//
// 4 bytes per element in f32, and every second element wants to add 1 to the same counter. An
// addition in memory is a load, an addition and a store (read-modify-write): a thread that stores
// between another's load and store undoes its work (a data race). Whatever makes the three one is
// paid per element, since the cache line of the counter can be in one core at a time (contention).
// The remedy is not to share: then nothing but the memory bandwidth is left.

#include <omp.h>

#include "harness/simd/unordered.hpp"
#include "kernels/counter/counter.hpp"
#include "kernels/counter/streams.hpp"

namespace kernels::counter {
namespace {

using bench::simd::unordered_load;
using bench::simd::unordered_store;

// Here: the plain loop, divided among the threads; an addition to the one counter is atomic.
// Price: its cache line travels from core to core; each addition waits for it.
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

// Above: an atomic addition takes many times as long as an ordinary one.
// Here: an ordinary one: a load, an addition, a store.
// Price: wrong. Two threads that load the same number both store the next one: a count is lost
// (lost update). Right with one thread, and now and then with more: a test that passes proves
// nothing.
void race(const Real* x, std::size_t n, Real threshold, Count* count) {
  count[0] = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] < threshold) unordered_store(count[0], unordered_load(count[0]) + 1);
  }
}

// Above: another thread can come between the load and the store.
// Here: a lock around the addition (critical): only one thread at a time is inside.
// Price: taking and leaving the lock is atomic, too, and a thread that finds it taken may be put to
// sleep: slower than one atomic addition.
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

// Above: all threads want the same counter.
// Here: a counter per thread, side by side in memory, and each addition is written there.
// Price: no count is lost, but sixteen counters share a cache line, which still travels from core
// to core (false sharing).
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

// Above: different counters, but the same cache line.
// Here: a cache line for each counter (padding): it stays with its core.
// Price: 64 bytes for 4; still a load, an addition and a store for each addition.
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

// Above: each addition goes through the cache (store forwarding), behind a branch that is guessed
// wrong every other time (branch misprediction).
// Here: each thread counts in a register of its own; the counts are added once, at the end
// (privatisation, OpenMP's reduction). Nothing is shared, so there may be vectors, too.
// Price: an addition per thread.
void private_count(const Real* x, std::size_t n, Real threshold, Count* count) {
  Count counted = 0;
#pragma omp parallel for schedule(static) reduction(+ : counted)
  for (std::size_t i = 0; i < n; ++i) counted += x[i] < threshold ? 1U : 0U;
  count[0] = counted;
}

// Above: one stream of lines per thread: where a page ends the hardware prefetcher starts again.
// Here: four streams, a quarter of the thread's part each: while one starts again, the requests of
// the others are in flight.
// Price: four pages per thread in use at the same time; nothing is won where the memory is busy.
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

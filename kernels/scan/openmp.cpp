// scan on all cores of the job: out[i] = x[0] + … + x[i].
//
// A thread cannot begin until it knows the sum of all elements before its part. So the sums of the
// parts come first, and the data are read twice: 12 bytes per element in f32. While a part is in
// the cache, memory is read once: 8 bytes, as by a copy.

#include <omp.h>

#include "harness/simd/flags.hpp"
#include "kernels/scan/scan.hpp"
#include "kernels/scan/sums.hpp"

namespace kernels::scan {
namespace {

using bench::simd::awaited;
using bench::simd::publish;

/// The part of the calling thread: full cache lines, and for the last thread the remainder.
struct Part {
  explicit Part(std::size_t n)
      : thread(static_cast<std::size_t>(omp_get_thread_num())),
        first(n / line * thread / threads() * line),
        end(thread + 1 < threads() ? n / line * (thread + 1) / threads() * line : n) {}
  static std::size_t threads() { return static_cast<std::size_t>(omp_get_num_threads()); }

  std::size_t thread;
  std::size_t first;
  std::size_t end;
};

/// The sum of the first `count` of these.
inline Total sum_of_first(const double* sums, std::size_t count) {
  Total sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<Total>(sums[i]);
  return sum;
}

// Change: two passes of naive loops: each thread adds up its part, and after a barrier scans it. It
// begins with the sum of the parts before.
// Cost: the input is read twice, and each addition waits for the one before it. (OpenMP's own scan
// would be one loop, but compilers do it in other ways, with arrays of all sums.)
void naive(const Real* x, Real* out, std::size_t n, double* sums, Word* /*flags*/) {
#pragma omp parallel
  {
    const Part mine(n);
    Total total = 0;
    for (std::size_t i = mine.first; i < mine.end; ++i) total += x[i];
    sums[mine.thread] = total;
#pragma omp barrier
    total = sum_of_first(sums, mine.thread);
    for (std::size_t i = mine.first; i < mine.end; ++i) {
      total += x[i];
      out[i] = static_cast<Real>(total);
    }
  }
}

// Before: one addition after the other, in both passes.
// Change: SIMD in both: lanes add up, and are scanned in log2 steps.
// Cost: the input is still read from memory twice: three accesses per element, and a fourth for
// lines that are read only to be overwritten.
void simd(const Real* x, Real* out, std::size_t n, double* sums, Word* /*flags*/) {
#pragma omp parallel
  {
    const Part mine(n);
    const std::size_t count = mine.end - mine.first;
    sums[mine.thread] = sum_of(x + mine.first, count);
#pragma omp barrier
    const Total before = sum_of_first(sums, mine.thread);
    scan_vectors(x + mine.first, out + mine.first, count, before);
  }
}

/// The sum before all pieces is there, and no other.
inline void begin_with(Total total, double* sums, Word* flags, std::size_t pieces) {
  for (std::size_t p = 1; p <= pieces; ++p) flags[p] = 0;
  sums[0] = total;
  flags[0] = 1;
}

/// The sum before a piece, as soon as the piece before has passed it on; passes on that after it.
inline Total passed_on(Total sum, double* sums, Word* flags, std::size_t which) {
  awaited(flags[which]);
  const auto before = static_cast<Total>(sums[which]);
  sums[which + 1] = before + sum;
  publish(flags[which + 1], 1);
  return before;
}

/// Both passes over one piece after the other; scan(x, out, count, before) is the second one.
template <class Scan>
[[gnu::always_inline]] inline void by_pieces(const Real* x, Real* out, std::size_t n, double* sums,
                                             Word* flags, Scan scan) {
  const std::size_t pieces = (n + piece - 1) / piece;
  begin_with(0, sums, flags, pieces);
#pragma omp parallel
  {
#pragma omp for schedule(static, 1) nowait
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::size_t first = p * piece;
      const std::size_t count = n - first < piece ? n - first : piece;
      const Total sum = sum_of(x + first, count);
      scan(x + first, out + first, count, passed_on(sum, sums, flags, p));
    }
    stream_fence();
  }
}

// Before: the second pass finds nothing of its part in the cache.
// Change: threads take pieces in turn that fit into the L2 cache. A piece is scanned directly after
// it is added up, as soon as a flag says that the sum before it is there.
// Cost: threads wait for each other, and a slow one slows all down. No gain where the array fits
// into the last-level cache.
void in_cache(const Real* x, Real* out, std::size_t n, double* sums, Word* flags) {
  by_pieces(x, out, n, sums, flags, scan_vectors);
}

// Before: every line of `out` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* x, Real* out, std::size_t n, double* sums, Word* flags) {
  by_pieces(x, out, n, sums, flags, scan_streaming);
}

// Before: a thread reads from memory in the first pass and writes in the second, in turn.
// Change: one loop scans a piece and adds up the thread's next one, as eight streams (software
// pipelining): reads and writes are in flight together.
// Cost: two pieces in the cache; the last part of a piece is scanned by one thread.
void pipelined(const Real* x, Real* out, std::size_t n, double* sums, Word* flags) {
  const std::size_t to_line = elements_before_line(out);
  const std::size_t head = to_line < n ? to_line : n;
  const std::size_t pieces = (n - head) / piece;
  const std::size_t rest = head + pieces * piece;
  begin_with(scan_vectors(x, out, head, 0), sums, flags, pieces);
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    Total sum = thread < pieces ? sum_of(x + head + thread * piece, piece) : 0;
#pragma omp for schedule(static, 1) nowait
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::size_t first = head + p * piece;
      const std::size_t next = p + threads < pieces ? first + threads * piece : first;
      const Total before = passed_on(sum, sums, flags, p);
      sum = scan_and_add(x + first, out + first, before, x + next);
    }
    stream_fence();
  }
  scan_vectors(x + rest, out + rest, n - rest, static_cast<Total>(sums[pieces]));
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the sums of the parts, then each part: the input is read twice", naive},
      {"simd", "vectors in both passes", simd},
      {"in_cache", "both passes over a piece while it is in the cache", in_cache},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
      {"pipelined", "one loop scans a piece and adds up the next one", pipelined},
  };
  return ladder;
}

}  // namespace kernels::scan

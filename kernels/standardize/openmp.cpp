// standardize on all cores of the job: z = (x − mean)/σ, with the mean and the deviation of all x.
//
// A reduction before a map: every thread adds up its part, all meet at a barrier, and every thread
// computes its part of the results. 12 bytes per element in f32. If all parts fit in their caches,
// a thread finds the second read there.

#include <omp.h>

#include "kernels/standardize/moments.hpp"
#include "kernels/standardize/standardize.hpp"

namespace kernels::standardize {
namespace {

// Change: the naive loops, each divided among the threads.
// Cost: fork/join takes microseconds, three times; the data are read three times.
void naive(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const auto count = static_cast<double>(n);
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (std::size_t i = 0; i < n; ++i) total += x[i];
  const double mean = total / count;
  double squares = 0;
#pragma omp parallel for schedule(static) reduction(+ : squares)
  for (std::size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const double sigma = std::sqrt(squares / count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) z[i] = static_cast<Real>((x[i] - mean) / sigma);
}

// Before: one pass for the mean and one for the deviations from it.
// Change: one loop for both sums, of deviations from x[0]. Σd²/n − (Σd/n)² is the variance,
// whatever d is measured from, and near the data it loses no digits.
// Cost: loses precision if x[0] is far from the other values.
void one_pass(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const double shift = first_of(x, n);
  double first = 0;
  double second = 0;
#pragma omp parallel for schedule(static) reduction(+ : first, second)
  for (std::size_t i = 0; i < n; ++i) {
    const double deviation = x[i] - shift;
    first += deviation;
    second += deviation * deviation;
  }
  const Scale scaled({first, second}, shift, n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) z[i] = scaled(x[i]);
}

/// Both sums over all elements, vectorised: each thread adds up its part.
inline Sums sums_of_all(const Real* x, std::size_t n, double shift) {
  double first = 0;
  double second = 0;
#pragma omp parallel reduction(+ : first, second)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t begin = n / threads * thread;
    const std::size_t end = thread + 1 < threads ? begin + n / threads : n;
    const Sums mine = sums_of_vectors(x + begin, end - begin, shift);
    first += mine.first;
    second += mine.second;
  }
  return {first, second};
}

// Before: in each thread every addition waits for the one before it.
// Change: threads over the array, and sixteen accumulators of each kind within each part, as
// vectors.
// Cost: another order of additions, so the last digits differ.
void simd(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const double shift = first_of(x, n);
  const Scale scaled(sums_of_all(x, n, shift), shift, n);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) z[i] = scaled(x[i]);
}

// Before: every line of `z` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const double shift = first_of(x, n);
  const Scale scaled(sums_of_all(x, n, shift), shift, n);
  const auto result = [=](std::size_t i) { return scaled(x[i]); };
  const Lines lines = store_ends(z, n, result);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(z, first, result);
    }
    stream_fence();
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same three loops, each divided among the threads", naive},
      {"one_pass", "both sums in one loop, of deviations from the first element", one_pass},
      {"simd", "threads over the array, vectors of accumulators inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::standardize

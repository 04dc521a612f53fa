// standardize on all cores of the job: z = (x − mean)/σ, with the mean and the deviation of all x.
//
// A reduction in front of a map: every thread adds up its part, all meet (a barrier), and every
// thread computes its part of the results. 12 bytes per element in f32, of which a thread may find
// the second reading in its cache where all parts fit.

#include <omp.h>

#include "kernels/standardize/moments.hpp"
#include "kernels/standardize/standardize.hpp"

namespace kernels::standardize {
namespace {

// Here: the plain loops, each divided among the threads.
// Price: starting the team costs microseconds, three times; the data are read three times.
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

// Above: one pass for the mean and one for the deviations from it.
// Here: one loop for both sums, of deviations from x[0]: Σd²/n − (Σd/n)² is the variance, whatever
// d is measured from, and so close to the data nothing is lost by it.
// Price: where x[0] lies far from all others, digits.
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

/// Both sums over all elements: each thread those of its part, as vectors.
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

// Above: in each thread every addition waits for the one before it.
// Here: threads over the array, and sixteen totals of each kind inside each part, as vectors.
// Price: another order of additions, so the last digits differ.
void simd(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const double shift = first_of(x, n);
  const Scale scaled(sums_of_all(x, n, shift), shift, n);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) z[i] = scaled(x[i]);
}

// Above: every line of `z` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; the fence is per thread.
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
      {"simd", "threads over the array, vectors of totals inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::standardize

// sort on all cores of the job: the elements in ascending order.
//
// Dividing the elements is easy, joining them again is not: a merge has to see all of them. So the
// threads share each step rather than the array: neighbours at even and odd positions, the output
// of a merge, the digits of one pass. Between steps they wait for each other (barriers). For a few
// thousand elements that takes longer than one core needs.

#include <omp.h>

#include "kernels/sort/buckets.hpp"
#include "kernels/sort/runs.hpp"
#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

// Change: parallel bubble sort: neighbours at even positions are compared and exchanged, then those
// at odd ones, n times. The pairs share no element (odd-even transposition).
// Cost: n²/2 comparisons, n barriers.
void naive(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
    for (std::size_t phase = 0; phase < n; ++phase) {
#pragma omp for schedule(static)
      for (std::size_t j = phase % 2; j < n - 1; j += 2) order(out[j], out[j + 1]);
    }
  }
}

/// How many of the m elements of a are among the first k of a and b merged.
std::size_t from_first(const Real* a, std::size_t m, const Real* b, std::size_t n, std::size_t k) {
  std::size_t low = k > n ? k - n : 0;
  std::size_t high = k < m ? k : m;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    // Is element `middle` of a before the last element of b that would be taken?
    if (b[k - middle - 1] < a[middle]) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Merges the parts first … middle … last into one run, of which it writes the elements begin …
/// end.
struct Merge {
  std::size_t first;
  std::size_t middle;
  std::size_t last;

  void part(const Real* from, Real* to, std::size_t begin, std::size_t end) const {
    if (begin >= end) return;
    const Real* const a = from + first;
    const Real* const b = from + middle;
    const std::size_t before = from_first(a, middle - first, b, last - middle, begin - first);
    const std::size_t after = from_first(a, middle - first, b, last - middle, end - first);
    merge_runs(a + before, after - before, b + (begin - first - before),
               end - begin - (after - before), to + begin);
  }
};

// Before: O(n²) comparisons.
// Change: each thread sorts a part by merging. Then all threads share each merge of two parts: a
// binary search finds the inputs of each thread's piece of the output (merge path).
// Cost: a second array, and log₂(threads) more passes over all of it.
void merge(const Real* in, Real* out, Real* work, std::size_t n) {
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto self = static_cast<std::size_t>(omp_get_thread_num());
    const auto part = [=](std::size_t k) { return n / threads * k + n % threads * k / threads; };
    const std::size_t begin = part(self);
    const std::size_t end = part(self + 1);
    // So that the last merge ends in `out`.
    const bool even = passes_over(threads) % 2 == 0;
    Real* from = even ? out : work;
    Real* to = even ? work : out;
    merge_sort(in + begin, from + begin, to + begin, end - begin);
    for (std::size_t width = 1; width < threads; width *= 2) {
#pragma omp barrier
      for (std::size_t left = 0; left < threads; left += 2 * width) {
        const std::size_t middle = threads - left < width ? threads : left + width;
        const std::size_t right = threads - middle < width ? threads : middle + width;
        const Merge merge{part(left), part(middle), part(right)};
        merge.part(from, to, begin > merge.first ? begin : merge.first,
                   end < merge.last ? end : merge.last);
      }
      Real* const next = from;
      from = to;
      to = next;
    }
  }
}

// Before: elements are compared with each other.
// Change: digits of 8 bits, from the last one on. Each thread counts those of its part. A prefix
// sum of the counts gives their positions, and all threads place their elements.
// Cost: four passes in f32, eight in f64, each with a serial step.
void radix(const Real* in, Real* out, Real* work, std::size_t n) {
  std::size_t places[digits];
#pragma omp parallel
  {
    const Real* from = in;
    for (int pass = 0; pass < radix_passes; ++pass) {
      Real* const to = pass % 2 == 0 ? work : out;
      std::size_t own[digits] = {};
#pragma omp single
      for (std::size_t& place : places) place = 0;
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < n; ++i) ++own[digit_of(from[i], pass)];
#pragma omp critical
      for (unsigned d = 0; d < digits; ++d) places[d] += own[d];
#pragma omp barrier
#pragma omp single
      counts_to_places(places);
      // In the order of the threads, which is that of their parts.
#pragma omp for ordered schedule(static, 1)
      for (int thread = 0; thread < omp_get_num_threads(); ++thread) {
#pragma omp ordered
        for (unsigned d = 0; d < digits; ++d) {
          const std::size_t place = places[d];
          places[d] += own[d];
          own[d] = place;
        }
      }
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < n; ++i) to[own[digit_of(from[i], pass)]++] = from[i];
      from = to;
    }
  }
}

// Before: a pass over all of memory for each digit.
// Change: quicksort by vectors. Each thread splits parts that fit into its cache about common
// limits, from a sample. Then threads take buckets in turn: they collect one from all parts, and
// sort it.
// Cost: barriers between the steps; a sample may lead to buckets of unequal size.
void quick(const Real* in, Real* out, Real* work, std::size_t n) {
  Buckets buckets(n, static_cast<std::size_t>(omp_get_max_threads()));
  if (buckets.count() == 1) return quicksort(in, out, work, n);
#pragma omp parallel
  {
#pragma omp single
    buckets.choose_limits(in, out, work);
#pragma omp for schedule(static)
    for (std::size_t part = 0; part < buckets.parts(); ++part) {
      buckets.split_part(part, in, out, work);
    }
#pragma omp for schedule(dynamic, 1)
    for (std::size_t bucket = 0; bucket < buckets.count(); ++bucket) {
      buckets.collect(bucket, work, out);
    }
#pragma omp for schedule(dynamic, 1)
    for (std::size_t side = 0; side < 2 * buckets.count(); ++side) {
      buckets.sort_side(side, out, work);
    }
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "odd-even transposition: a parallel bubble sort, a barrier per phase", naive,
       20'000},
      {"merge", "merge sort: a part per thread, then all threads share each merge", merge},
      {"radix", "radix sort: digits counted by each thread, placed by all", radix},
      {"quicksort", "quicksort by vectors: parts split about common limits, collected in buckets",
       quick},
  };
  return ladder;
}

}  // namespace kernels::sort

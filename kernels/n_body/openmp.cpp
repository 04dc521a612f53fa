// n_body on all cores of the job: the acceleration of each of n bodies by all others.
//
// Each body has sums of its own, so threads that share the bodies share no result. All of them read
// the same bodies, which fit into the cache of each core, and arithmetic is the limit: twice the
// cores are twice as fast. It is otherwise where each pair is computed once: its result belongs to
// two bodies, and the other one may be another thread's.

#include "harness/simd/unordered.hpp"
#include "kernels/n_body/n_body.hpp"
#include "kernels/n_body/pairs.hpp"

namespace kernels::n_body {
namespace {

using bench::simd::unordered_load;
using bench::simd::unordered_store;

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so a few dozen bodies get slower.
void naive(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    Real ax = 0;
    Real ay = 0;
    Real az = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const Real dx = x[j] - x[i];
      const Real dy = y[j] - y[i];
      const Real dz = z[j] - z[i];
      const Real square = dx * dx + dy * dy + dz * dz + soft;
      const Real pull = m[j] / (square * std::sqrt(square));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    a[i] = ax;
    a[n + i] = ay;
    a[2 * n + i] = az;
  }
}

// Before: one pair at a time in each thread.
// Change: threads over bodies i, and SIMD over bodies j: whole vectors, and no comparison.
// Cost: another order of additions.
void simd(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    Real ax = 0;
    Real ay = 0;
    Real az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (std::size_t j = 0; j < n; ++j) {
      const Real dx = x[j] - x[i];
      const Real dy = y[j] - y[i];
      const Real dz = z[j] - z[i];
      const Real square = dx * dx + dy * dy + dz * dz + soft;
      const Real pull = m[j] / (square * std::sqrt(square));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    a[i] = ax;
    a[n + i] = ay;
    a[2 * n + i] = az;
  }
}

// Before: the root and the division take longer than all the rest.
// Change: an approximate 1/√ and a step like Newton's, in each thread.
// Cost: other last digits; squared distances must be within the range of float.
void rsqrt(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
  const Bodies all{x, y, z, m, n};
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const Sums<Real> sum = pull_of_all(all, i);
    a[i] = sum.x;
    a[n + i] = sum.y;
    a[2 * n + i] = sum.z;
  }
}

// Before: each pair is computed twice.
// Change: once, by whichever thread has the first body, and added to both.
// Cost: wrong. Two threads that load the same sum both store theirs, and one addition is lost (a
// data race). It is right with one thread and sometimes with more: a passed test proves nothing.
void half_the_pairs(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                    std::size_t n) {
  const Bodies all{x, y, z, m, n};
  for (std::size_t k = 0; k < 3 * n; ++k) a[k] = 0;
#pragma omp parallel for schedule(static, 1)
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const auto [dx, dy, dz, weight] = pair_of(all, i, j);
      const Real d[] = {dx, dy, dz};
      for (std::size_t c = 0; c < 3; ++c) {
        Real& of_i = a[c * n + i];
        Real& of_j = a[c * n + j];
        unordered_store(of_i, unordered_load(of_i) + m[j] * weight * d[c]);
        unordered_store(of_j, unordered_load(of_j) - m[i] * weight * d[c]);
      }
    }
  }
}

/// The most bodies whose sums fit on the stack of any thread.
constexpr std::size_t most_private = (std::size_t{1} << 20U) / (3 * sizeof(Real));

// Before: threads add to the same sums.
// Change: sums of all bodies for each thread (privatisation, OpenMP's array reduction), which are
// added at the end. Blocks of bodies in turn: the first ones have most of the pairs.
// Cost: three numbers per body and thread, on its stack. Too many bodies, and those of a single
// block, are computed as in rsqrt.
void private_sums(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                  std::size_t n) {
  if (n <= block || n > most_private) return rsqrt(x, y, z, m, a, n);
  const Bodies all{x, y, z, m, n};
  const std::size_t count = 3 * n;
  for (std::size_t k = 0; k < count; ++k) a[k] = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : a[:count])
  for (std::size_t i = 0; i < n; i += block) add_pairs_of_block(all, a, i);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive, 100'000},
      {"simd", "threads over the bodies, SIMD over those that pull them", simd},
      {"rsqrt", "an approximate 1/√ and a Newton step in each thread", rsqrt},
      {"half_the_pairs", "each pair once, added to both bodies: additions are lost", half_the_pairs,
       100'000, bench::kernel_only, bench::wrong_on_purpose},
      {"private_sums", "each pair once, and a copy of all sums per thread", private_sums},
  };
  return ladder;
}

}  // namespace kernels::n_body

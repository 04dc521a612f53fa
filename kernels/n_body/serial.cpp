// n_body on one core: the acceleration of each of n bodies by all others, with softening.
//
// 20 operations for each pair, and n² pairs of 4n numbers: compute bound from a few hundred bodies
// on. All bodies stay in the cache. What limits a plain loop is not the multiplications but the
// root and the division, of which a core completes one in several cycles. So the ladder first uses
// whole vectors, then avoids both, and at last does half of the work.

#include "kernels/n_body/n_body.hpp"
#include "kernels/n_body/pairs.hpp"

namespace kernels::n_body {
namespace {

// Change: for each body the sum over all others.
// Cost: none, this is the baseline. Roots, divisions and additions of one pair at a time, and a
// comparison to leave the body itself out.
void naive(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
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

// Before: one pair at a time, with a comparison for each.
// Change: whole vectors of bodies j, and sums per lane. The body itself needs no comparison: d is
// zero, and thanks to the softening so is its term.
// Cost: another order of additions, which strict IEEE arithmetic does not allow the compiler.
void simd(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
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
// Change: an approximate 1/√ with some 12 bits in one instruction, and a step like Newton's that
// corrects it by multiplications (see pairs.hpp). Products and sums are fused (FMA).
// Cost: other last digits; squared distances must be within the range of float. Plain x86-64 has no
// FMA: the multiplications take longer there than the root.
void rsqrt(const Real* x, const Real* y, const Real* z, const Real* m, Real* a, std::size_t n) {
  const Bodies all{x, y, z, m, n};
  for (std::size_t i = 0; i < n; ++i) {
    const Sums<Real> sum = pull_of_all(all, i);
    a[i] = sum.x;
    a[n + i] = sum.y;
    a[2 * n + i] = sum.z;
  }
}

// Before: each pair is computed twice, once for either body.
// Change: once, and added to both, with opposite signs (Newton's third law).
// Cost: three sums in memory are read and written for each pair (scattered writes): what was a sum
// in a register. Threads would write to the same ones.
void half_the_pairs(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                    std::size_t n) {
  const Bodies all{x, y, z, m, n};
  for (std::size_t k = 0; k < 3 * n; ++k) a[k] = 0;
  for (std::size_t i = 0; i < n; i += block) add_pairs_of_block(all, a, i);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive, 100'000},
      {"simd", "whole vectors of bodies, and no comparison: softening makes the own term zero",
       simd},
      {"rsqrt", "an approximate 1/√ and a Newton step: no root, no division", rsqrt},
      {"half_the_pairs", "each pair once, added to both bodies (Newton's third law)",
       half_the_pairs},
  };
  return ladder;
}

}  // namespace kernels::n_body

// All steps of one or many elements, for both CPU ladders.
#pragma once

#include <cstddef>

#include "harness/simd/vector_mul_add.hpp"
#include "harness/workload/target.hpp"
#include "kernels/multiply_add/multiply_add.hpp"

namespace kernels::multiply_add {
namespace {

constexpr Real a = static_cast<Real>(factor);
constexpr Real b = static_cast<Real>(summand);

/// All steps of one element, two operations each.
inline Real stepped(Real v) {
  for (unsigned step = 0; step < steps; ++step) v = v * a + b;
  return v;
}

/// The same with one FMA per step.
inline Real fused_stepped(Real v) {
  for (unsigned step = 0; step < steps; ++step) v = mul_add(v, a, b);
  return v;
}

// A core issues up to two multiply-adds per cycle and has the result of each after four or five
// cycles, so ten must be in flight. With a and b these fit in the 16 registers of plain x86-64 and
// AVX2.
constexpr std::size_t in_flight = 12;                      // vectors
constexpr std::size_t together = in_flight * lanes<Real>;  // elements

/// All steps of `together` elements, which stay in registers.
[[gnu::always_inline]] inline void step_together(const Real* x, Real* y) {
  const Vector<Real> as = Vector<Real>{} + a;
  const Vector<Real> bs = Vector<Real>{} + b;
  Vector<Real> v[in_flight];
#pragma GCC unroll 12
  for (std::size_t k = 0; k < in_flight; ++k)
    __builtin_memcpy(&v[k], x + k * lanes<Real>, sizeof v[k]);
  for (unsigned step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (Vector<Real>& one : v) one = mul_add(one, as, bs);
  }
#pragma GCC unroll 12
  for (std::size_t k = 0; k < in_flight; ++k)
    __builtin_memcpy(y + k * lanes<Real>, &v[k], sizeof v[k]);
}

/// The remainder at the end: one more block, whose first elements are computed again.
inline void step_rest(const Real* x, Real* y, std::size_t n) {
  if (n % together == 0) return;
  if (n > together) return step_together(x + n - together, y + n - together);
  for (std::size_t i = 0; i < n; ++i) y[i] = fused_stepped(x[i]);
}

}  // namespace
}  // namespace kernels::multiply_add

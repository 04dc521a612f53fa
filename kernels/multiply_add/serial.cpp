// multiply_add on one core: 512 steps v ← a·v + b for each element, from v = x to the result.
//
// 1024 operations for 8 bytes in f32, an arithmetic intensity of 128 flops per byte: compute bound
// everywhere. It shows the peak of the arithmetic units, the flat roof of a roofline, as `copy`
// shows that of memory. A step needs the result of the one before it (a loop-carried dependency),
// but elements are independent. The peak is two operations per lane of each vector FMA that is
// issued in a cycle. Its latency is some four cycles, so several times as many must be in flight.

#include "harness/workload/target.hpp"
#include "kernels/multiply_add/element.hpp"
#include "kernels/multiply_add/multiply_add.hpp"

namespace kernels::multiply_add {
namespace {

// Change: element after element, step after step.
// Cost: none, this is the baseline. Each step waits for a product, then for a sum: bound by both
// latencies, three or four cycles each.
void naive(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = stepped(x[i]);
}

// Before: two instructions, and the latency of both, for each step.
// Change: product and sum in one instruction with one rounding (FMA): one latency.
// Cost: other last digits, so compilers do not do it in strict IEEE arithmetic. Plain x86-64 has no
// FMA: there it stays two instructions.
void fused(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = fused_stepped(x[i]);
}

// Before: one multiply-add in flight, while a core can issue two in each cycle.
// Change: eight elements in turn, one of each eighth of the array: their steps overlap
// (instruction-level parallelism).
// Cost: eight registers, and eight streams of memory. (Neighbouring elements would let gcc
// vectorise the eight, which is the next idea.)
void chains(const Real* x, Real* y, std::size_t n) {
  constexpr std::size_t count = 8;
  const std::size_t part = n / count;
  for (std::size_t i = 0; i < part; ++i) {
    Real v[count];
#pragma GCC unroll 8
    for (std::size_t c = 0; c < count; ++c) v[c] = x[c * part + i];
    for (unsigned step = 0; step < steps; ++step) {
#pragma GCC unroll 8
      for (Real& one : v) one = mul_add(one, a, b);
    }
#pragma GCC unroll 8
    for (std::size_t c = 0; c < count; ++c) y[c * part + i] = v[c];
  }
  for (std::size_t i = count * part; i < n; ++i) y[i] = fused_stepped(x[i]);
}

// Before: enough multiply-adds in flight, but each of one element.
// Change: each of a whole vector (SIMD), twelve vectors in turn: each unit issues an FMA in every
// cycle.
// Cost: whole blocks; the last one computes some elements twice.
void simd(const Real* x, Real* y, std::size_t n) {
  const std::size_t whole = n - n % together;
  for (std::size_t i = 0; i < whole; i += together) step_together(x + i, y + i);
  step_rest(x, y, n);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"fused", "product and sum in one instruction (FMA), rounded once", fused},
      {"chains", "eight elements in turn: eight multiply-adds in flight", chains},
      {"simd", "twelve vectors in turn: every unit busy in every cycle", simd},
  };
  return ladder;
}

}  // namespace kernels::multiply_add

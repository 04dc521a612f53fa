// multiply_add on one core: 512 steps v ← a·v + b for each element, from v = x to the result.
//
// 1024 operations for 8 bytes in f32, an arithmetic intensity of 128 flops per byte: compute bound
// everywhere. It shows what the arithmetic units can do, the flat roof of a roofline, as `copy`
// shows what the memory can. A step needs the result of the one before it (a loop-carried
// dependency), elements need nothing of each other. The peak is two operations in each lane of each
// vector whose FMA begins in a cycle; some four cycles later it is done, so that many times as many
// have to be in flight.

#include "harness/workload/target.hpp"
#include "kernels/multiply_add/element.hpp"
#include "kernels/multiply_add/multiply_add.hpp"

namespace kernels::multiply_add {
namespace {

// Here: element after element, step after step.
// Price: nothing; this is the baseline. Each step waits for a product, then for a sum: bound by the
// latency of both, three or four cycles each.
void naive(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = stepped(x[i]);
}

// Above: two instructions, and the latency of both, for each step.
// Here: product and sum by one instruction, with one rounding (FMA): one latency.
// Price: another last digit, so that no compiler may do it unasked in strict IEEE arithmetic; plain
// x86-64 has no FMA: there it stays two.
void fused(const Real* x, Real* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = fused_stepped(x[i]);
}

// Above: one multiply-add in flight, where a core could begin two in each cycle.
// Here: eight elements in turn, one of each eighth of the array: while one waits for its next step,
// the others are on their way (instruction-level parallelism).
// Price: eight registers, and eight places of memory. (Unrolled at once, or gcc would make vectors
// of the eight, which is the next idea.)
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

// Above: as many multiply-adds in flight as a core can have, but each of one element.
// Here: of a whole vector (SIMD), twelve vectors in turn: nothing but FMAs, and each unit begins
// one in every cycle.
// Price: whole blocks; the last one does some elements a second time.
void simd(const Real* x, Real* y, std::size_t n) {
  const std::size_t whole = n - n % together;
  for (std::size_t i = 0; i < whole; i += together) step_together(x + i, y + i);
  step_rest(x, y, n);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"fused", "product and sum in one instruction (FMA), rounded once", fused},
      {"chains", "eight elements in turn: eight multiply-adds in flight", chains},
      {"simd", "twelve vectors in turn: every unit busy in every cycle", simd},
  };
  return ladder;
}

}  // namespace kernels::multiply_add

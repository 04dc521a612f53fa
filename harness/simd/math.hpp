// sin and exp without branches or tables, so that a loop around them becomes vector code.
//
// Both reduce the argument and sum a Taylor series; the number of terms is what the precision
// needs. The functions are static: each compilation of a ladder file has its own copy, for its own
// instruction set.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace {

/// a·b + c: one rounding where the processor has FMA, two where it has not (a library call there
/// would cost more than the whole kernel).
[[maybe_unused, gnu::always_inline]] inline float mul_add(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}
[[maybe_unused, gnu::always_inline]] inline double mul_add(double a, double b, double c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Nearest integer, for |x| below 2^22 (float) or 2^51 (double): adding 1.5·2^digits pushes the
/// fraction out of the mantissa.
[[maybe_unused, gnu::always_inline]] inline float round_to_integer(float x) {
  constexpr float shift = 0x1.8p23F;
  return (x + shift) - shift;
}
[[maybe_unused, gnu::always_inline]] inline double round_to_integer(double x) {
  constexpr double shift = 0x1.8p52;
  return (x + shift) - shift;
}

/// 2^k for an integral k in the range of normal numbers: the exponent field, written directly.
[[maybe_unused, gnu::always_inline]] inline float power_of_two(float k) {
  return __builtin_bit_cast(float, (static_cast<std::int32_t>(k) + 127) << 23);
}
[[maybe_unused, gnu::always_inline]] inline double power_of_two(double k) {
  // The integer is read from the low mantissa bits of k + 1.5·2^52: SSE2 and AVX2 have no
  // vector conversion from double to 64-bit integers.
  const auto bits = __builtin_bit_cast(std::int64_t, k + 0x1.8p52);
  return __builtin_bit_cast(double, (bits + 1023) << 52);
}

/// exp(x) within 2 ulp for −87 ≤ x ≤ 0 (float) or −708 ≤ x ≤ 0 (double); below, the exp of that
/// bound, since denormal numbers would run ten times slower. NaN stays NaN.
[[maybe_unused, gnu::always_inline]] inline float vector_exp(float x) {
  const float clamped = x < -87.0F ? -87.0F : x;
  const float k = round_to_integer(clamped * 1.44269504F);
  // x − k·ln 2, with ln 2 in two parts of which the first has few bits, so that k·part is exact.
  const float r = mul_add(k, 2.12194440e-4F, mul_add(k, -0.693359375F, clamped));
  float p = 1.0F / 5040;
  p = mul_add(p, r, 1.0F / 720);
  p = mul_add(p, r, 1.0F / 120);
  p = mul_add(p, r, 1.0F / 24);
  p = mul_add(p, r, 1.0F / 6);
  p = mul_add(p, r, 0.5F);
  p = mul_add(p, r, 1.0F);
  p = mul_add(p, r, 1.0F);
  return p * power_of_two(k);
}
[[maybe_unused, gnu::always_inline]] inline double vector_exp(double x) {
  const double clamped = x < -708.0 ? -708.0 : x;
  const double k = round_to_integer(clamped * 1.4426950408889634);
  const double r =
      mul_add(k, -1.90821492927058770002e-10, mul_add(k, -6.93147180369123816490e-01, clamped));
  double p = 1.0 / 6227020800;
  p = mul_add(p, r, 1.0 / 479001600);
  p = mul_add(p, r, 1.0 / 39916800);
  p = mul_add(p, r, 1.0 / 3628800);
  p = mul_add(p, r, 1.0 / 362880);
  p = mul_add(p, r, 1.0 / 40320);
  p = mul_add(p, r, 1.0 / 5040);
  p = mul_add(p, r, 1.0 / 720);
  p = mul_add(p, r, 1.0 / 120);
  p = mul_add(p, r, 1.0 / 24);
  p = mul_add(p, r, 1.0 / 6);
  p = mul_add(p, r, 0.5);
  p = mul_add(p, r, 1.0);
  p = mul_add(p, r, 1.0);
  return p * power_of_two(k);
}

/// sin x up to its sign, for |x| ≤ 8000 (float) or 10^6 (double): enough for sin², whose period is
/// π, with an absolute error below 1.5e-7 or 1e-15.
[[maybe_unused, gnu::always_inline]] inline float vector_sin_unsigned(float x) {
  const float k = round_to_integer(x * 0.318309886F);
  // x − k·π with π in three parts; the first two have few bits, so that k·part is exact.
  float r = mul_add(k, -3.140625F, x);
  r = mul_add(k, -9.67502593994140625e-4F, r);
  r = mul_add(k, -1.509957990978376432e-7F, r);
  const float q = r * r;
  float p = 1.0F / 6227020800;
  p = mul_add(p, q, -1.0F / 39916800);
  p = mul_add(p, q, 1.0F / 362880);
  p = mul_add(p, q, -1.0F / 5040);
  p = mul_add(p, q, 1.0F / 120);
  p = mul_add(p, q, -1.0F / 6);
  return mul_add(p * q, r, r);
}
[[maybe_unused, gnu::always_inline]] inline double vector_sin_unsigned(double x) {
  const double k = round_to_integer(x * 0.31830988618379067);
  double r = mul_add(k, -3.141592651605606, x);
  r = mul_add(k, -1.9841871479187034e-9, r);
  r = mul_add(k, -1.1442377452219664e-17, r);
  const double q = r * r;
  double p = 1.0 / 51090942171709440000.0;
  p = mul_add(p, q, -1.0 / 121645100408832000);
  p = mul_add(p, q, 1.0 / 355687428096000);
  p = mul_add(p, q, -1.0 / 1307674368000);
  p = mul_add(p, q, 1.0 / 6227020800);
  p = mul_add(p, q, -1.0 / 39916800);
  p = mul_add(p, q, 1.0 / 362880);
  p = mul_add(p, q, -1.0 / 5040);
  p = mul_add(p, q, 1.0 / 120);
  p = mul_add(p, q, -1.0 / 6);
  return mul_add(p * q, r, r);
}

}  // namespace

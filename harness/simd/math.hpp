// sin and exp without branches or tables, so that a loop around them becomes vector code.
//
// Both reduce the argument and evaluate a polynomial, fitted at Chebyshev nodes: fewer terms than a
// Taylor series needs. The functions are static: each compilation of a ladder file has its own
// copy, for its own instruction set.
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

/// The nearest integer to a number below 2^22 (float) or 2^51 (double) in magnitude: adding
/// 1.5·2^digits pushes the fraction out of the mantissa, whose last bits then hold the integer.
template <class T>
struct Rounded {
  T shifted;
  T value;
};
[[maybe_unused, gnu::always_inline]] inline Rounded<float> rounded_product(float a, float b) {
  constexpr float shift = 0x1.8p23F;
  const float shifted = mul_add(a, b, shift);
  return {shifted, shifted - shift};
}
[[maybe_unused, gnu::always_inline]] inline Rounded<double> rounded_product(double a, double b) {
  constexpr double shift = 0x1.8p52;
  const double shifted = mul_add(a, b, shift);
  return {shifted, shifted - shift};
}

/// 2^k for an integral k in the range of normal numbers: k is added to the exponent field of 1.
[[maybe_unused, gnu::always_inline]] inline float power_of_two(Rounded<float> k) {
  constexpr std::uint32_t one = 0x3F800000;
  return __builtin_bit_cast(float, one + (__builtin_bit_cast(std::uint32_t, k.shifted) << 23));
}
[[maybe_unused, gnu::always_inline]] inline double power_of_two(Rounded<double> k) {
  constexpr std::uint64_t one = 0x3FF0000000000000;
  return __builtin_bit_cast(double, one + (__builtin_bit_cast(std::uint64_t, k.shifted) << 52));
}

/// exp(x) within 2 ulp for −87 ≤ x ≤ 0 (float) or −708 ≤ x ≤ 0 (double); below, the exp of that
/// bound, since denormal numbers would run ten times slower. NaN stays NaN.
[[maybe_unused, gnu::always_inline]] inline float vector_exp(float x) {
  const float clamped = x < -87.0F ? -87.0F : x;
  const Rounded<float> k = rounded_product(clamped, 1.44269504F);
  // x − k·ln 2, with ln 2 in two parts of which the first has few bits, so that k·part is exact.
  const float r = mul_add(k.value, 2.12194440e-4F, mul_add(k.value, -0.693359375F, clamped));
  float p = 0.00139261836F;
  p = mul_add(p, r, 0.00836317905F);
  p = mul_add(p, r, 0.0416665546F);
  p = mul_add(p, r, 0.166665770F);
  p = mul_add(p, r, 0.5F);
  p = mul_add(p, r, 1.0F);
  p = mul_add(p, r, 1.0F);
  return p * power_of_two(k);
}
[[maybe_unused, gnu::always_inline]] inline double vector_exp(double x) {
  const double clamped = x < -708.0 ? -708.0 : x;
  const Rounded<double> k = rounded_product(clamped, 1.4426950408889634);
  const double r = mul_add(k.value, -1.90821492927058770002e-10,
                           mul_add(k.value, -6.93147180369123816490e-01, clamped));
  double p = 2.510038549551031907762e-8;
  p = mul_add(p, r, 2.762008844540974816102e-7);
  p = mul_add(p, r, 2.755726845999706477171e-6);
  p = mul_add(p, r, 2.480152129595437513121e-5);
  p = mul_add(p, r, 1.984126986305361687787e-4);
  p = mul_add(p, r, 1.388888891721371690144e-3);
  p = mul_add(p, r, 8.333333333330061832518e-3);
  p = mul_add(p, r, 4.166666666662412787300e-2);
  p = mul_add(p, r, 1.666666666666666745273e-1);
  p = mul_add(p, r, 0.5);
  p = mul_add(p, r, 1.0);
  p = mul_add(p, r, 1.0);
  return p * power_of_two(k);
}

/// How far the short reduction of vector_sin() reaches.
template <class T>
constexpr T sin_reach = 8000;
template <>
constexpr double sin_reach<double> = 1e6;

/// x/π to the nearest integer k.
[[maybe_unused, gnu::always_inline]] inline Rounded<float> half_turns(float x) {
  return rounded_product(x, 0.318309886F);
}
[[maybe_unused, gnu::always_inline]] inline Rounded<double> half_turns(double x) {
  return rounded_product(x, 0.31830988618379067);
}

/// sin(x − k·π).
[[maybe_unused, gnu::always_inline]] inline float sin_of_rest(float x, float k) {
  // π in three parts; the first two have few bits, so that k·part is exact.
  float r = mul_add(k, -3.140625F, x);
  r = mul_add(k, -9.67502593994140625e-4F, r);
  r = mul_add(k, -1.509957990978376432e-7F, r);
  const float q = r * r;
  float p = 2.60002469e-6F;
  p = mul_add(p, q, -1.98066017e-4F);
  p = mul_add(p, q, 8.33301711e-3F);
  p = mul_add(p, q, -0.166666571F);
  return mul_add(p * q, r, r);
}
[[maybe_unused, gnu::always_inline]] inline double sin_of_rest(double x, double k) {
  double r = mul_add(k, -3.141592651605606, x);
  r = mul_add(k, -1.9841871479187034e-9, r);
  r = mul_add(k, -1.1442377452219664e-17, r);
  const double q = r * r;
  double p = -7.3645917984299673485e-13;
  p = mul_add(p, q, 1.6047296630887018716e-10);
  p = mul_add(p, q, -2.5051851346897376627e-8);
  p = mul_add(p, q, 2.7557316074554094178e-6);
  p = mul_add(p, q, -1.9841269820073569164e-4);
  p = mul_add(p, q, 8.3333333332627965815e-3);
  p = mul_add(p, q, -0.16666666666665810924);
  return mul_add(p * q, r, r);
}

/// −x for an odd k: its last bit, which is that of the mantissa, becomes the sign.
[[maybe_unused, gnu::always_inline]] inline float negated_if_odd(float x, Rounded<float> k) {
  return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) ^
                                       __builtin_bit_cast(std::uint32_t, k.shifted) << 31);
}
[[maybe_unused, gnu::always_inline]] inline double negated_if_odd(double x, Rounded<double> k) {
  return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, x) ^
                                        __builtin_bit_cast(std::uint64_t, k.shifted) << 63);
}

/// sin x for |x| ≤ sin_reach, with an absolute error below 1.5e-7 or 1e-15.
template <class T>
[[gnu::always_inline]] inline T vector_sin(T x) {
  const Rounded<T> k = half_turns(x);
  return negated_if_odd(sin_of_rest(x, k.value), k);
}

/// cos x the same way, as sin(x + π/2): the nearest integer to x/π + ½ is how many half turns that
/// is, and that less ½ is exact, too.
[[maybe_unused, gnu::always_inline]] inline Rounded<float> half_turns_of_cos(float x) {
  return rounded_product(mul_add(x, 0.318309886F, 0.5F), 1.0F);
}
[[maybe_unused, gnu::always_inline]] inline Rounded<double> half_turns_of_cos(double x) {
  return rounded_product(mul_add(x, 0.31830988618379067, 0.5), 1.0);
}
template <class T>
[[gnu::always_inline]] inline T vector_cos(T x) {
  const Rounded<T> k = half_turns_of_cos(x);
  return negated_if_odd(sin_of_rest(x, k.value - T{0.5}), k);
}

/// sin x up to its sign: enough for sin², whose period is π.
template <class T>
[[gnu::always_inline]] inline T vector_sin_unsigned(T x) {
  return sin_of_rest(x, half_turns(x).value);
}

}  // namespace

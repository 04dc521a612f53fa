// E(x) = sin²x + √|x| + exp(−x²/50) without a branch, for |x| ≤ 100 000.
//
// The sine is needed only up to its sign. So x is reduced modulo π to |r| ≤ π/2, and a polynomial
// of r² gives (sin r/r − 1)/r².
//
// The root is |x| times the approximate inverse root of one instruction, refined once.
//
// The exponential is, in f32, one instruction of the special function unit. In f64, t = n·ln 2 + s:
// a polynomial gives e^s for |s| ≤ ln 2/2, and n is added to the exponent of the result.
//
// Adding 1.5·2^23 (f64: 1.5·2^52) rounds a number to an integer: the fraction no longer fits into
// the mantissa. Coefficients start with the highest power. They are in constant memory, where an
// instruction reads them as an operand; a 64-bit literal takes two more instructions.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/cuda/kernel.hpp"

namespace kernels::energy {
namespace {

[[maybe_unused]] __constant__ float sine_f32[] = {2.60002469e-6F, -1.98066017e-4F, 8.33301711e-3F,
                                                  -0.166666571F};
[[maybe_unused]] __constant__ double sine_f64[] = {
    -7.3645917984299673485e-13, 1.6047296630887018716e-10, -2.5051851346897376627e-8,
    2.7557316074554094178e-6,   -1.9841269820073569164e-4, 8.3333333332627965815e-3,
    -0.16666666666665810924};
[[maybe_unused]] __constant__ double power_terms[] = {2.510038549551031907762e-8,
                                                      2.762008844540974816102e-7,
                                                      2.755726845999706477171e-6,
                                                      2.480152129595437513121e-5,
                                                      1.984126986305361687787e-4,
                                                      1.388888891721371690144e-3,
                                                      8.333333333330061832518e-3,
                                                      4.166666666662412787300e-2,
                                                      1.666666666666666745273e-1,
                                                      0.5,
                                                      1.0,
                                                      1.0};

/// 1/π, and −π in two parts.
[[maybe_unused]] __constant__ double half_turn[] = {0.31830988618379067, -3.1415926535897931160,
                                                    -1.2246467991473531772e-16};
/// The factor of x² in the exponent; 1/ln 2, and −ln 2 in two parts, the first one with few bits.
[[maybe_unused]] __constant__ double powers[] = {
    -0.02, 1.4426950408889634, -0.693147180369123816490, -1.90821492927058770002e-10};

template <class T, std::size_t N>
__device__ T polynomial(const T (&coefficients)[N], T x) {
  T sum = coefficients[0];
  for (std::size_t i = 1; i < N; ++i) sum = std::fma(sum, x, coefficients[i]);
  return sum;
}

__device__ inline float branch_free_energy(float x) {
  constexpr float shift = 0x1.8p23F;
  const float k = std::fma(x, 0.318309886F, shift) - shift;
  const float r = std::fma(k, 8.74227766e-8F, std::fma(k, -3.14159274F, x));
  const float square = r * r;
  const float sine = std::fma(polynomial(sine_f32, square) * square, r, r);
  // Without the refinement root and exponential together could be wrong by more than 4 ulp.
  const float size = std::fmax(std::abs(x), 0x1p-126F);  // 0 has no inverse root
  const float inverse = bench::cuda::fast_rsqrt(size);
  const float estimate = size * inverse;
  const float root = std::fma(std::fma(-estimate, estimate, size), 0.5F * inverse, estimate);
  return std::fma(sine, sine, root + bench::cuda::fast_exp2(x * x * -0.0288539008F));
}

/// The upper half of a number, sign and exponent first. The integer units compare halves, so that
/// the few 64-bit units do only what they alone can do.
__device__ inline std::uint32_t upper_half(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<std::uint32_t>(bits >> 32U);
}
__device__ inline double with_upper_half(double x, std::uint32_t upper) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  bits = std::uint64_t{upper} << 32U | static_cast<std::uint32_t>(bits);
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}
__device__ inline std::uint32_t magnitude(double x) { return upper_half(x) & 0x7fffffff; }

__device__ inline double branch_free_energy(double x) {
  constexpr double shift = 0x1.8p52;
  const double k = std::fma(x, half_turn[0], shift) - shift;
  const double r = std::fma(k, half_turn[2], std::fma(k, half_turn[1], x));
  const double square = r * r;
  const double sine = std::fma(polynomial(sine_f64, square) * square, r, r);
  // Below −700 the exponential is negligible next to the root.
  constexpr std::uint32_t of_minus_700 = 0xC085E000;
  double t = x * x * powers[0];
  t = with_upper_half(t, upper_half(t) < of_minus_700 ? upper_half(t) : of_minus_700);
  const double shifted = std::fma(t, powers[1], shift);
  const double n = shifted - shift;
  const double s = std::fma(n, powers[3], std::fma(n, powers[2], t));
  double power = polynomial(power_terms, s);
  std::uint64_t n_bits = 0;
  std::memcpy(&n_bits, &shifted, sizeof n_bits);
  power = with_upper_half(power, upper_half(power) + (static_cast<std::uint32_t>(n_bits) << 20U));
  // The approximate inverse is off by e = 1 − size·inverse²: two terms of 1/√(1 − e). A root of
  // less than the smallest normal number is negligible next to e^t.
  constexpr std::uint32_t of_smallest = 0x00100000;
  const double size = with_upper_half(x, magnitude(x) > of_smallest ? magnitude(x) : of_smallest);
  const double inverse = bench::cuda::fast_rsqrt(size);
  const double estimate = size * inverse;
  const double e = std::fma(-estimate, inverse, 1.0);
  const double root = std::fma(estimate, std::fma(e, 0.375, 0.5) * e, estimate);
  return std::fma(sine, sine, root + power);
}

/// Whether the short formulas hold: beyond 100 000 the reduction of x loses digits.
__device__ inline bool in_reach(float x) { return std::abs(x) <= 100'000; }
__device__ inline bool in_reach(double x) {
  constexpr std::uint32_t of_100000 = 0x40F86A00;
  return magnitude(x) < of_100000;
}

}  // namespace
}  // namespace kernels::energy

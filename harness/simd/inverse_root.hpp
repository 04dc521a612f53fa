// 1/√v of whole vectors, approximately: one instruction, where a root and a division take tens of
// cycles. Multiplications make it exact to any number of digits (Newton's iteration).
#pragma once

#include <cstddef>

#include "harness/simd/block.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace {

/// Bits of 1/√v that are right at least.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int inverse_root_bits = 14;
#else
constexpr int inverse_root_bits = 11;
#endif

/// 1/√v with a relative error of at most 2^−inverse_root_bits, for 1e-37 ≤ v ≤ 1e37.
[[maybe_unused, gnu::always_inline]] inline Vector<float> approximate_inverse_root(
    Vector<float> v) {
#if defined(__AVX512F__)
  // Of the form without a mask gcc 12 says that it is uninitialised.
  return _mm512_maskz_rsqrt14_ps(0xFFFF, v);
#elif defined(__AVX__)
  return _mm256_rsqrt_ps(v);
#elif defined(__x86_64__)
  return _mm_rsqrt_ps(v);
#elif defined(__aarch64__)
  const float32x4_t y = vrsqrteq_f32(v);  // eight bits
  return vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(v, y), y));
#else
  for (std::size_t k = 0; k < lanes<float>; ++k) v[k] = 1 / __builtin_sqrtf(v[k]);
  return v;
#endif
}

/// The same of doubles. Only AVX-512 has an instruction for them: others go by way of float.
[[maybe_unused, gnu::always_inline]] inline Vector<double> approximate_inverse_root(
    Vector<double> v) {
#if defined(__AVX512F__)
  return _mm512_maskz_rsqrt14_pd(0xFF, v);
#elif defined(__AVX__)
  return _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(v)));
#elif defined(__x86_64__)
  return _mm_cvtps_pd(_mm_rsqrt_ps(_mm_cvtpd_ps(v)));
#elif defined(__aarch64__)
  const float64x2_t y = vrsqrteq_f64(v);
  return vmulq_f64(y, vrsqrtsq_f64(vmulq_f64(v, y), y));
#else
  for (std::size_t k = 0; k < lanes<double>; ++k) v[k] = 1 / __builtin_sqrt(v[k]);
  return v;
#endif
}

}  // namespace

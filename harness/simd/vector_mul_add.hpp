// a·b + c of whole vectors: one instruction that compilers do not make of a product and a sum in
// strict IEEE arithmetic.
#pragma once

#include "harness/simd/block.hpp"
#include "harness/simd/math.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace {

/// Multiplies and adds as with single numbers: one rounding where the processor has FMA, two where
/// it has not.
[[maybe_unused, gnu::always_inline]] inline Vector<float> mul_add(Vector<float> a, Vector<float> b,
                                                                  Vector<float> c) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__)
  return _mm256_fmadd_ps(a, b, c);
#elif defined(__aarch64__)
  return vfmaq_f32(c, a, b);
#else
  return a * b + c;
#endif
}
[[maybe_unused, gnu::always_inline]] inline Vector<double> mul_add(Vector<double> a,
                                                                   Vector<double> b,
                                                                   Vector<double> c) {
#if defined(__AVX512F__)
  return _mm512_fmadd_pd(a, b, c);
#elif defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#elif defined(__aarch64__)
  return vfmaq_f64(c, a, b);
#else
  return a * b + c;
#endif
}

}  // namespace

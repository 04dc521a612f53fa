// Numbers of 16 bits on the CPU: each operation in float, rounded to the nearest.
#pragma once

#include "harness/cuda_on_cpu/language.h"

namespace bench_guest {

struct Binary16 {
  static uint16_t bits_of(float x) {
    const uint32_t all = __float_as_uint(x);
    const uint32_t sign = all >> 16U & 0x8000U;
    uint32_t size = all & 0x7fff'ffffU;
    if (size > 0x7f80'0000U) return 0x7fff;
    if (size >= 0x477f'f000U) return static_cast<uint16_t>(sign | 0x7c00U);
    if (size < 0x3880'0000U) {  // it has fewer digits
      return static_cast<uint16_t>(sign | static_cast<uint32_t>(rintf(fabsf(x) * 0x1p24F)));
    }
    size += 0xfffU + (size >> 13U & 1U);
    return static_cast<uint16_t>(sign | (size - 0x3800'0000U) >> 13U);
  }
  static float value_of(uint16_t bits) {
    const uint32_t sign = (bits & 0x8000U) << 16U;
    const uint32_t size = bits & 0x7fffU;
    if (size < 0x400U) return copysignf(static_cast<float>(size) * 0x1p-24F, __uint_as_float(sign));
    const uint32_t bias = size < 0x7c00U ? 0x3800'0000U : 0x7000'0000U;
    return __uint_as_float(sign | ((size << 13U) + bias));
  }
};

struct Brain16 {
  static uint16_t bits_of(float x) {
    const uint32_t all = __float_as_uint(x);
    if (x != x) return 0x7fff;
    return static_cast<uint16_t>((all + 0x7fffU + (all >> 16U & 1U)) >> 16U);
  }
  static float value_of(uint16_t bits) { return __uint_as_float(uint32_t{bits} << 16U); }
};

template <class Format>
struct Small {
  uint16_t bits;

  Small() = default;
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  Small(Number x) : bits(Format::bits_of(static_cast<float>(x))) {}
  operator float() const { return Format::value_of(bits); }
};
template <class Format>
struct alignas(4) Two {
  Small<Format> x, y;
};

template <class F>
float one(Small<F> x) {
  return x;
}

#define BENCH_SMALL_OPERATOR(sign, name)                      \
  template <class F>                                          \
  Small<F> operator sign(Small<F> a, Small<F> b) {            \
    return one(a) sign one(b);                                \
  }                                                           \
  template <class F>                                          \
  Small<F>& operator sign##=(Small<F>& a, Same<Small<F>> b) { \
    return a = a sign b;                                      \
  }                                                           \
  template <class F>                                          \
  Two<F> operator sign(Two<F> a, Two<F> b) {                  \
    return {a.x sign b.x, a.y sign b.y};                      \
  }                                                           \
  template <class F>                                          \
  Two<F>& operator sign##=(Two<F>& a, Two<F> b) {             \
    return a = a sign b;                                      \
  }                                                           \
  template <class F>                                          \
  Small<F> __h##name(Small<F> a, Small<F> b) {                \
    return a sign b;                                          \
  }                                                           \
  template <class F>                                          \
  Small<F> __h##name##_rn(Small<F> a, Small<F> b) {           \
    return a sign b;                                          \
  }                                                           \
  template <class F>                                          \
  Two<F> __h##name##2(Two<F> a, Two<F> b) {                   \
    return a sign b;                                          \
  }
BENCH_SMALL_OPERATOR(+, add)
BENCH_SMALL_OPERATOR(-, sub)
BENCH_SMALL_OPERATOR(*, mul)
BENCH_SMALL_OPERATOR(/, div)
#undef BENCH_SMALL_OPERATOR

#define BENCH_SMALL_COMPARISON(sign, name)               \
  template <class F>                                     \
  bool operator sign(Small<F> a, Small<F> b) {           \
    return one(a) sign one(b);                           \
  }                                                      \
  template <class F>                                     \
  bool __h##name(Small<F> a, Small<F> b) {               \
    return one(a) sign one(b);                           \
  }                                                      \
  template <class F>                                     \
  bool __hb##name##2(Two<F> a, Two<F> b) {               \
    return a.x sign b.x && a.y sign b.y;                 \
  }                                                      \
  template <class F>                                     \
  Two<F> __h##name##2(Two<F> a, Two<F> b) {              \
    return {a.x sign b.x ? 1 : 0, a.y sign b.y ? 1 : 0}; \
  }
BENCH_SMALL_COMPARISON(==, eq)
BENCH_SMALL_COMPARISON(!=, ne)
BENCH_SMALL_COMPARISON(<, lt)
BENCH_SMALL_COMPARISON(<=, le)
BENCH_SMALL_COMPARISON(>, gt)
BENCH_SMALL_COMPARISON(>=, ge)
#undef BENCH_SMALL_COMPARISON

#define BENCH_SMALL_FUNCTION(name, both, value) \
  template <class F>                            \
  Small<F> name(Small<F> small) {               \
    const float x = small;                      \
    return value;                               \
  }                                             \
  template <class F>                            \
  Two<F> both(Two<F> a) {                       \
    return {name(a.x), name(a.y)};              \
  }
BENCH_SMALL_FUNCTION(operator-, operator-, -x)
BENCH_SMALL_FUNCTION(__hneg, __hneg2, -x)
BENCH_SMALL_FUNCTION(__habs, __habs2, fabsf(x))
BENCH_SMALL_FUNCTION(hsqrt, h2sqrt, sqrtf(x))
BENCH_SMALL_FUNCTION(hrsqrt, h2rsqrt, 1 / sqrtf(x))
BENCH_SMALL_FUNCTION(hrcp, h2rcp, 1 / x)
BENCH_SMALL_FUNCTION(hexp, h2exp, expf(x))
BENCH_SMALL_FUNCTION(hexp2, h2exp2, exp2f(x))
BENCH_SMALL_FUNCTION(hlog, h2log, logf(x))
BENCH_SMALL_FUNCTION(hlog2, h2log2, log2f(x))
BENCH_SMALL_FUNCTION(hsin, h2sin, sinf(x))
BENCH_SMALL_FUNCTION(hcos, h2cos, cosf(x))
BENCH_SMALL_FUNCTION(hfloor, h2floor, floorf(x))
BENCH_SMALL_FUNCTION(hceil, h2ceil, ceilf(x))
BENCH_SMALL_FUNCTION(hrint, h2rint, rintf(x))
BENCH_SMALL_FUNCTION(htrunc, h2trunc, truncf(x))
#undef BENCH_SMALL_FUNCTION

template <class F>
Small<F> __hfma(Small<F> a, Small<F> b, Small<F> c) {
  return static_cast<double>(one(a)) * one(b) + one(c);
}
template <class F>
Two<F> __hfma2(Two<F> a, Two<F> b, Two<F> c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
template <class F>
Two<F> __h2div(Two<F> a, Two<F> b) {
  return a / b;
}
template <class F>
Small<F> __hmax(Small<F> a, Small<F> b) {
  return fmaxf(a, b);
}
template <class F>
Small<F> __hmin(Small<F> a, Small<F> b) {
  return fminf(a, b);
}
template <class F>
Two<F> __hmax2(Two<F> a, Two<F> b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
template <class F>
Two<F> __hmin2(Two<F> a, Two<F> b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
template <class F>
bool __hisnan(Small<F> x) {
  return one(x) != one(x);
}
template <class F>
bool __hisinf(Small<F> x) {
  return isinf(one(x));
}
template <class F>
float __low2float(Two<F> a) {
  return a.x;
}
template <class F>
float __high2float(Two<F> a) {
  return a.y;
}
template <class F>
Small<F> atomicAdd(Small<F>* address, Small<F> value) {
  return bench_atomically(address, [=](Small<F> old) { return old + value; });
}
template <class F>
Two<F> atomicAdd(Two<F>* address, Two<F> value) {
  return bench_atomically(address, [=](Two<F> old) { return old + value; });
}

}  // namespace bench_guest

// `half`: as functions name the type, `two`: a pair of it, `type`: its own name.
#define BENCH_SMALL_TYPE(type, half, two)                                         \
  inline type __float2##half(float x) { return x; }                               \
  inline type __float2##half##_rn(float x) { return x; }                          \
  inline type __double2##half(double x) { return x; }                             \
  inline float __##half##2float(type x) { return x; }                             \
  inline type __int2##half##_rn(int x) { return x; }                              \
  inline type __uint2##half##_rn(unsigned x) { return x; }                        \
  inline int __##half##2int_rn(type x) { return __float2int_rn(x); }              \
  inline int __##half##2int_rz(type x) { return __float2int_rz(x); }              \
  inline unsigned __##half##2uint_rn(type x) { return __float2uint_rn(x); }       \
  inline unsigned short __##half##_as_ushort(type x) { return x.bits; }           \
  inline short __##half##_as_short(type x) { return static_cast<short>(x.bits); } \
  inline type __ushort_as_##half(unsigned short bits) {                           \
    type x;                                                                       \
    x.bits = bits;                                                                \
    return x;                                                                     \
  }                                                                               \
  inline type##2 make_##two(type x, type y) { return {x, y}; }                    \
  inline type##2 __halves2##two(type x, type y) { return {x, y}; }                \
  inline type##2 __##half##2##two(type x) { return {x, x}; }                      \
  inline type##2 __float2##two##_rn(float x) { return {x, x}; }                   \
  inline type##2 __floats2##two##_rn(float x, float y) { return {x, y}; }         \
  inline type##2 __float22##two##_rn(float2 a) { return {a.x, a.y}; }             \
  inline float2 __##two##2float2(type##2 a) { return {a.x, a.y}; }                \
  inline type __low2##half(type##2 a) { return a.x; }                             \
  inline type __high2##half(type##2 a) { return a.y; }                            \
  inline type##2 __low2##two(type##2 a) { return {a.x, a.x}; }                    \
  inline type##2 __high2##two(type##2 a) { return {a.y, a.y}; }                   \
  inline type##2 __lows2##two(type##2 a, type##2 b) { return {a.x, b.x}; }        \
  inline type##2 __highs2##two(type##2 a, type##2 b) { return {a.y, b.y}; }       \
  inline type##2 __lowhigh2highlow(type##2 a) { return {a.y, a.x}; }

using __half = bench_guest::Small<bench_guest::Binary16>;
using __half2 = bench_guest::Two<bench_guest::Binary16>;
using half = __half;
using half2 = __half2;
BENCH_SMALL_TYPE(__half, half, half2)
using __nv_bfloat16 = bench_guest::Small<bench_guest::Brain16>;
using __nv_bfloat162 = bench_guest::Two<bench_guest::Brain16>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
BENCH_SMALL_TYPE(__nv_bfloat16, bfloat16, bfloat162)
#undef BENCH_SMALL_TYPE

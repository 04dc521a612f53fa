// Complex numbers as cuComplex.h has them.
#pragma once

#include "harness/cuda_on_cpu/language.h"

#define BENCH_COMPLEX(type, pair, real, make, f, cReal, cImag, abs_of)                             \
  using type = pair;                                                                               \
  inline type make(real x, real y) { return {x, y}; }                                              \
  inline real cReal(type a) { return a.x; }                                                        \
  inline real cImag(type a) { return a.y; }                                                        \
  inline type cuConj##f(type a) { return {a.x, -a.y}; }                                            \
  inline real cuCabs##f(type a) { return abs_of(a.x, a.y); }                                       \
  inline type cuCadd##f(type a, type b) { return {a.x + b.x, a.y + b.y}; }                         \
  inline type cuCsub##f(type a, type b) { return {a.x - b.x, a.y - b.y}; }                         \
  inline type cuCmul##f(type a, type b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  inline type cuCdiv##f(type a, type b) {                                                          \
    const real square = b.x * b.x + b.y * b.y;                                                     \
    return {(a.x * b.x + a.y * b.y) / square, (a.y * b.x - a.x * b.y) / square};                   \
  }                                                                                                \
  inline type cuCfma##f(type a, type b, type c) { return cuCadd##f(cuCmul##f(a, b), c); }
BENCH_COMPLEX(cuFloatComplex, float2, float, make_cuFloatComplex, f, cuCrealf, cuCimagf, hypotf)
BENCH_COMPLEX(cuDoubleComplex, double2, double, make_cuDoubleComplex, , cuCreal, cuCimag, hypot)
#undef BENCH_COMPLEX
using cuComplex = cuFloatComplex;
inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }

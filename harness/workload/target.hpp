// What one compilation of a ladder file is for. The build compiles each file once for every
// instruction set and precision and says which by two definitions; here they become types.
#pragma once

#include <cstdint>

#include "harness/base/half.hpp"
#include "harness/simd/isa.hpp"
#include "harness/workload/variant.hpp"

namespace {

using bench::Half;
using Real = BENCH_REAL;             // float, double, uint32_t, int16_t or Half
using Isa = bench::simd::BENCH_ISA;  // a tag of isa.hpp

}  // namespace

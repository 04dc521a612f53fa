// Instruction sets: which ones the kernels are compiled for, and which one this node runs.
//
// Every ladder file is compiled once for each instruction set below and defines
// `serial<Isa, Real>()` and `openmp<Isa, Real>()` for that set alone. `with` picks one at run time,
// so that one binary serves every node. Dispatch happens once per problem, never inside a sample.
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/names.hpp"

namespace bench::simd {

enum class Isa { baseline, avx2, avx512, sve };

// The tags that name the specialisations.
struct baseline;
struct avx2;    // x86-64-v3: AVX2 and FMA
struct avx512;  // x86-64-v4: AVX-512 F, BW, CD, DQ, VL
struct sve;     // Armv8.2 with SVE, of any width

/// The instruction sets that this binary holds and this processor runs, the widest last.
std::vector<Isa> available();

/// Calls `f.operator()<Tag>()` with the tag of `isa`, which must be one of available().
template <class F>
auto with(Isa isa, F&& f) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return std::forward<F>(f).template operator()<avx512>();
  if (isa == Isa::avx2) return std::forward<F>(f).template operator()<avx2>();
#elif defined(__aarch64__)
  if (isa == Isa::sve) return std::forward<F>(f).template operator()<sve>();
#endif
  (void)isa;
  return std::forward<F>(f).template operator()<baseline>();
}

}  // namespace bench::simd

template <>
struct bench::NamesOf<bench::simd::Isa> {
  using Isa = simd::Isa;
  static constexpr std::array<std::pair<Isa, std::string_view>, 4> all{{{Isa::baseline, "baseline"},
                                                                        {Isa::avx2, "avx2"},
                                                                        {Isa::avx512, "avx512"},
                                                                        {Isa::sve, "sve"}}};
};

#include "harness/simd/isa.hpp"

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace bench::simd {

std::vector<Isa> available() {
  std::vector<Isa> sets{Isa::baseline};
#if defined(__x86_64__)
  // One test per group of features that -march=x86-64-v3 and -v4 let the compiler use.
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (v3) sets.push_back(Isa::avx2);
  if (v4) sets.push_back(Isa::avx512);
#elif defined(__aarch64__)
  constexpr unsigned long has_sve = 1UL << 22;  // HWCAP_SVE, which older headers do not name
  if ((getauxval(AT_HWCAP) & has_sve) != 0) sets.push_back(Isa::sve);
#endif
  return sets;
}

}  // namespace bench::simd

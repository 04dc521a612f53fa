#include "harness/node/distortions.hpp"

#include <string_view>

#include "harness/node/text_file.hpp"

namespace bench {
namespace {

struct Distorting {
  const char* name;
  std::string_view harmless;  ///< the value that asks for nothing, in capitals
  const char* warning;        ///< `fixed` of words/phrases/ translates it
};

/// docs/reference/environment.md has them too.
constexpr Distorting distorting[] = {
    {"CUDA_LAUNCH_BLOCKING", "0",
     "CUDA_LAUNCH_BLOCKING is set: each launch of a kernel waits for its end; unset it"},
    {"CUDA_INJECTION64_PATH", "",
     "CUDA_INJECTION64_PATH is set: a tool watches each kernel; unset it"},
    {"LD_AUDIT", "", "LD_AUDIT is set: a library watches each program; unset it"},
    {"LD_PRELOAD", "", "LD_PRELOAD is set: each program loads another library; unset it"},
    {"MALLOC_CHECK_", "0", "MALLOC_CHECK_ is set: each allocation is checked; unset it"},
    {"MALLOC_PERTURB_", "0", "MALLOC_PERTURB_ is set: each allocation is filled; unset it"},
    {"NUMBA_DISABLE_JIT", "0", "NUMBA_DISABLE_JIT is set: Numba compiles nothing; unset it"},
    {"NUMBA_ENABLE_CUDASIM", "0", "NUMBA_ENABLE_CUDASIM is set: Numba simulates the GPU; unset it"},
    {"NUMBA_OPT", "3", "NUMBA_OPT is set: Numba compiles to other code; unset it"},
    {"OMP_DYNAMIC", "FALSE",
     "OMP_DYNAMIC is set: OpenMP may start fewer threads than were asked for; unset it"},
    {"PYTHONDEVMODE", "", "PYTHONDEVMODE is set: Python checks more than usual; unset it"},
};

}  // namespace

std::vector<std::string> distortions(const Host& host) {
  std::vector<std::string> warnings;
  for (const Distorting& one : distorting) {
    const char* const set = host.env(one.name);
    const std::string value = upper_case(set == nullptr ? "" : set);
    if (!value.empty() && value != one.harmless) warnings.emplace_back(one.warning);
  }
  return warnings;
}

}  // namespace bench

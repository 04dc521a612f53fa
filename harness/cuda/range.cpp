#include "harness/cuda/range.hpp"

#if defined(BENCH_WITH_CUDA) && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace bench::cuda {

void begin_range(const std::string& name) { nvtxRangePushA(name.c_str()); }
void end_range() { nvtxRangePop(); }
bool ranges_shown() { return true; }

}  // namespace bench::cuda
#else

namespace bench::cuda {

void begin_range(const std::string& /*name*/) {}
void end_range() {}
bool ranges_shown() { return false; }

}  // namespace bench::cuda
#endif

#include "harness/cuda/range.hpp"

#if defined(BENCH_WITH_CUDA) && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace bench::cuda {

Range::Range(const std::string& name) { nvtxRangePushA(name.c_str()); }
Range::~Range() { nvtxRangePop(); }
bool ranges_shown() { return true; }

}  // namespace bench::cuda
#else

namespace bench::cuda {

Range::Range(const std::string& /*name*/) {}
Range::~Range() = default;
bool ranges_shown() { return false; }

}  // namespace bench::cuda
#endif

#include "harness/cuda/device.hpp"
#include "harness/cuda/offload.hpp"

namespace bench::cuda {

bool built_with_offload() {
#if defined(BENCH_WITH_CUDA) || defined(BENCH_WITH_HIP)
  return false;
#else
  return built_with_cuda();  // the host executes regions: the stand-in's memory is there
#endif
}

std::size_t stacks_of_regions() { return 0; }

Reason why_no_offload() { return {}; }

}  // namespace bench::cuda

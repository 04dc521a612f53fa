// Launches whose blocks are all on the device at the same time, so that they may wait for each
// other: cooperative_groups::this_grid().sync().
#pragma once

#include "harness/cuda/launch.hpp"

#if defined(BENCH_WITH_CUDA)
#include <cooperative_groups.h>
#elif defined(BENCH_WITH_HIP)
#include <hip/hip_cooperative_groups.h>
#endif

namespace bench::cuda {

/// Does what launch() does; the grid must have no more blocks than blocks_held().
template <class... P, class... A>
void launch_together(void (*kernel)(P...), const Configuration& configuration, A... arguments) {
  record(reinterpret_cast<const void*>(kernel), configuration);
  const auto start = [&](P... values) {
    void* pointers[] = {static_cast<void*>(&values)..., nullptr};
    return launch_cooperative_kernel(kernel, configuration.grid, configuration.block, pointers,
                                     configuration.shared_bytes, current_stream());
  };
  check_launch(start(static_cast<P>(arguments)...));
}

}  // namespace bench::cuda

// Runs the threads of a launch on one thread of the CPU: each is a fiber, which gives way at
// barriers; blocks run one after another.
#pragma once

#include <cstddef>

#include "harness/cuda_on_cpu/cuda_runtime.hpp"

namespace bench::cuda::stand_in {

constexpr unsigned most_threads = 1024;  // per block
constexpr unsigned warp_lanes = 32;

struct Launch {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  void (*thread)(const void* kernel);
  const void* kernel;
};

/// False if a thread trapped, or did not come to a barrier where others wait: stderr says so.
bool run(const Launch& launch);

/// Fills memory with a pattern that is a NaN in f32 and f64 and no plausible integer.
void poison(void* memory, std::size_t bytes);

}  // namespace bench::cuda::stand_in

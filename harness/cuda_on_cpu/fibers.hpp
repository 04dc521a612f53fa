// Runs the threads of a launch on one thread of the CPU: each is a fiber, which gives way at
// barriers; blocks run one after another, those of a cooperative launch from one barrier of the
// grid to the next.
#pragma once

#include <cstddef>

#include "harness/cuda_on_cpu/cuda_runtime.hpp"

namespace bench::cuda::stand_in {

constexpr unsigned most_threads = 1024;               // per block
constexpr unsigned most_lanes = 64;                   // of a warp
constexpr unsigned most_together = 8 * most_threads;  // of a grid that waits for itself

// For ThreadSanitizer the threads of a launch are others in another stream: two streams that are
// opened one after the other differ, and both from the default one.
constexpr unsigned stream_kinds = 3;
constexpr const char* stream_names[stream_kinds] = {"the default stream", "a stream",
                                                    "another stream"};

struct Launch {
  dim3 grid;
  dim3 block;
  unsigned lanes;  // of a warp
  std::size_t shared_bytes;
  void (*thread)(const void* kernel);
  const void* kernel;
  unsigned stream;   // of stream_kinds
  void* clock;       // of that stream, for ThreadSanitizer
  bool cooperative;  // its blocks are all there, and may wait for each other
};

/// False if a thread trapped, or did not come to a barrier where others wait: stderr says so.
bool run(const Launch& launch);

/// Fills memory with a pattern that is a NaN in f32 and f64 and no plausible integer.
void poison(void* memory, std::size_t bytes);

}  // namespace bench::cuda::stand_in

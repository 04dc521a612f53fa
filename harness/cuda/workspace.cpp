#include "harness/cuda/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/reasons.hpp"
#include "harness/cuda/error.hpp"
#include "harness/cuda/launch.hpp"

namespace bench::cuda {

Workspace::~Workspace() { cudaFree(memory_); }

void* Workspace::of(std::size_t bytes) {
  const std::size_t wanted = std::max<std::size_t>(bytes, 1);
  if (wanted <= bytes_) return memory_;
  bytes_ = 0;
  check(cudaFree(std::exchange(memory_, nullptr)), "cudaFree");
  try {
    check(cudaMalloc(&memory_, wanted), "cudaMalloc");
  } catch (const OutOfMemory&) {
    throw Unavailable(said<reasons::no_temporary_storage>(
        fmt::format("{:.0f} MB", static_cast<double>(wanted) / 1e6)));
  }
  bytes_ = wanted;
  return memory_;
}

}  // namespace bench::cuda

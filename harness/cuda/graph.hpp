// The launches of a variant, recorded once and then started together.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/cuda/runtime.hpp"

namespace bench::cuda {

/// Kept from run to run, so that timed runs record nothing.
class Graph {
 public:
  Graph() = default;
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Does what `launches` launches: records it, unless `arguments` and the device are those of the
  /// last time, and starts all of it at once.
  void run(const std::vector<std::uintptr_t>& arguments, const std::function<void()>& launches);

 private:
  void record_launches(const std::function<void()>& launches);

  cudaGraphExec_t executable_ = nullptr;
  std::vector<std::uintptr_t> arguments_;
};

/// An argument of a kernel as part of what identifies a run.
template <class T>
std::uintptr_t identity(T* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace bench::cuda

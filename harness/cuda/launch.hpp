// How kernels are started: every launch is checked and recorded, and takes the shape that the user
// asked for (--block, --grid) where its variant leaves the choice open.
#pragma once

#include <cstddef>
#include <optional>

#include "harness/cuda/runtime.hpp"

namespace bench::cuda {

/// Throws Error (see error.hpp) unless `status` is cudaSuccess; `what` says what was tried.
void check(cudaError_t status, const char* what);

/// An attribute of a device; nothing where its driver does not say.
std::optional<int> known_attribute(cudaDeviceAttr wanted, int device);

/// The execution configuration of a launch.
struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory per block
  bool leaves_block = false;     ///< to the user
  bool leaves_grid = false;
};

/// One thread for each of n elements.
Configuration per_element(std::size_t n, unsigned block);

/// Only as many blocks as the device holds at once, and no more than n elements need: what remains
/// is done in strides. `blocks_held` is what blocks_held() says of the kernel.
Configuration fill_device(std::size_t n, unsigned block, unsigned blocks_held,
                          std::size_t shared_bytes = 0);

/// Shared memory that every device gives to a block unasked, in bytes.
constexpr std::size_t unasked_shared_bytes = 48 * 1024;

/// Shared memory that a block can have on this device, in bytes; blocks_held() asks for it.
std::size_t most_shared_bytes();

/// Blocks of a kernel that fit on the whole device at the same time. Asked for once per kernel,
/// shape and device: the answer is kept.
unsigned blocks_held(const void* kernel, unsigned block, std::size_t shared_bytes);

template <class... P>
Configuration fill_device(void (*kernel)(P...), std::size_t n, unsigned block,
                          std::size_t shared_bytes = 0) {
  return fill_device(n, block,
                     blocks_held(reinterpret_cast<const void*>(kernel), block, shared_bytes),
                     shared_bytes);
}

/// Threads that the device holds at once of a kernel in such blocks, or in those that the user
/// chose: where a variant divides the work by their number.
std::size_t threads_held(const void* kernel, unsigned block, std::size_t shared_bytes);

template <class... P>
std::size_t threads_held(void (*kernel)(P...), unsigned block, std::size_t shared_bytes = 0) {
  return threads_held(reinterpret_cast<const void*>(kernel), block, shared_bytes);
}

/// Where launches and what is asked for along with them go: the default stream, unless in_chunks()
/// (see overlap.hpp) has chosen another.
cudaStream_t current_stream();
void use_stream(cudaStream_t stream);

/// Does what check() does, for a launch. Throws Unavailable where the block that the user chose is
/// too large for what the kernel takes.
void check_launch(cudaError_t status);

/// Remembers the shape of a launch for the report.
void record(const void* kernel, const Configuration& configuration);

/// Does what launch() does, for kernels that are not a variant's.
template <class... P, class... A>
void launch_unrecorded(void (*kernel)(P...), const Configuration& configuration, A... arguments) {
  const dim3& grid = configuration.grid;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  const auto start = [&](P... values) {
    void* pointers[] = {static_cast<void*>(&values)..., nullptr};
    return launch_kernel(kernel, configuration.grid, configuration.block, pointers,
                         configuration.shared_bytes, current_stream());
  };
  check_launch(start(static_cast<P>(arguments)...));
}

/// Starts a kernel. Throws Error if it could not be started; what goes wrong while it runs is seen
/// when the device is waited for. An empty grid starts nothing.
template <class... P, class... A>
void launch(void (*kernel)(P...), const Configuration& configuration, A... arguments) {
  record(reinterpret_cast<const void*>(kernel), configuration);
  launch_unrecorded(kernel, configuration, arguments...);
}

/// Sets `count` elements to zero, in the order of launches.
template <class T>
void zero(T* data, std::size_t count) {
  check(cudaMemsetAsync(data, 0, count * sizeof(T), current_stream()), "cudaMemsetAsync");
}

}  // namespace bench::cuda

// What the tests need around a kernel: arrays in device memory, and a launch that is waited for.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "harness/cuda/runtime.hpp"

namespace bench::cuda::stand_in {

/// The stand-in refused a call, or the kernel failed.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void must(cudaError_t status) {
  if (status != cudaSuccess) throw Refused(cudaGetErrorName(status));
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) {
    must(cudaMalloc(&data_, size * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    must(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* data() { return data_; }
  std::vector<T> values() const {
    std::vector<T> copy(size_);
    must(cudaMemcpy(copy.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

/// Starts a kernel and waits for it.
template <class... P, class... A>
void run_kernel(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t shared_bytes,
                A... arguments) {
  const auto start = [&](P... values) {
    void* pointers[] = {static_cast<void*>(&values)..., nullptr};
    return cudaLaunchKernel(kernel, grid, block, pointers, shared_bytes, nullptr);
  };
  must(start(static_cast<P>(arguments)...));
  must(cudaDeviceSynchronize());
}

}  // namespace bench::cuda::stand_in

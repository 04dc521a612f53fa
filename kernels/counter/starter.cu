// My counter: one thread per element, one counter.
//
// To begin with: all threads contend for one address: a vote in a warp counts 32 elements at once.
// For double, write counter_f64 as well.
//
// Measure it with: bench try FILE

#include <stdint.h>

__global__ void counter_kernel(const float* x, size_t n, float threshold, uint32_t* count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] < threshold) atomicAdd(count, 1u);
}

// The arrays are in GPU memory.
void counter_f32(const float* x, size_t n, float threshold, uint32_t* count) {
  cudaMemset(count, 0, sizeof(uint32_t));
  counter_kernel<<<(n + 255) / 256, 256>>>(x, n, threshold, count);
}

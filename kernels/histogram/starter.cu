// My histogram: one thread per element, atomic counters.
//
// To begin with: all threads contend for few counters: a table for each block, in shared memory.
// For double, write histogram_f64 as well.
//
// Measure it with: bench try FILE

#include <stdint.h>

__global__ void histogram_kernel(const float* x, size_t n, uint32_t* counts, size_t bins, float lo,
                                 float hi, float scale) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] >= lo && x[i] < hi) {
    const size_t bin = (size_t)((x[i] - lo) * scale);
    atomicAdd(&counts[bin < bins ? bin : bins - 1], 1u);
  }
}

// The arrays are in GPU memory.
void histogram_f32(const float* x, size_t n, uint32_t* counts, size_t bins, float lo, float hi) {
  cudaMemset(counts, 0, bins * sizeof(uint32_t));
  histogram_kernel<<<(n + 255) / 256, 256>>>(x, n, counts, bins, lo, hi, (float)bins / (hi - lo));
}

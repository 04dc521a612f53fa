// My sort: neighbours at even places, then at odd ones: a thread per pair, a launch per phase.
//
// To begin with: n launches are many; a bitonic network has about half the square of log2 n. For
// double, write sort_f64 as well.
//
// Measure it with: bench try FILE

__global__ void phase(float* out, size_t n, size_t odd) {
  const size_t low = 2 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x) + odd;
  if (low + 1 < n && out[low + 1] < out[low]) {
    const float larger = out[low];
    out[low] = out[low + 1];
    out[low + 1] = larger;
  }
}

// The arrays are in GPU memory; work has n elements as well.
void sort_f32(const float* in, float* out, float* work, size_t n) {
  cudaMemcpy(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice);
  for (size_t i = 0; i < n; ++i) phase<<<(n / 2 + 255) / 256 + 1, 256>>>(out, n, i % 2);
}

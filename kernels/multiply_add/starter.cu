// My multiply_add: one thread per element.
//
// To begin with: each step waits for the one before. A thread may compute several elements. For
// double, write multiply_add_f64 as well.
//
// Measure it with: bench try FILE

__global__ void multiply_add_kernel(const float* x, float* y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    for (int step = 0; step < 512; ++step) v = 511.0f / 512 * v + 1.0f / 256;
    y[i] = v;
  }
}

// The arrays are in GPU memory.
void multiply_add_f32(const float* x, float* y, size_t n) {
  multiply_add_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
}

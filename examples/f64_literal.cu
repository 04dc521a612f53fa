// An f64 literal in CUDA: many GPUs compute in f64 at 1/32 or 1/64 of the speed.
// bench try --new multiply_add f32.cu && bench try f64_literal.cu f32.cu --size 1e5
__global__ void multiply_add_kernel(const float* x, float* y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    for (int step = 0; step < 512; ++step) v = 511.0 / 512 * v + 1.0 / 256;
    y[i] = v;
  }
}

void multiply_add_f32(const float* x, float* y, size_t n) {
  multiply_add_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
}

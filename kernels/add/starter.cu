// My add: one thread per element.
//
// To begin with: four elements per thread (float4), and several loads in flight. For double, write
// add_f64 as well.
//
// Measure it with: bench try FILE

__global__ void add_kernel(const float* a, const float* b, float* c, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// The arrays are in GPU memory.
void add_f32(const float* a, const float* b, float* c, size_t n) {
  add_kernel<<<(n + 255) / 256, 256>>>(a, b, c, n);
}

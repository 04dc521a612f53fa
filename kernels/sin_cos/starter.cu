// My sin_cos: one thread per element.
//
// To begin with: __sinf and __cosf are one instruction each. Is it faster, and how large does the
// column `error` get? For double, write sin_cos_f64 as well.
//
// Measure it with: bench try FILE

__global__ void sin_cos_kernel(const float* x, const float* y, float* product, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) product[i] = sinf(x[i]) * cosf(y[i]);
}

// The arrays are in GPU memory.
void sin_cos_f32(const float* x, const float* y, float* product, size_t n) {
  sin_cos_kernel<<<(n + 255) / 256, 256>>>(x, y, product, n);
}

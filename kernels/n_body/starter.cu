// My n_body: one thread per body.
//
// To begin with: all threads of a block read the same bodies: shared memory has them once for all.
// For double, write n_body_f64 as well.
//
// Measure it with: bench try FILE

__global__ void n_body_kernel(const float* x, const float* y, const float* z, const float* m,
                              float* a, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ax = 0, ay = 0, az = 0;
  for (size_t j = 0; j < n; ++j) {
    const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    const float square = dx * dx + dy * dy + dz * dz + 0.001f;
    const float pull = m[j] / (square * sqrtf(square));
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }
  a[i] = ax;
  a[n + i] = ay;
  a[2 * n + i] = az;
}

// The arrays are in GPU memory. Of body i the accelerations are a[i], a[n + i] and a[2n + i].
void n_body_f32(const float* x, const float* y, const float* z, const float* m, float* a,
                size_t n) {
  n_body_kernel<<<(n + 255) / 256, 256>>>(x, y, z, m, a, n);
}

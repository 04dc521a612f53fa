// My matmul: one thread per element of C.
//
// To begin with: all threads of a block read the same rows and columns: shared memory has them once
// for all. For double, write matmul_f64 as well.
//
// Measure it with: bench try FILE

__global__ void matmul_kernel(const float* a, const float* b, float* c, size_t m, size_t n,
                              size_t k) {
  const size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  const size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (size_t p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = sum;
}

// The arrays are in GPU memory: A has m rows of k, B has k rows of n and C m rows of n elements.
void matmul_f32(const float* a, const float* b, float* c, size_t m, size_t n, size_t k) {
  const dim3 block(16, 16);
  const dim3 grid((n + 15) / 16, (m + 15) / 16);
  matmul_kernel<<<grid, block>>>(a, b, c, m, n, k);
}

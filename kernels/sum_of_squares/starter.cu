// My sum_of_squares: one thread per element, one sum.
//
// To begin with: all threads contend for one address: add up within a block first, in shared
// memory. For double, write sum_of_squares_f64 as well.
//
// Measure it with: bench try FILE

__global__ void sum_of_squares_kernel(const float* x, size_t n, double* sum) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, (double)x[i] * x[i]);
}

// The arrays are in GPU memory. partial: room for sums of parts.
void sum_of_squares_f32(const float* x, size_t n, double* sum, double* partial) {
  (void)partial;
  cudaMemset(sum, 0, sizeof(double));
  sum_of_squares_kernel<<<(n + 255) / 256, 256>>>(x, n, sum);
}

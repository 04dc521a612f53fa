// My transpose: one thread per element, in tiles of 32 × 32.
//
// To begin with: either the reads or the writes are uncoalesced: transpose a tile in shared memory.
// For double, write transpose_f64 as well.
//
// Measure it with: bench try FILE

__global__ void transpose_kernel(const float* in, float* out, size_t rows, size_t cols) {
  const size_t j = (size_t)blockIdx.x * 32 + threadIdx.x;
  const size_t i = (size_t)blockIdx.y * 32 + threadIdx.y;
  if (i < rows && j < cols) out[j * rows + i] = in[i * cols + j];
}

// The arrays are in GPU memory. A grid has at most 65 535 rows of blocks.
void transpose_f32(const float* in, float* out, size_t rows, size_t cols) {
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_kernel<<<grid, dim3(32, 32)>>>(in, out, rows, cols);
}

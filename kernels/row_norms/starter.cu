// My row_norms: one thread per row.
//
// To begin with: neighbouring threads read a whole row apart (uncoalesced): a warp or a block for
// each row. For double, write row_norms_f64 as well.
//
// Measure it with: bench try FILE

__global__ void row_norms_kernel(const float* in, float* out, size_t rows, size_t cols) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  double sum = 0;
  for (size_t j = 0; j < cols; ++j) sum += (double)in[i * cols + j] * in[i * cols + j];
  out[i] = (float)sqrt(sum);
}

// The arrays are in GPU memory. parts: room for 4096 sums of parts.
void row_norms_f32(const float* in, float* out, size_t rows, size_t cols, double* parts) {
  (void)parts;
  row_norms_kernel<<<(rows + 255) / 256, 256>>>(in, out, rows, cols);
}

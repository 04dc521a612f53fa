// My reverse: one thread per element.
//
// To begin with: through shared memory, with __syncthreads() between writing and reading. What
// happens without it, and is it faster with it? For double, write reverse_f64 as well.
//
// Measure it with: bench try FILE

__global__ void reverse_kernel(const float* in, float* out, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

// The arrays are in GPU memory.
void reverse_f32(const float* in, float* out, size_t n) {
  reverse_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}

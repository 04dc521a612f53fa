// Your own kernel in CUDA: one thread per element. Without a GPU it is checked on the CPU.
// bench try energy.cu --size 1e5
__global__ void energy_kernel(const float* x, float* energy, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // the last block has more threads than elements
  const float sine = sinf(x[i]);
  energy[i] = sine * sine + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50);
}

void energy_f32(const float* x, float* energy, size_t n) {
  const int block = 256;
  energy_kernel<<<(n + block - 1) / block, block>>>(x, energy, n);
}

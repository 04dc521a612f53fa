// My energy: one thread per element.
//
// To begin with: how many instructions does sinf take? A thread may compute several elements. For
// double, write energy_f64 as well.
//
// Measure it with: bench try FILE

__global__ void energy_kernel(const float* x, float* energy, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float sine = sinf(x[i]);
    energy[i] = sine * sine + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50);
  }
}

// The arrays are in GPU memory.
void energy_f32(const float* x, float* energy, size_t n) {
  energy_kernel<<<(n + 255) / 256, 256>>>(x, energy, n);
}

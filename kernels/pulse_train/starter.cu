// My pulse_train: two kernels, each a pass over memory.
//
// To begin with: one kernel for both steps (fusion) keeps the pulse in a register. For double,
// write pulse_train_f64 as well.
//
// Measure it with: bench try FILE

__global__ void make(float* pulses, size_t n, float amplitude, float period) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pulses[i] = amplitude * fmaxf(sinf((float)i / period) - 0.3f, 0);
}

__global__ void add(const float* pulses, const float* noise, float* wave, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) wave[i] = pulses[i] + noise[i];
}

// The arrays are in GPU memory.
void pulse_train_f32(const float* noise, float* wave, float* pulses, size_t n, float amplitude,
                     float period) {
  make<<<(n + 255) / 256, 256>>>(pulses, n, amplitude, period);
  add<<<(n + 255) / 256, 256>>>(pulses, noise, wave, n);
}

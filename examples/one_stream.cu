// Eight small kernels in one stream: each waits for the one before it.
// bench try one_stream.cu eight_streams.cu --size 1e5
__global__ void energy_kernel(const float* x, float* energy, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) {  // one block: one multiprocessor is busy
    const float sine = sinf(x[i]);
    energy[i] = sine * sine + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50);
  }
}

void energy_f32(const float* x, float* energy, size_t n) {
  for (int part = 0; part < 8; ++part) {
    const size_t first = n * part / 8, end = n * (part + 1) / 8;
    energy_kernel<<<1, 256>>>(x + first, energy + first, end - first);
  }
}

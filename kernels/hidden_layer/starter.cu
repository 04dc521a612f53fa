// My hidden_layer: three kernels, each a pass over memory.
//
// To begin with: one kernel for all three steps (fusion) keeps intermediate values in registers.
// For double, write hidden_layer_f64 as well.
//
// Measure it with: bench try FILE

__global__ void scale(const float* gray, float* scaled, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = gray[i] / 255;
}

__global__ void weigh(const float* scaled, const float* weight, float* weighted, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weighted[i] = scaled[i] * weight[i];
}

__global__ void activate(const float* weighted, float* activation, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) activation[i] = tanhf(weighted[i]);
}

// The arrays are in GPU memory.
void hidden_layer_f32(const float* gray, const float* weight, float* activation, float* scaled,
                      float* weighted, size_t n) {
  scale<<<(n + 255) / 256, 256>>>(gray, scaled, n);
  weigh<<<(n + 255) / 256, 256>>>(scaled, weight, weighted, n);
  activate<<<(n + 255) / 256, 256>>>(weighted, activation, n);
}

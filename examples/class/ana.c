void reverse_f32(const float* in, float* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

// Does not compile
void energy_f32(const float* x, float* energy, size_t n) {
  for (size_t i = 0; i < n; ++i) energy[i] = sinf(x[i]) + ;
}

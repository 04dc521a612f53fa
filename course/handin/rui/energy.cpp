// The loop divided among the threads
#include <cmath>

void energy_f32(const float* x, float* energy, size_t n) {
#pragma omp parallel for
  for (size_t i = 0; i < n; ++i) {
    energy[i] =
        std::sin(x[i]) * std::sin(x[i]) + std::sqrt(std::abs(x[i])) + std::exp(-x[i] * x[i] / 50);
  }
}

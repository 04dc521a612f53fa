// Your own kernel in C: the naive loop, in single and in double precision.
// bench try energy.c --size 1e5 --dtype f32,f64
#include <math.h>

void energy_f32(const float* x, float* energy, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float sine = sinf(x[i]);
    energy[i] = sine * sine + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50);
  }
}

void energy_f64(const double* x, double* energy, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const double sine = sin(x[i]);
    energy[i] = sine * sine + sqrt(fabs(x[i])) + exp(-x[i] * x[i] / 50);
  }
}

// My energy: the naive loop.
//
// To begin with: what do sin and exp cost, and can the compiler use vectors (SIMD) across the
// calls? For double, write energy_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

void energy_f32(const float* x, float* energy, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float sine = sinf(x[i]);
    energy[i] = sine * sine + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50);
  }
}

// My pulse_train: two loops, an array between them.
//
// To begin with: one loop needs no array between (fusion). For double, write pulse_train_f64 as
// well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

void pulse_train_f32(const float* noise, float* wave, float* pulses, size_t n, float amplitude,
                     float period) {
  for (size_t i = 0; i < n; ++i) {
    pulses[i] = amplitude * fmaxf(sinf((float)i / period) - 0.3f, 0);
  }
  for (size_t i = 0; i < n; ++i) wave[i] = pulses[i] + noise[i];
}

// My multiply_add: the naive loop.
//
// To begin with: each step waits for the one before. What else could be in flight meanwhile? For
// double, write multiply_add_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

void multiply_add_f32(const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    float v = x[i];
    for (int step = 0; step < 512; ++step) v = 511.0f / 512 * v + 1.0f / 256;
    y[i] = v;
  }
}

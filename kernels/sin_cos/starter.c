// My sin_cos: the naive loop.
//
// To begin with: what do these two functions cost, and which accuracy is wanted? For double, write
// sin_cos_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

void sin_cos_f32(const float* x, const float* y, float* product, size_t n) {
  for (size_t i = 0; i < n; ++i) product[i] = sinf(x[i]) * cosf(y[i]);
}

// My hypot: the naive loop.
//
// To begin with: what makes hypotf slow is that it is safe at both ends: when is it needed? For
// double, write hypot_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

void hypot_f32(const float* a, const float* b, float* c, size_t n) {
  for (size_t i = 0; i < n; ++i) c[i] = hypotf(a[i], b[i]);
}

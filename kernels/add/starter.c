// My add: the naive loop.
//
// To begin with: how many bytes move per addition? So what is the limit? For double, write add_f64
// as well.
// Measure it with: bench try FILE

#include <stddef.h>

void add_f32(const float* a, const float* b, float* c, size_t n) {
  for (size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// My reverse: the naive loop.
//
// To begin with: how far is it from copying, and what do streaming stores, which bypass the caches,
// gain? For double, write reverse_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

void reverse_f32(const float* in, float* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

// My scan: the naive loop.
//
// To begin with: each addition waits for the one before it. Where could a second thread begin, and
// what would it have to know? For double and uint32_t, write scan_f64 and scan_u32 as well.
// Measure it with: bench try FILE

#include <stddef.h>
#include <stdint.h>

// The total is a double: a float would lose what is added to it. sums, flags: workspace.
void scan_f32(const float* x, float* out, size_t n, double* sums, uint32_t* flags) {
  double total = 0;
  (void)sums, (void)flags;
  for (size_t i = 0; i < n; ++i) {
    total += x[i];
    out[i] = (float)total;
  }
}

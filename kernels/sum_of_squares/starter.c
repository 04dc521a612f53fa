// My sum_of_squares: the naive loop.
//
// To begin with: each addition waits for the one before it (latency): use several accumulators. For
// double, write sum_of_squares_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

// partial: room for 4096 sums of parts.
void sum_of_squares_f32(const float* x, size_t n, double* sum, double* partial) {
  double total = 0;
  (void)partial;
  for (size_t i = 0; i < n; ++i) total += (double)x[i] * x[i];
  sum[0] = total;
}

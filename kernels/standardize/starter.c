// My standardize: three loops, for the mean, the deviation and the results.
//
// To begin with: both sums fit into one loop. For double, write standardize_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

void standardize_f32(const float* x, float* z, size_t n, double* sums) {
  (void)sums;  // room for 4096 numbers between the steps
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += x[i];
  const double mean = total / n;
  double squares = 0;
  for (size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const double sigma = sqrt(squares / n);
  for (size_t i = 0; i < n; ++i) z[i] = (x[i] - mean) / sigma;
}

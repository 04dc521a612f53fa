// My row_norms: the naive loop, row by row.
//
// To begin with: a sum waits for each addition (latency): several sums per row, or several rows at
// a time. For double, write row_norms_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

// parts: room for 4096 sums of parts.
void row_norms_f32(const float* in, float* out, size_t rows, size_t cols, double* parts) {
  (void)parts;
  for (size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (size_t j = 0; j < cols; ++j) sum += (double)in[i * cols + j] * in[i * cols + j];
    out[i] = (float)sqrt(sum);
  }
}

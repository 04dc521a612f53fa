// My column_sums: the naive loop, row by row.
//
// To begin with: totals are read and written for each row: strips of columns keep them in a cache.
// For double, write column_sums_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

// totals: room for a sum per column, and for 32 where there are fewer.
void column_sums_f32(const float* in, float* out, size_t rows, size_t cols, double* totals) {
  for (size_t j = 0; j < cols; ++j) totals[j] = 0;
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) totals[j] += in[i * cols + j];
  }
  for (size_t j = 0; j < cols; ++j) out[j] = (float)totals[j];
}

// My matrix_add: the naive loop, row by row.
//
// To begin with: what if the two loops are exchanged (loop interchange)? For double, write
// matrix_add_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

void matrix_add_f32(const float* a, const float* b, float* c, size_t rows, size_t cols) {
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

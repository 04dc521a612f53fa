// My transpose: the naive loop.
//
// To begin with: reads follow each other in memory, writes do not: how many lines does a row of
// results touch? For double, write transpose_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

void transpose_f32(const float* in, float* out, size_t rows, size_t cols) {
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
  }
}

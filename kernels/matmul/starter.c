// My matmul: the three loops of the definition.
//
// To begin with: which of the loops should be the innermost one? And which part of B is still in a
// cache when it is needed again? For double, write matmul_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

// C = A·B, row after row: A has m rows of k, B has k rows of n and C m rows of n elements.
void matmul_f32(const float* a, const float* b, float* c, size_t m, size_t n, size_t k) {
  for (size_t i = 0; i < m; ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

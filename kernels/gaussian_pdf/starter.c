// My gaussian_pdf: the naive loop.
//
// To begin with: what is the same for all elements? A division and an exponential remain. For
// double, write gaussian_pdf_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

void gaussian_pdf_f32(const float* x, float* pdf, size_t n, float mu, float sigma) {
  const float scale = 1 / (sigma * 2.506628275f);  // 1 / (sigma sqrt(2 pi))
  for (size_t i = 0; i < n; ++i) {
    const float z = (x[i] - mu) / sigma;
    pdf[i] = scale * expf(-z * z / 2);
  }
}

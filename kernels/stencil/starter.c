// My stencil: a sweep over the plate for each step.
//
// To begin with: each element is asked whether it is at an edge. And could a row not be taken
// several steps ahead while it is in the cache? For double, write stencil_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

// u stays as it is; out is the plate after the last step; spare has room for another one.
void stencil_f32(const float* u, float* out, float* spare, size_t rows, size_t cols, size_t steps) {
  const float* from = u;
  for (size_t k = 0; steps == 0 && k < rows * cols; ++k) out[k] = u[k];
  for (size_t step = 1; step <= steps; ++step) {
    float* to = (steps - step) % 2 == 0 ? out : spare;
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = 0; j < cols; ++j) {
        const size_t k = i * cols + j;
        if (i == 0 || i + 1 == rows || j == 0 || j + 1 == cols) {
          to[k] = from[k];
        } else {
          to[k] = from[k] + 0.2f * (from[k - cols] + from[k + cols] + from[k - 1] + from[k + 1] -
                                    4 * from[k]);
        }
      }
    }
    from = to;
  }
}

// My n_body: for each body the sum over all bodies.
//
// To begin with: a root and a division for each pair, one after the other. Several pairs could be
// in flight, and each pair is computed twice. For double, write n_body_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

// Of body i the accelerations are a[i], a[n + i] and a[2n + i].
void n_body_f32(const float* x, const float* y, const float* z, const float* m, float* a,
                size_t n) {
  for (size_t i = 0; i < n; ++i) {
    float ax = 0, ay = 0, az = 0;
    for (size_t j = 0; j < n; ++j) {
      const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const float square = dx * dx + dy * dy + dz * dz + 0.001f;
      const float pull = m[j] / (square * sqrtf(square));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    a[i] = ax;
    a[n + i] = ay;
    a[2 * n + i] = az;
  }
}

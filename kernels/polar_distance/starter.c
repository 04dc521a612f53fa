// My polar_distance: both points to Cartesian coordinates.
//
// To begin with: which formula needs one function instead of four, and loses no digits where the
// points are close? For double, write polar_distance_f64 as well.
// Measure it with: bench try FILE

#include <math.h>
#include <stddef.h>

void polar_distance_f32(const float* rho_1, const float* theta_1, const float* rho_2,
                        const float* theta_2, float* distance, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float x = rho_1[i] * cosf(theta_1[i]) - rho_2[i] * cosf(theta_2[i]);
    const float y = rho_1[i] * sinf(theta_1[i]) - rho_2[i] * sinf(theta_2[i]);
    distance[i] = sqrtf(x * x + y * y);
  }
}

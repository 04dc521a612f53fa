// A literal without f is a double: each step computes in double precision, and converts twice.
// bench try --new multiply_add f32.cpp && bench try f64_literal.cpp f32.cpp --size 1e5
#include <cstddef>

void multiply_add_f32(const float* x, float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    float v = x[i];
    for (int step = 0; step < 512; ++step) v = 511.0 / 512 * v + 1.0 / 256;
    y[i] = v;
  }
}

// My counter: the naive loop.
//
// To begin with: threads that share one counter lose counts, or wait for each other. For double,
// write counter_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>
#include <stdint.h>

void counter_f32(const float* x, size_t n, float threshold, uint32_t* count) {
  uint32_t counted = 0;
  for (size_t i = 0; i < n; ++i) counted += x[i] < threshold ? 1 : 0;
  count[0] = counted;
}

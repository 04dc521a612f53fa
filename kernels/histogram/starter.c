// My histogram: the naive loop.
//
// To begin with: an increment waits for the one before it in the same bin. Threads need bins of
// their own. For double, write histogram_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>
#include <stdint.h>

void histogram_f32(const float* x, size_t n, uint32_t* counts, size_t bins, float lo, float hi) {
  const float scale = (float)bins / (hi - lo);
  for (size_t b = 0; b < bins; ++b) counts[b] = 0;
  for (size_t i = 0; i < n; ++i) {
    if (!(x[i] >= lo && x[i] < hi)) continue;
    const size_t bin = (size_t)((x[i] - lo) * scale);
    ++counts[bin < bins ? bin : bins - 1];
  }
}

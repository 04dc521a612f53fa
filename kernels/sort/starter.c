// My sort: bubble sort.
//
// To begin with: how does its time grow from 1000 to 10 000 elements, and how does that of merging
// sorted halves? For double, write sort_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>

void sort_f32(const float* in, float* out, float* work, size_t n) {
  (void)work;  // n elements, for those that alternate between two arrays
  for (size_t i = 0; i < n; ++i) out[i] = in[i];
  for (size_t end = n; end > 1; --end) {
    for (size_t j = 0; j + 1 < end; ++j) {
      if (out[j + 1] < out[j]) {
        const float larger = out[j];
        out[j] = out[j + 1];
        out[j + 1] = larger;
      }
    }
  }
}

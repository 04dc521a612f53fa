// My zero_suppress: the naive loop.
//
// To begin with: where is the branch in the machine code (g++ -O3 -S)? How much faster is i16 than
// float and double, and why? For those, write zero_suppress_f32 and zero_suppress_f64 as well.
// Measure it with: bench try FILE

#include <stddef.h>
#include <stdint.h>

void zero_suppress_i16(const int16_t* in, int16_t* out, size_t n, int16_t threshold) {
  for (size_t i = 0; i < n; ++i) out[i] = in[i] < threshold ? 0 : in[i];
}

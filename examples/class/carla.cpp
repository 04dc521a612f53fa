#include <algorithm>

void reverse_f32(const float* in, float* out, size_t n) { std::reverse_copy(in, in + n, out); }

// Several numbers that one access moves.
#pragma once

#include <cstddef>

namespace bench::cuda {

/// What one 128-bit access moves: 8 short integers, 4 floats or 2 doubles.
template <class T>
struct alignas(16) Wide {
  static constexpr std::size_t lanes = 16 / sizeof(T);
  T lane[lanes];
};

}  // namespace bench::cuda

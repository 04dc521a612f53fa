// The exclusive or of four streams of lines, for both CPU ladders.
#pragma once

#include <cstddef>

#include "kernels/read/read.hpp"

namespace kernels::read {
namespace {

constexpr std::size_t line = 64 / sizeof(Word);

/// A cache line of each quarter of the words, then the next one of each.
inline Word bits_of_streams(const Word* in, std::size_t n) {
  constexpr std::size_t streams = 4;
  const std::size_t quarter = n / (streams * line) * line;
  Word lanes[streams][line] = {};
  for (std::size_t first = 0; first < quarter; first += line) {
    for (std::size_t k = 0; k < streams; ++k) {
      const Word* const words = in + k * quarter + first;
#pragma omp simd
      for (std::size_t i = 0; i < line; ++i) lanes[k][i] ^= words[i];
    }
  }
  Word bits = 0;
  for (const auto& stream : lanes) {
    for (const Word lane : stream) bits ^= lane;
  }
  for (std::size_t i = streams * quarter; i < n; ++i) bits ^= in[i];
  return bits;
}

}  // namespace
}  // namespace kernels::read

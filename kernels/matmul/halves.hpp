// Halves on a processor: where A and B are in f32, and what multiplies them there.
#pragma once

#include "kernels/matmul/matmul.hpp"

namespace kernels::matmul {
namespace {

struct Floats {
  float* a;
  float* b;
};

/// A and B in f32, behind the room for packing them.
inline Floats floats_behind(float* packed, std::size_t m, std::size_t n, std::size_t k) {
  float* const a = packed + (m + n + 2 * most_of_a_tile) * k;
  return {a, a + m * k};
}

inline Packing<float>* last(const bench::Ladder<Packing<float>>& ladder) {
  return ladder.rungs[ladder.size - 1].kernel;
}

}  // namespace
}  // namespace kernels::matmul

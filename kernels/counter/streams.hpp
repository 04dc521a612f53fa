// Counting by whole vectors in four streams, for both CPU ladders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/workload/target.hpp"
#include "kernels/counter/counter.hpp"

namespace kernels::counter {
namespace {

constexpr std::size_t lanes = 64 / sizeof(Real);  // of a cache line
constexpr std::size_t quarters = 4;

/// A counter as wide as an element: the mask of a vector comparison needs no packing.
using Lane =
    std::conditional_t<sizeof(Real) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;

/// A cache line of each quarter of the elements, then the next one of each.
inline Count count_in_streams(const Real* x, std::size_t n, Real threshold) {
  const std::size_t quarter = n / (quarters * lanes) * lanes;
  Lane lane[quarters][lanes] = {};
  for (std::size_t first = 0; first < quarter; first += lanes) {
    for (std::size_t q = 0; q < quarters; ++q) {
      const Real* const line = x + first + q * quarter;
#pragma omp simd
      for (std::size_t i = 0; i < lanes; ++i) lane[q][i] += line[i] < threshold ? 1U : 0U;
    }
  }
  Count counted = 0;
  for (const auto& one : lane) {
    for (const Lane of_lane : one) counted += static_cast<Count>(of_lane);
  }
  for (std::size_t i = quarters * quarter; i < n; ++i) counted += x[i] < threshold ? 1U : 0U;
  return counted;
}

}  // namespace
}  // namespace kernels::counter

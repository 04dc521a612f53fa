// Quicksort by whole vectors, for both CPU ladders.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "harness/simd/order.hpp"
#include "kernels/sort/network.hpp"
#include "kernels/sort/runs.hpp"

namespace kernels::sort {
namespace {

/// What networks sort in registers.
constexpr std::size_t few = Network<16>::most;

inline void sort_few(const Real* in, Real* out, std::size_t n) {
  constexpr std::size_t half = lanes<Real> < 16 ? 8 : 16;  // rows: at least as many as lanes
  if (n <= Network<half>::most) return Network<half>::sort(in, out, n);
  Network<16>::sort(in, out, n);
}

/// Element i of a sample of n. The golden section of 2³² has multiples that are spread evenly, and
/// in step with no pattern of the elements.
inline Real sampled(const Real* from, std::size_t n, std::size_t i) {
  const std::uint32_t place = static_cast<std::uint32_t>(i) * 0x9E3779B9U;
  return from[static_cast<std::size_t>(static_cast<double>(n) * 0x1p-32 * place)];
}

inline Real median(Real a, Real b, Real c) {
  order(a, b);
  order(b, c);
  return a < b ? b : a;
}

/// About the median of n > few elements: of a sample, or, of fewer, the median of three medians.
inline Real sampled_median(const Real* from, std::size_t n) {
  if (n < 64 * few) {
    const auto of_three = [=](std::size_t i) {
      return median(sampled(from, n, i), sampled(from, n, i + 1), sampled(from, n, i + 2));
    };
    return median(of_three(0), of_three(3), of_three(6));
  }
  constexpr std::size_t count = few;
  Real sample[count];
  for (std::size_t i = 0; i < count; ++i) sample[i] = sampled(from, n, i);
  sort_few(sample, sample, count);
  return sample[count / 2];
}

/// Two sides that grow towards each other: elements below a limit, and all others.
struct Sides {
  Real* low;
  Real* high;

  void add(const Real* from, std::size_t n, Real limit) {
    const auto room = static_cast<std::size_t>(high - low);
    // So few elements will follow that a vector at one end would reach what is at the other.
    const bool tight = room > n && room - n < lanes<Real>;
    const std::size_t singly = tight ? n : n % lanes<Real>;
    for (std::size_t i = 0; i < singly; ++i) store_apart(from[i], limit, low, high);
    for (std::size_t i = singly; i < n; i += lanes<Real>) {
      store_vector_apart(from + i, limit, low, high);
    }
  }
};

/// Moves n elements from one array to another, those below the limit first; returns how many.
inline std::size_t split(const Real* from, Real* to, std::size_t n, Real limit) {
  Sides sides{to, to + n};
  sides.add(from, n, limit);
  return static_cast<std::size_t>(sides.low - to);
}

/// out = the n elements of `from` in ascending order. `from` may be `out` or `work`: sides move
/// from one to the other until a network takes them.
inline void quicksort(const Real* from, Real* out, Real* work, std::size_t n) {
  while (n > few) {
    Real* const to = from == work ? out : work;
    const Real median = sampled_median(from, n);
    std::size_t low = split(from, to, n, median);
    if (low == 0) {  // No element is smaller: all that are equal go where they belong.
      low = split(from, to, n, std::nextafter(median, std::numeric_limits<Real>::infinity()));
      if (low == 0) low = n;  // All of them are infinite.
      if (to != out) copy(to, out, low);
    } else if (low <= n - low) {
      quicksort(to, out, work, low);
    } else {  // The shorter side first: calls are at most log₂ n deep.
      quicksort(to + low, out + low, work + low, n - low);
      from = to;
      n = low;
      continue;
    }
    from = to + low;
    out += low;
    work += low;
    n -= low;
  }
  sort_few(from, out, n);
}

}  // namespace
}  // namespace kernels::sort

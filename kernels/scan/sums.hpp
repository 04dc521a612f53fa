// Sums and scans of a part by whole vectors, for both CPU ladders.
#pragma once

#include <cstddef>
#include <type_traits>

#include "harness/simd/shift.hpp"
#include "harness/simd/stream.hpp"
#include "harness/workload/target.hpp"

namespace kernels::scan {
namespace {

/// What sums of many elements are added in: a float would lose what is added to it.
using Total = std::conditional_t<std::is_floating_point_v<Real>, double, Real>;

constexpr std::size_t line = cache_line / sizeof(Real);                  // elements
constexpr std::size_t piece = (std::size_t{128} << 10U) / sizeof(Real);  // of which L2 holds two

/// The sum of n elements, read as four streams: of lanes that add at most 64 of them.
inline Total sum_of(const Real* x, std::size_t n) {
  constexpr std::size_t streams = 4;
  constexpr std::size_t block = 64 * line;
  const std::size_t distance = n / (streams * line) * line;
  Total totals[line] = {};
  for (std::size_t begin = 0; begin < distance; begin += block) {
    const std::size_t end = distance - begin < block ? distance : begin + block;
    Real lane[streams][line] = {};
    for (std::size_t first = begin; first < end; first += line) {
      for (std::size_t s = 0; s < streams; ++s) {
        const Real* const from = x + s * distance + first;
#pragma omp simd
        for (std::size_t i = 0; i < line; ++i) lane[s][i] += from[i];
      }
    }
    for (const auto& one : lane) {
#pragma omp simd
      for (std::size_t i = 0; i < line; ++i) totals[i] += one[i];
    }
  }
  Total total = 0;
  for (const Total one : totals) total += one;
  for (std::size_t i = streams * distance; i < n; ++i) total += x[i];
  return total;
}

/// Each lane and all before it: log2 steps, each of which adds the lanes twice as far away.
template <std::size_t distance = 1>
[[gnu::always_inline]] inline Vector<Real> sums_of_lanes(Vector<Real> v) {
  v += shifted<Real, distance>(v);
  if constexpr (2 * distance < lanes<Real>) v = sums_of_lanes<2 * distance>(v);
  return v;
}

constexpr std::size_t group = 8 * lanes<Real>;  // vectors that are scanned together: whole lines

/// out[i] = before + x[0] + … + x[i] for a group; returns the last one. In it sums are carried from
/// vector to vector in all lanes.
[[gnu::always_inline]] inline Total scan_group(const Real* x, Real* out, Total before) {
  const auto base = static_cast<Real>(before);
  Vector<Real> carry{};
  for (std::size_t i = 0; i < group; i += lanes<Real>) {
    Vector<Real> v;
    __builtin_memcpy(&v, x + i, sizeof v);
    v = sums_of_lanes(v);
    const Vector<Real> sums = v + (carry + base);
    __builtin_memcpy(out + i, &sums, sizeof sums);
    carry += last_in_all<Real>(v);
  }
  return before + carry[0];
}

/// The same of n elements.
inline Total scan_vectors(const Real* x, Real* out, std::size_t n, Total before) {
  const std::size_t whole = n - n % group;
  for (std::size_t i = 0; i < whole; i += group) before = scan_group(x + i, out + i, before);
  for (std::size_t i = whole; i < n; ++i) {
    before += x[i];
    out[i] = static_cast<Real>(before);
  }
  return before;
}

/// The same of a group by streaming stores; `out` is the begin of a line.
[[gnu::always_inline]] inline Total stream_group(const Real* x, Real* out, Total before) {
  alignas(cache_line) Real sums[group];
  before = scan_group(x, sums, before);
  for (std::size_t i = 0; i < group; i += line) stream_line(out + i, sums + i);
  return before;
}

/// scan_vectors() by streaming stores; the caller must call stream_fence().
inline Total scan_streaming(const Real* x, Real* out, std::size_t n, Total before) {
  const std::size_t to_line = elements_before_line(out);
  const std::size_t first = to_line < n ? to_line : n;
  const std::size_t end = n - (n - first) % group;
  before = scan_vectors(x, out, first, before);
  for (std::size_t i = first; i < end; i += group) before = stream_group(x + i, out + i, before);
  return scan_vectors(x + end, out + end, n - end, before);
}

/// The same of a whole piece that begins with a line of `out`; returns the sum of another one,
/// which is read as eight streams.
[[maybe_unused]] inline Total scan_and_add(const Real* x, Real* out, Total before,
                                           const Real* other) {
  constexpr std::size_t streams = 8;
  constexpr std::size_t block = 64 * line;  // of which each lane adds 64 elements
  Total sum = 0;
  for (std::size_t begin = 0; begin < piece; begin += block) {
    Vector<Real> lane[line / lanes<Real>] = {};
    for (std::size_t i = begin; i < begin + block; i += group) {
      for (std::size_t k = i / line; k < (i + group) / line; ++k) {
        const Real* from = other + k % streams * (piece / streams) + k / streams * line;
        for (Vector<Real>& one : lane) {
          Vector<Real> terms;
          __builtin_memcpy(&terms, from, sizeof terms);
          one += terms;
          from += lanes<Real>;
        }
      }
      before = stream_group(x + i, out + i, before);
    }
    for (const Vector<Real>& one : lane) sum += sums_of_lanes(one)[lanes<Real> - 1];
  }
  return sum;
}

}  // namespace
}  // namespace kernels::scan

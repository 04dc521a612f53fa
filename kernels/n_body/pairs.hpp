// What one body feels of another, for both CPU ladders: of single bodies and of whole vectors.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "harness/simd/inverse_root.hpp"
#include "harness/simd/vector_mul_add.hpp"
#include "harness/workload/target.hpp"
#include "kernels/n_body/n_body.hpp"

namespace kernels::n_body {
namespace {

using V = Vector<Real>;

constexpr Real soft = static_cast<Real>(softening);

/// The arrays of a kernel.
struct Bodies {
  const Real* x;
  const Real* y;
  const Real* z;
  const Real* m;
  std::size_t n;
};

/// A sum for each coordinate.
template <class T>
struct Sums {
  T x;
  T y;
  T z;

  /// The same with a pull along these distances.
  [[gnu::always_inline]] Sums with(T pull, T dx, T dy, T dz) const {
    return {mul_add(pull, dx, x), mul_add(pull, dy, y), mul_add(pull, dz, z)};
  }
};

/// The distances of one body from another, and 1/(|d|² + ε²)^(3/2).
template <class T>
struct Pair {
  T dx;
  T dy;
  T dz;
  T weight;
};

[[gnu::always_inline]] inline V load(const Real* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

[[gnu::always_inline]] inline void add_to(Real* sums, V v) {
  const V sum = load(sums) + v;
  __builtin_memcpy(sums, &sum, sizeof sum);
}

inline Real total(V v) {
  Real sum = 0;
  for (std::size_t k = 0; k < lanes<Real>; ++k) sum += v[k];
  return sum;
}

inline Pair<Real> pair_of(const Bodies& all, std::size_t i, std::size_t j) {
  const Real dx = all.x[j] - all.x[i];
  const Real dy = all.y[j] - all.y[i];
  const Real dz = all.z[j] - all.z[i];
  const Real square = dx * dx + dy * dy + dz * dz + soft;
  return {dx, dy, dz, 1 / (square * std::sqrt(square))};
}

/// v^(−3/2) for 1e-37 ≤ v ≤ 1e37: y³·(1 − e)^(−3/2) of an approximate root y, whose error
/// e = 1 − v·y² is so small that a few terms of the power series are enough.
[[gnu::always_inline]] inline V inverse_cubed_root(V v) {
  const V y = approximate_inverse_root(v);
  const V square = y * y;
  const V e = mul_add(-square, v, V{} + 1);
  constexpr double terms[] = {3.0 / 2, 15.0 / 8, 35.0 / 16, 315.0 / 128, 693.0 / 256};
  constexpr int digits = std::numeric_limits<Real>::digits;
  constexpr int count = (digits + inverse_root_bits - 2) / (inverse_root_bits - 1) - 1;
  V series = V{} + static_cast<Real>(terms[count - 1]);
#pragma GCC unroll 4
  for (int k = count - 1; k > 0; --k) {
    series = mul_add(e, series, V{} + static_cast<Real>(terms[k - 1]));
  }
  const V cube = y * square;
  return mul_add(cube * e, series, cube);
}

/// Body i with as many others, from the j-th on.
[[gnu::always_inline]] inline Pair<V> pairs_of(const Bodies& all, std::size_t i, std::size_t j) {
  const V dx = load(all.x + j) - all.x[i];
  const V dy = load(all.y + j) - all.y[i];
  const V dz = load(all.z + j) - all.z[i];
  const V square = mul_add(dx, dx, mul_add(dy, dy, mul_add(dz, dz, V{} + soft)));
  return {dx, dy, dz, inverse_cubed_root(square)};
}

/// The acceleration of body i by all bodies.
[[gnu::always_inline]] inline Sums<Real> pull_of_all(const Bodies& all, std::size_t i) {
  Sums<V> sums{};
  const std::size_t whole = all.n - all.n % lanes<Real>;
  for (std::size_t j = 0; j < whole; j += lanes<Real>) {
    const auto [dx, dy, dz, weight] = pairs_of(all, i, j);
    const V pull = load(all.m + j) * weight;
    sums = sums.with(pull, dx, dy, dz);
  }
  Sums<Real> sum{total(sums.x), total(sums.y), total(sums.z)};
  for (std::size_t j = whole; j < all.n; ++j) {
    const auto [dx, dy, dz, weight] = pair_of(all, i, j);
    const Real pull = all.m[j] * weight;
    sum = sum.with(pull, dx, dy, dz);
  }
  return sum;
}

/// Adds what bodies i and j feel of each other to both.
inline void add_pair(const Bodies& all, Real* a, std::size_t i, std::size_t j) {
  const auto [dx, dy, dz, weight] = pair_of(all, i, j);
  const Real of_i = all.m[j] * weight;
  const Real of_j = all.m[i] * weight;
  const Real d[] = {dx, dy, dz};
  for (std::size_t c = 0; c < 3; ++c) {
    a[c * all.n + i] += of_i * d[c];
    a[c * all.n + j] -= of_j * d[c];
  }
}

/// Does so for bodies i, i + 1 … and each from `first` on, a whole vector of them at a time. What
/// is loaded of these, and their sums, serve for several pairs.
template <std::size_t count>
[[gnu::always_inline]] inline void add_pairs(const Bodies& all, Real* a, std::size_t i,
                                             std::size_t first) {
  Sums<V> sums[count] = {};
  const std::size_t end = all.n - (all.n - first) % lanes<Real>;
  for (std::size_t j = first; j < end; j += lanes<Real>) {
    Sums<V> back{};
#pragma GCC unroll 4
    for (std::size_t k = 0; k < count; ++k) {
      const auto [dx, dy, dz, weight] = pairs_of(all, i + k, j);
      const V of_i = load(all.m + j) * weight;
      const V of_j = -all.m[i + k] * weight;
      sums[k] = sums[k].with(of_i, dx, dy, dz);
      back = back.with(of_j, dx, dy, dz);
    }
    add_to(a + j, back.x);
    add_to(a + all.n + j, back.y);
    add_to(a + 2 * all.n + j, back.z);
  }
  for (std::size_t k = 0; k < count; ++k) {
    a[i + k] += total(sums[k].x);
    a[all.n + i + k] += total(sums[k].y);
    a[2 * all.n + i + k] += total(sums[k].z);
    for (std::size_t j = end; j < all.n; ++j) add_pair(all, a, i + k, j);
  }
}

constexpr std::size_t at_once = 4;
constexpr std::size_t block = lanes < Real >> at_once ? lanes<Real> : at_once;

/// Each pair that a body of the block from `first` on is the first of: with the others of the
/// block, then with all behind it.
inline void add_pairs_of_block(const Bodies& all, Real* a, std::size_t first) {
  const std::size_t behind = first + block < all.n ? first + block : all.n;
  for (std::size_t i = first; i < behind; ++i) {
    for (std::size_t j = i + 1; j < behind; ++j) add_pair(all, a, i, j);
  }
  if (behind == all.n) return;
  for (std::size_t i = first; i < behind; i += at_once) add_pairs<at_once>(all, a, i, behind);
}

}  // namespace
}  // namespace kernels::n_body

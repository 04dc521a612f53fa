// A sorting network in vector registers: which positions are compared does not depend on the
// elements, so no branch is mispredicted.
#pragma once

#include <cstddef>
#include <limits>
#include <utility>

#include "harness/simd/order.hpp"
#include "kernels/sort/runs.hpp"

namespace kernels::sort {
namespace {

/// Batcher's bitonic network for `rows` vectors, a power of two and at least `lanes<Real>`.
/// Position p is row p % rows of lane p / rows. So most steps compare vector with vector. Only
/// those on longer runs than a lane has rows exchange lanes.
template <std::size_t rows>
struct Network {
  using V = Vector<Real>;
  template <std::size_t count>
  using Each = std::make_index_sequence<count>;

  /// The comparators of one step, as in the CUDA ladder: the first step on runs of `run` / 2 is
  /// mirrored; in those after it positions are `run` / 2 apart.
  template <std::size_t run, bool mirrored, std::size_t... I>
  [[gnu::always_inline]] static void step(V* v, std::index_sequence<I...> /*all*/) {
    constexpr std::size_t half = run / 2;
    (::order(v[I / half * run + I % half],
             v[I / half * run + (mirrored ? run - 1 - I % half : I % half + half)]),
     ...);
  }
  /// The steps after the first one of a merge within columns.
  template <std::size_t run>
  [[gnu::always_inline]] static void halve(V* v) {
    if constexpr (run > 1) {
      step<run, false>(v, Each<rows / 2>());
      halve<run / 2>(v);
    }
  }
  template <std::size_t run>
  [[gnu::always_inline]] static void sort_columns(V* v) {
    if constexpr (run <= rows) {
      step<run, true>(v, Each<rows / 2>());
      halve<run / 2>(v);
      sort_columns<2 * run>(v);
    }
  }

  /// The first step of a merge of `columns` lanes: the mirror of row r is in row rows − 1 − r.
  template <std::size_t columns, std::size_t... R>
  [[gnu::always_inline]] static void mirror_lanes(V* v, std::index_sequence<R...> /*all*/) {
    const auto pair = [](V& row, V& mirror) {
      V low = row;
      V high = exchanged<Real, columns - 1>(mirror);
      ::order(low, high);
      row = by_bit<Real, columns / 2>(low, high);
      mirror = exchanged<Real, columns - 1>(by_bit<Real, columns / 2>(high, low));
    };
    (pair(v[R], v[rows - 1 - R]), ...);
  }
  template <std::size_t columns, std::size_t... R>
  [[gnu::always_inline]] static void halve_lanes(V* v, std::index_sequence<R...> all) {
    if constexpr (columns > 1) {
      const auto step = [](V& row) {
        const V other = exchanged<Real, columns / 2>(row);
        row = by_bit<Real, columns / 2>(smaller(row, other), larger(row, other));
      };
      (step(v[R]), ...);
      halve_lanes<columns / 2>(v, all);
    }
  }
  template <std::size_t columns>
  [[gnu::always_inline]] static void merge_columns(V* v) {
    if constexpr (columns <= lanes<Real>) {
      mirror_lanes<columns>(v, Each<rows / 2>());
      halve_lanes<columns / 2>(v, Each<rows>());
      halve<rows>(v);
      merge_columns<2 * columns>(v);
    }
  }

  static constexpr std::size_t most = rows * lanes<Real>;

  /// Rows become columns in squares of `lanes<Real>` rows: each bit of a row's number changes
  /// places with that of a lane's.
  template <std::size_t bit, std::size_t... I>
  [[gnu::always_inline]] static void transpose(V* v, std::index_sequence<I...> pairs) {
    if constexpr (bit < lanes<Real>) {
      (cross<Real, bit>(v[I / bit * 2 * bit + I % bit], v[I / bit * 2 * bit + I % bit + bit]), ...);
      transpose<2 * bit>(v, pairs);
    }
  }

  template <std::size_t... R>
  [[gnu::always_inline]] static void sort_all(Real* all, std::index_sequence<R...> /*all*/) {
    V v[rows];
    (__builtin_memcpy(&v[R], all + R * lanes<Real>, sizeof v[R]), ...);
    sort_columns<2>(v);
    merge_columns<2>(v);
    transpose<1>(v, Each<rows / 2>());
    (__builtin_memcpy(all + (R % lanes<Real> * rows + R / lanes<Real> * lanes<Real>), &v[R],
                      sizeof v[R]),
     ...);
  }

  /// out = the n elements of `in` in ascending order, n ≤ most; they may be the same.
  static void sort(const Real* in, Real* out, std::size_t n) {
    alignas(V) Real all[most];
    for (std::size_t i = 0; i < n; ++i) all[i] = in[i];
    for (std::size_t i = n; i < most; ++i) all[i] = std::numeric_limits<Real>::infinity();
    sort_all(all, Each<rows>());
    for (std::size_t i = 0; i < n; ++i) out[i] = all[i];
  }
};

}  // namespace
}  // namespace kernels::sort

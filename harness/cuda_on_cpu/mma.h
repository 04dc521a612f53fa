// Tensor cores on the CPU, as mma.h has them: a warp has a tile together, each lane some elements
// of it, and all lanes multiply at once. Which lane has which element CUDA does not say either.
#pragma once

#include <cstddef>
#include <type_traits>

#include "harness/cuda_on_cpu/cuda_runtime.hpp"

#if defined(__CUDACC__)  // in a user's file
#include "harness/cuda_on_cpu/half.h"
#endif

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

/// A tile of A (m×k), B (k×n) or the sums (m×n), in rows or in columns.
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static_assert((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32),
                "bench's own CUDA has tiles of 16x16x16, 32x8x16 and 8x32x16");
  static_assert(k == 16, "bench's own CUDA has products of 16");
  static constexpr int rows = std::is_same_v<Use, matrix_b> ? k : m;
  static constexpr int cols = std::is_same_v<Use, matrix_a> ? k : n;
  static constexpr int num_elements = rows * cols / warpSize;
  T x[num_elements];
};

/// The number of an element of the calling lane, row by row.
inline unsigned number_of(int e, int num_elements) {
  return bench::cuda::stand_in::lane() * static_cast<unsigned>(num_elements) +
         static_cast<unsigned>(e);
}

/// What all lanes brought, when all have come. `fence`: they have then seen each other's memory,
/// which CUDA does not promise of those that load and store.
inline const std::uint64_t* together(const void* mine, bool fence) {
  constexpr auto all = ~bench::cuda::stand_in::LaneMask{0};
  return bench::cuda::stand_in::meet(all, reinterpret_cast<std::uint64_t>(mine), fence);
}
inline void meet_all() { together(nullptr, false); }

// As complaints name them.
struct alignas(32) wmma_tile {};
struct alignas(16) row_of_wmma_tile {};

/// CUDA wants tiles to begin at 32 bytes, and their rows at 16. By references, at which a sanitizer
/// looks; nothing is read.
template <class T>
void look_at_alignment(const T* tile, unsigned pitch) {
  const auto& first = *reinterpret_cast<const wmma_tile*>(tile);
  const auto& second = *reinterpret_cast<const row_of_wmma_tile*>(tile + pitch);
  static_cast<void>(first);
  static_cast<void>(second);
}

template <class Fragment, class T>
void fill_fragment(Fragment& fragment, T value) {
  for (auto& one : fragment.x) one = value;
}

/// f(element, place in memory) of the elements of the calling lane.
template <class Fragment, class F>
void each_element(Fragment& fragment, unsigned pitch, bool in_rows, F f) {
  for (int e = 0; e < Fragment::num_elements; ++e) {
    const unsigned at = number_of(e, Fragment::num_elements);
    const unsigned row = at / Fragment::cols;
    const unsigned col = at % Fragment::cols;
    f(fragment.x[e], in_rows ? std::size_t{row} * pitch + col : std::size_t{col} * pitch + row);
  }
}

template <class Use, int m, int n, int k, class T, class Layout, class In>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& tile, const In* from, unsigned pitch) {
  meet_all();
  look_at_alignment(from, pitch);
  each_element(tile, pitch, std::is_same_v<Layout, row_major>,
               [&](T& one, std::size_t at) { one = from[at]; });
}

template <int m, int n, int k, class T>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& tile, const T* from, unsigned pitch,
                      layout_t layout) {
  meet_all();
  look_at_alignment(from, pitch);
  each_element(tile, pitch, layout == mem_row_major,
               [&](T& one, std::size_t at) { one = from[at]; });
}

template <int m, int n, int k, class T>
void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& tile, unsigned pitch,
                       layout_t layout) {
  look_at_alignment(to, pitch);
  meet_all();
  each_element(tile, pitch, layout == mem_row_major,
               [&](const T& one, std::size_t at) { to[at] = one; });
}

/// d = a·b + c: products are exact, and sums as precise as those of c.
template <int m, int n, int k, class In, class A, class B, class T>
void mma_sync(fragment<accumulator, m, n, k, T>& d, const fragment<matrix_a, m, n, k, In, A>& a,
              const fragment<matrix_b, m, n, k, In, B>& b,
              const fragment<accumulator, m, n, k, T>& c, bool /*saturate*/ = false) {
  struct Inputs {
    const In* a;
    const In* b;
  };
  const Inputs mine{a.x, b.x};
  const std::uint64_t* const met = together(&mine, true);
  Inputs all[warpSize];
  for (int lane = 0; lane < warpSize; ++lane)
    all[lane] = *reinterpret_cast<const Inputs*>(met[lane]);
  constexpr int each_a = fragment<matrix_a, m, n, k, In, A>::num_elements;
  constexpr int each_b = fragment<matrix_b, m, n, k, In, B>::num_elements;
  constexpr int each = fragment<accumulator, m, n, k, T>::num_elements;
  T sums[each];
  for (int e = 0; e < each; ++e) {
    const int row = static_cast<int>(number_of(e, each)) / n;
    const int col = static_cast<int>(number_of(e, each)) % n;
    float sum = c.x[e];
    for (int p = 0; p < k; ++p) {
      const int in_a = row * k + p;
      const int in_b = p * n + col;
      sum += static_cast<float>(all[in_a / each_a].a[in_a % each_a]) *
             static_cast<float>(all[in_b / each_b].b[in_b % each_b]);
    }
    sums[e] = static_cast<T>(sum);
  }
  meet_all();  // others have read what d may be
  for (int e = 0; e < each; ++e) d.x[e] = sums[e];
}

}  // namespace nvcuda::wmma

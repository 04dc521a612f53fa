// hypot on a GPU: c = √(a² + b²), without avoidable overflow or underflow.
//
// A map with two inputs: 12 bytes per element in f32 and a few dozen instructions, which overlap
// with the loads of other threads (latency hiding). Memory bandwidth is the limit.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/hypot/hypot.hpp"

namespace kernels::hypot {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::store_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;

// Change: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Cost: all other threads are idle, and one thread alone is far slower than a CPU core.
__global__ void one_thread_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

void one_thread(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, a, b, c, n);
}

// Before: one element is computed at a time.
// Change: one thread per element. Neighbouring threads access neighbouring addresses, which the
// hardware coalesces into few wide transactions.
// Cost: one block start for only 256 elements.
__global__ void one_per_element_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = std::hypot(a[i], b[i]);
}

void one_per_element(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), a, b, c, n);
}

// Before: one thread per element; each block exits after a single element per thread.
// Change: launch only as many blocks as are resident at once; each thread loops with a grid stride.
// Cost: blocks drift apart, so that what they access at a time is far apart, too (see no_loop).
__global__ void grid_stride_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) c[i] = std::hypot(a[i], b[i]);
}

void grid_stride(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), a, b, c, n);
}

// Before: each access of a thread moves one element, 4 or 8 bytes.
// Change: 128 bits per access: fewer memory instructions, more bytes in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t i = v * Wide::lanes;
    const Wide x = load_wide(a + i);
    const Wide y = load_wide(b + i);
    Wide lengths;
    for (std::size_t k = 0; k < Wide::lanes; ++k)
      lengths.lane[k] = std::hypot(x.lane[k], y.lane[k]);
    store_wide(c + i, lengths);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride)
    c[i] = std::hypot(a[i], b[i]);
}

void wide(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), a, b, c, n);
}

// Change: four elements per thread and no loop; copy's no_loop explains it.
// Cost: many small blocks.
constexpr unsigned small_block = 128;

__global__ void no_loop_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  constexpr unsigned vectors = 4 / Wide::lanes;
  const std::size_t first =
      (std::size_t{blockIdx.x} * blockDim.x * vectors + threadIdx.x) * Wide::lanes;
  const std::size_t step = blockDim.x * Wide::lanes;
  if (first + (vectors - 1) * step + Wide::lanes <= n) {
    Wide x[vectors];
    Wide y[vectors];
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) {
      x[k] = load_wide(a + first + k * step);
      y[k] = load_wide(b + first + k * step);
    }
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) {
      Wide lengths;
      for (std::size_t lane = 0; lane < Wide::lanes; ++lane)
        lengths.lane[lane] = std::hypot(x[k].lane[lane], y[k].lane[lane]);
      store_wide(c + first + k * step, lengths);
    }
  } else {
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t i = first + k / Wide::lanes * step + k % Wide::lanes;
      if (i < n) c[i] = std::hypot(a[i], b[i]);
    }
  }
}

void no_loop(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(no_loop_kernel, bench::cuda::per_element((n + 3) / 4, small_block), a, b, c, n);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* a, const Real* b, Real* c, std::size_t n) {
  in_chunks(n, 2 * sizeof(Real), [=](Chunk chunk) {
    upload(a + chunk.first, chunk.count);
    upload(b + chunk.first, chunk.count);
    no_loop(a + chunk.first, b + chunk.first, c + chunk.first, chunk.count);
    download(c + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_thread", "the naive loop on a single GPU thread, deliberately slow", one_thread,
       1'000'000},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "one wave of resident blocks, with a grid-stride loop", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::hypot

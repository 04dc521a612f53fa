// add on a GPU: c = a + b.
//
// The kernel of a first lesson. It is also the bandwidth reference of workloads that read two
// arrays and write one: 12 bytes per element in f32 and one addition. On arrays in GPU memory,
// memory bandwidth is the limit once enough bytes are in flight. With transfers the same 12 bytes
// cross the bus, which is far slower. Small arrays are bound by launch latency.

#include "harness/cuda/kernel.hpp"
#include "kernels/add/add.hpp"

namespace kernels::add {
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

__global__ void one_per_element_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Change: one thread per element, in the launch [32, 128] of a first lesson: 32 blocks of 128
// threads for any n.
// Cost: wrong beyond 4096 elements. No thread has their indices, and CUDA reports no error: the
// rest of `c` keeps its old values.
void fixed_grid(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_per_element_kernel, {32, 128}, a, b, c, n);
}

// Before: the grid does not depend on the number of elements.
// Change: as many blocks as n needs, rounded up; `i < n` masks the excess threads. Neighbouring
// threads access neighbouring addresses, which the hardware coalesces into few wide transactions.
// Cost: one block start for only 256 elements.
void one_per_element(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), a, b, c, n);
}

// Before: one thread per element; each block exits after a single element per thread.
// Change: launch only as many blocks as are resident at once; each thread loops with a grid stride.
// Cost: blocks drift apart, so that what they access at a time is far apart, too (see no_loop).
__global__ void grid_stride_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) c[i] = a[i] + b[i];
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
    Wide sums;
    for (std::size_t k = 0; k < Wide::lanes; ++k) sums.lane[k] = x.lane[k] + y.lane[k];
    store_wide(c + i, sums);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) c[i] = a[i] + b[i];
}

void wide(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), a, b, c, n);
}

// Change: one vector per thread and no loop; copy's no_loop explains it.
// Cost: many small blocks.
constexpr unsigned small_block = 128;

__global__ void no_loop_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * Wide::lanes;
  if (i + Wide::lanes <= n) {
    const Wide x = load_wide(a + i);
    const Wide y = load_wide(b + i);
    Wide sums;
    for (std::size_t k = 0; k < Wide::lanes; ++k) sums.lane[k] = x.lane[k] + y.lane[k];
    store_wide(c + i, sums);
  } else {
    for (; i < n; ++i) c[i] = a[i] + b[i];
  }
}

void no_loop(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t threads = (n + Wide::lanes - 1) / Wide::lanes;
  launch(no_loop_kernel, bench::cuda::per_element(threads, small_block), a, b, c, n);
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
      {"fixed_grid", "32 blocks of 128 threads for any n: wrong beyond 4096 elements", fixed_grid,
       bench::any_size, bench::kernel_only, bench::wrong_on_purpose},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "one wave of resident blocks, with a grid-stride loop", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "one vector per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::add

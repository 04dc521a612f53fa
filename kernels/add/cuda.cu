// add on a GPU: c = a + b.
//
// A first lesson's kernel, and the bandwidth reference of workloads that read two arrays and write
// one: 12 bytes per element in f32 and one addition. Arrays that lie on the device are limited by
// its memory, once enough bytes are in flight; end to end the same 12 bytes cross the bus, which is
// far slower, and small arrays wait for the launch itself.

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

// Here: one thread per element, in the launch [32, 128] of a first lesson: 32 blocks of 128
// threads, whatever n is.
// Price: wrong beyond 4096 elements. No thread has their indices, and nobody complains: the launch
// succeeds, and the rest of `c` is whatever it was before.
void fixed_grid(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_per_element_kernel, {32, 128}, a, b, c, n);
}

// Above: the grid does not know how many elements there are.
// Here: as many blocks as n needs, rounded up: that is what `i < n` is for. Neighbouring threads
// use neighbouring addresses, which the hardware joins into few wide transactions (coalescing).
// Price: a block that is started for only 256 elements.
void one_per_element(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), a, b, c, n);
}

// Above: as many blocks as the arrays need, each gone after one element per thread.
// Here: as many blocks as fit at once (occupancy); each thread goes on in strides of the grid.
// Price: a loop in each thread.
__global__ void grid_stride_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) c[i] = a[i] + b[i];
}

void grid_stride(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), a, b, c, n);
}

// Above: each access of a thread moves one element, 4 or 8 bytes.
// Here: 128 bits per access: fewer instructions for the memory, more bytes in flight at once.
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
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

// Above: each thread asks for its next vector only once the last one has come and is stored.
// Here: one vector per thread and no loop: where a block is done, the next one begins. (Why that is
// faster is not settled; what is on its way at any time lies closer together in memory.)
// Price: many small blocks to start; with 64 threads each, an H200 could not start enough of them.
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

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus, and only one
// direction of the bus is busy.
// Here: chunks in several streams: one arrives while another is worked on and a third leaves.
// Price: a kernel and transfers to start for each chunk; the first one's way in and the last one's
// way out are still waited for.
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
      {"fixed_grid", "32 blocks of 128 threads whatever n is: wrong beyond 4096 elements",
       fixed_grid, bench::any_size, bench::kernel_only, bench::wrong_on_purpose},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "as many blocks as the device holds, each thread in strides", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "one vector per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::add

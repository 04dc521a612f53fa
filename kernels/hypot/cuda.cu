// hypot on a GPU: c = √(a² + b²), without avoidable overflow or underflow.
//
// A map with two inputs: 12 bytes per element in f32 and a few dozen instructions, which many
// threads do while the bytes of others are in flight (latency hiding). The device's memory is the
// limit.

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

// Here: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Price: all other threads of the device do nothing, and one alone is far slower than a CPU core.
__global__ void one_thread_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

void one_thread(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, a, b, c, n);
}

// Above: one element is worked on at a time.
// Here: as many threads as the device holds, each with a contiguous piece: the habit of a CPU.
// Price: the 32 threads of a warp access 32 distant cache lines at a time (uncoalesced), and of
// each line they use one element before its turn comes again.
__global__ void uncoalesced_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t piece = (n + threads - 1) / threads;
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
  const std::size_t end = first + piece < n ? first + piece : n;
  for (std::size_t i = first; i < end; ++i) c[i] = std::hypot(a[i], b[i]);
}

void uncoalesced(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(uncoalesced_kernel, bench::cuda::fill_device(uncoalesced_kernel, n, block), a, b, c, n);
}

// Above: neighbouring threads work a whole piece apart.
// Here: one thread per element; neighbouring threads use neighbouring addresses, which the hardware
// joins into few wide transactions (coalescing).
// Price: a block that is started for only 256 elements.
__global__ void one_per_element_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) c[i] = std::hypot(a[i], b[i]);
}

void one_per_element(const Real* a, const Real* b, Real* c, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), a, b, c, n);
}

// Above: as many blocks as the arrays need, each gone after one element per thread.
// Here: as many blocks as fit at once (occupancy); each thread goes on in strides of the grid.
// Price: a loop in each thread.
__global__ void grid_stride_kernel(const Real* a, const Real* b, Real* c, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) c[i] = std::hypot(a[i], b[i]);
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

// Above: each thread asks for its next vector only once the last one has come and is stored.
// Here: four elements per thread and no loop: where a block is done, the next one begins. (Why that
// is faster is not settled; what is on its way at any time lies closer together in memory.)
// Price: many small blocks to start; with 64 threads each, an H200 could not start enough of them.
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
      {"one_thread", "the plain loop on a single GPU thread, slow on purpose", one_thread,
       1'000'000},
      {"uncoalesced", "a contiguous piece per thread, as on a CPU: 32 lines per access",
       uncoalesced},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "as many blocks as the device holds, each thread in strides", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::hypot

// copy on a GPU: out[i] = in[i].
//
// 8 bytes per element in f32 and no arithmetic: memory bandwidth is the only limit. It is reached
// only with enough bytes in flight: bandwidth times latency (Little's law). On a large GPU that is
// some megabytes, since each load takes several hundred nanoseconds. The variants differ in how
// many bytes they keep in flight. With transfers (end to end) the bus is the limit instead.

#include "harness/cuda/kernel.hpp"
#include "kernels/copy/copy.hpp"

namespace kernels::copy {
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
// Cost: all other threads are idle, and one thread alone waits for the memory latency of each
// element.
__global__ void one_thread_kernel(const Real* in, Real* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

void one_thread(const Real* in, Real* out, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, in, out, n);
}

// Before: one element is in flight at a time.
// Change: as many threads as are resident, each with a contiguous piece, as on a CPU.
// Cost: uncoalesced: the 32 threads of a warp access 32 distant cache lines at a time. Each access
// uses one element of a line.
__global__ void uncoalesced_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t piece = (n + threads - 1) / threads;
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
  const std::size_t end = first + piece < n ? first + piece : n;
  for (std::size_t i = first; i < end; ++i) out[i] = in[i];
}

void uncoalesced(const Real* in, Real* out, std::size_t n) {
  launch(uncoalesced_kernel, bench::cuda::fill_device(uncoalesced_kernel, n, block), in, out, n);
}

// Before: neighbouring threads are a whole piece apart.
// Change: one thread per element. Neighbouring threads access neighbouring addresses, which the
// hardware coalesces into few wide transactions.
// Cost: one block start for only 256 elements.
__global__ void one_per_element_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

void one_per_element(const Real* in, Real* out, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), in, out, n);
}

// Before: one thread per element; each block exits after a single element per thread.
// Change: launch only as many blocks as are resident at once; each thread loops with a grid stride.
// Cost: blocks drift apart, so that what they access at a time is far apart, too (see no_loop).
__global__ void grid_stride_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) out[i] = in[i];
}

void grid_stride(const Real* in, Real* out, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), in, out, n);
}

// Before: each access of a thread moves one element, 4 or 8 bytes.
// Change: 128 bits per access, so that fewer instructions keep more bytes in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t i = v * Wide::lanes;
    store_wide(out + i, load_wide(in + i));
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) out[i] = in[i];
}

void wide(const Real* in, Real* out, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), in, out, n);
}

// Before: blocks of a grid-stride loop drift apart: what they access at a time is far apart, too.
// Change: one vector per thread and no loop. Blocks start in order, and access neighbours.
// Cost: many small blocks; with fewer threads in each, the rate of block starts is the limit.
// (The order decides, not the loop: an experiment in docs/results/h100.md.)
constexpr unsigned small_block = 128;

__global__ void no_loop_kernel(const Real* in, Real* out, std::size_t n) {
  std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * Wide::lanes;
  if (i + Wide::lanes <= n) {
    store_wide(out + i, load_wide(in + i));
  } else {
    for (; i < n; ++i) out[i] = in[i];
  }
}

void no_loop(const Real* in, Real* out, std::size_t n) {
  const std::size_t threads = (n + Wide::lanes - 1) / Wide::lanes;
  launch(no_loop_kernel, bench::cuda::per_element(threads, small_block), in, out, n);
}

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
void overlapped(const Real* in, Real* out, std::size_t n) {
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(in + chunk.first, chunk.count);
    no_loop(in + chunk.first, out + chunk.first, chunk.count);
    download(out + chunk.first, chunk.count);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"one_thread", "the naive loop on a single GPU thread, deliberately slow", one_thread,
       1'000'000},
      {"uncoalesced", "one contiguous chunk per thread, as on a CPU: 32 lines per access",
       uncoalesced},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "one wave of resident blocks, with a grid-stride loop", grid_stride},
      {"wide", "128 bits per access", wide},
      {"no_loop", "one vector per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::copy

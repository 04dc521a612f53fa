// copy on a GPU: out[i] = in[i].
//
// 8 bytes per element in f32 and no arithmetic: nothing but the memory of the device can be the
// limit. Bandwidth is reached only while enough bytes are in flight, bandwidth times latency
// (Little's law): some megabytes on a large device, since each of them takes several hundred
// nanoseconds to arrive. The rungs differ in how many they keep in flight. With the transfers (end
// to end) the bus is the limit instead.

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

// Here: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Price: all other threads of the device do nothing, and one alone waits for the latency of memory.
__global__ void one_thread_kernel(const Real* in, Real* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

void one_thread(const Real* in, Real* out, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, in, out, n);
}

// Above: one element is in flight at a time.
// Here: as many threads as the device holds, each with a contiguous piece: the habit of a CPU.
// Price: the 32 threads of a warp access 32 distant cache lines at a time (uncoalesced), and of
// each line they use one element before its turn comes again.
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

// Above: neighbouring threads work a whole piece apart.
// Here: one thread per element; neighbouring threads use neighbouring addresses, which the hardware
// joins into few wide transactions (coalescing).
// Price: a block that is started for only 256 elements.
__global__ void one_per_element_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

void one_per_element(const Real* in, Real* out, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), in, out, n);
}

// Above: as many blocks as the array needs, each gone after one element per thread.
// Here: as many blocks as fit at once (occupancy); each thread goes on in strides of the grid.
// Price: a loop in each thread.
__global__ void grid_stride_kernel(const Real* in, Real* out, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) out[i] = in[i];
}

void grid_stride(const Real* in, Real* out, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), in, out, n);
}

// Above: each access of a thread moves one element, 4 or 8 bytes.
// Here: 128 bits per access, so that fewer instructions keep more bytes in flight.
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
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

// Above: each thread asks for its next vector only once the last one has come and is stored.
// Here: one vector per thread and no loop: where a block is done, the next one begins. (Why that is
// faster is not settled; what is on its way at any time lies closer together in memory.)
// Price: many small blocks to start; with 64 threads each, an H200 could not start enough of them.
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

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus, and only one
// direction of the bus is busy.
// Here: chunks in several streams: one arrives while another is worked on and a third leaves.
// Price: a kernel and transfers to start for each chunk; the first one's way in and the last one's
// way out are still waited for.
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
      {"one_thread", "the plain loop on a single GPU thread, slow on purpose", one_thread,
       1'000'000},
      {"uncoalesced", "a contiguous piece per thread, as on a CPU: 32 lines per access",
       uncoalesced},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "as many blocks as the device holds, each thread in strides", grid_stride},
      {"wide", "128 bits per access", wide},
      {"no_loop", "one vector per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::copy

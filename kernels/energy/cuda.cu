// energy on a GPU: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: 8 bytes per element in f32, a sine, a square root and an exponential. The device's memory
// brings some hundred elements per nanosecond, each of which costs dozens of instructions: the two
// are about equal, but in f64 on a device with few units for it. First all of the device has to be
// kept busy; then it matters how few instructions serve the memory.

#include <cmath>

#include "harness/cuda/kernel.hpp"
#include "kernels/energy/branch_free.cuh"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
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

__device__ Real energy_of(Real x) {
  const Real sine = std::sin(x);
  return sine * sine + std::sqrt(std::abs(x)) + std::exp(-x * x / 50);
}

// Here: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Price: all other threads of the device do nothing, and one alone is far slower than a CPU core.
__global__ void one_thread_kernel(const Real* x, Real* energy, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

void one_thread(const Real* x, Real* energy, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, x, energy, n);
}

// Above: one element is worked on at a time.
// Here: as many threads as the device holds, each with a contiguous piece: the habit of a CPU.
// Price: the 32 threads of a warp access 32 distant cache lines at a time (uncoalesced), and of
// each line they use one element before its turn comes again.
__global__ void uncoalesced_kernel(const Real* x, Real* energy, std::size_t n) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t piece = (n + threads - 1) / threads;
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
  const std::size_t end = first + piece < n ? first + piece : n;
  for (std::size_t i = first; i < end; ++i) energy[i] = energy_of(x[i]);
}

void uncoalesced(const Real* x, Real* energy, std::size_t n) {
  launch(uncoalesced_kernel, bench::cuda::fill_device(uncoalesced_kernel, n, block), x, energy, n);
}

// Above: neighbouring threads work a whole piece apart.
// Here: one thread per element, in blocks of 256; neighbouring threads use neighbouring addresses,
// which the hardware joins into few wide transactions (coalescing).
// Price: a block that is started for only 256 elements.
__global__ void one_per_element_kernel(const Real* x, Real* energy, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) energy[i] = energy_of(x[i]);
}

void one_per_element(const Real* x, Real* energy, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), x, energy, n);
}

// Above: as many blocks as the array needs, each gone after one element per thread.
// Here: as many blocks as fit at once (occupancy); each thread goes on in strides of the grid.
// Price: a loop in each thread.
__global__ void grid_stride_kernel(const Real* x, Real* energy, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) energy[i] = energy_of(x[i]);
}

void grid_stride(const Real* x, Real* energy, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), x, energy, n);
}

// Above: each access of a thread moves one element, 4 or 8 bytes.
// Here: 128 bits per access: fewer instructions for the memory, and several independent elements
// whose arithmetic overlaps (instruction-level parallelism).
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
__global__ void wide_kernel(const Real* x, Real* energy, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t i = v * Wide::lanes;
    Wide values = load_wide(x + i);
    for (Real& value : values.lane) value = energy_of(value);
    store_wide(energy + i, values);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride)
    energy[i] = energy_of(x[i]);
}

void wide(const Real* x, Real* energy, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), x, energy, n);
}

/// Not inlined: what is hardly ever needed shall not take registers from what always is.
__device__ __noinline__ Real energy_by_library(Real x) { return energy_of(x); }

/// Of a whole vector: without branches where all of it is within reach.
__device__ void replace_by_energy(Wide& values) {
  bool within_reach = true;
  for (const Real value : values.lane) within_reach = within_reach && in_reach(value);
  if (within_reach) {
    for (Real& value : values.lane) value = branch_free_energy(value);
  } else {
    for (Real& value : values.lane) value = energy_by_library(value);
  }
}

// Above: the library's sine and exponential, for any argument: dozens of instructions, branches.
// Here: two short polynomials without branches, in half of the instructions (f32: the exponential
// by one of the special function unit). Price: right up to |x| = 100 000; a vector with a larger
// one, or a NaN, takes the library's.
__global__ void branch_free_kernel(const Real* x, Real* energy, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  for (std::size_t v = first; v < vectors; v += stride) {
    const std::size_t i = v * Wide::lanes;
    Wide values = load_wide(x + i);
    replace_by_energy(values);
    store_wide(energy + i, values);
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride)
    energy[i] = energy_by_library(x[i]);
}

void branch_free(const Real* x, Real* energy, std::size_t n) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(branch_free_kernel, bench::cuda::fill_device(branch_free_kernel, threads, block), x,
         energy, n);
}

// Above: each thread asks for its next vector only once the last one has come and is stored.
// Here: four elements per thread and no loop: where a block is done, the next one begins. (Why that
// is faster is not settled; what is on its way at any time lies closer together in memory.)
// Price: many small blocks to start; with 64 threads each, an H200 could not start enough of them.
constexpr unsigned small_block = 128;

__global__ void no_loop_kernel(const Real* x, Real* energy, std::size_t n) {
  constexpr unsigned vectors = 4 / Wide::lanes;
  const std::size_t first =
      (std::size_t{blockIdx.x} * blockDim.x * vectors + threadIdx.x) * Wide::lanes;
  const std::size_t step = blockDim.x * Wide::lanes;
  if (first + (vectors - 1) * step + Wide::lanes <= n) {
    Wide values[vectors];
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) values[k] = load_wide(x + first + k * step);
    BENCH_UNROLL for (unsigned k = 0; k < vectors; ++k) {
      replace_by_energy(values[k]);
      store_wide(energy + first + k * step, values[k]);
    }
  } else {
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t i = first + k / Wide::lanes * step + k % Wide::lanes;
      if (i < n) energy[i] = energy_by_library(x[i]);
    }
  }
}

void no_loop(const Real* x, Real* energy, std::size_t n) {
  launch(no_loop_kernel, bench::cuda::per_element((n + 3) / 4, small_block), x, energy, n);
}

// Above: with the transfers, the bus waits for the kernel and the kernel for the bus, and only one
// direction of the bus is busy.
// Here: chunks in several streams: one arrives while another is worked on and a third leaves.
// Price: a kernel and transfers to start for each chunk; the first one's way in and the last one's
// way out are still waited for.
void overlapped(const Real* x, Real* energy, std::size_t n) {
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    no_loop(x + chunk.first, energy + chunk.first, chunk.count);
    download(energy + chunk.first, chunk.count);
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
      {"branch_free", "sine and exponential without branches, in half of the instructions",
       branch_free},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::energy

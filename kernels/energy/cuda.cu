// energy on a GPU: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: 8 bytes per element in f32, a sine, a square root and an exponential. GPU memory delivers
// a few hundred elements per nanosecond, and each costs dozens of instructions. The two take about
// equal time, except in f64 on a GPU with few f64 units. First all of the GPU must be busy. Then
// the number of instructions per element matters.

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

// Change: the CPU's loop on one GPU thread, the launch [1, 1] of a first lesson.
// Cost: all other threads are idle, and one thread alone is far slower than a CPU core.
__global__ void one_thread_kernel(const Real* x, Real* energy, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

void one_thread(const Real* x, Real* energy, std::size_t n) {
  launch(one_thread_kernel, {1, 1}, x, energy, n);
}

// Before: one element is computed at a time.
// Change: as many threads as are resident, each with a contiguous piece, as on a CPU.
// Cost: uncoalesced: the 32 threads of a warp access 32 distant cache lines at a time. Each access
// uses one element of a line.
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

// Before: neighbouring threads are a whole piece apart.
// Change: one thread per element, in blocks of 256. Neighbouring threads access neighbouring
// addresses, which the hardware coalesces into few wide transactions.
// Cost: one block start for only 256 elements.
__global__ void one_per_element_kernel(const Real* x, Real* energy, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) energy[i] = energy_of(x[i]);
}

void one_per_element(const Real* x, Real* energy, std::size_t n) {
  launch(one_per_element_kernel, bench::cuda::per_element(n, block), x, energy, n);
}

// Before: one thread per element; each block exits after a single element per thread.
// Change: launch only as many blocks as are resident at once; each thread loops with a grid stride.
// Cost: blocks drift apart, so that what they access at a time is far apart, too (see no_loop).
__global__ void grid_stride_kernel(const Real* x, Real* energy, std::size_t n) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = first; i < n; i += stride) energy[i] = energy_of(x[i]);
}

void grid_stride(const Real* x, Real* energy, std::size_t n) {
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), x, energy, n);
}

// Before: each access of a thread moves one element, 4 or 8 bytes.
// Change: 128 bits per access: fewer memory instructions, and independent elements whose arithmetic
// overlaps (instruction-level parallelism).
// Cost: needs 16-byte alignment; the remainder is processed element by element.
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

/// A call that is not inlined, so that this rare path takes no registers from the common one.
__device__ __noinline__ Real energy_by_library(Real x) { return energy_of(x); }

/// The energy of a whole vector: branch-free if all its elements are within reach.
__device__ void replace_by_energy(Wide& values) {
  bool within_reach = true;
  for (const Real value : values.lane) within_reach = within_reach && in_reach(value);
  if (within_reach) {
    for (Real& value : values.lane) value = branch_free_energy(value);
  } else {
    for (Real& value : values.lane) value = energy_by_library(value);
  }
}

// Before: the library's sine and exponential, for any argument: dozens of instructions, with
// branches.
// Change: short polynomials without branches, with half of the instructions (branch_free.cuh).
// Cost: valid up to |x| = 100 000. A vector with a larger element or a NaN takes the library's
// path.
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

// Change: four elements per thread and no loop; copy's no_loop explains it.
// Cost: many small blocks.
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

// Before: with transfers, bus and kernel wait for each other, and one direction of the bus is idle.
// Change: chunks in several streams: one arrives while another is computed and a third leaves.
// Cost: one launch and its transfers per chunk; the first upload and the last download are not
// overlapped.
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
      {"one_thread", "the naive loop on a single GPU thread, deliberately slow", one_thread,
       1'000'000},
      {"uncoalesced", "one contiguous chunk per thread, as on a CPU: 32 lines per access",
       uncoalesced},
      {"one_per_element", "one thread per element, coalesced", one_per_element},
      {"grid_stride", "one wave of resident blocks, with a grid-stride loop", grid_stride},
      {"wide", "128 bits per access, several elements at a time", wide},
      {"branch_free", "sine and exponential without branches, with half of the instructions",
       branch_free},
      {"no_loop", "four elements per thread, no loop", no_loop},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::energy

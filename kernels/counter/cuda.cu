// counter on a GPU: how many x[i] < ½.
//
// It only reads its input: 4 bytes per element in f32. About half of all threads want to add 1 to
// the same counter in GPU memory. One addition in the program is a load, an addition and a store.
// Other threads can interleave (a data race) unless it is atomic, and atomic additions to one
// address are serialised (contention). The fewer threads meet there, the sooner memory bandwidth is
// the limit.

#include "harness/cuda/kernel.hpp"
#include "kernels/block_reduce.hpp"
#include "kernels/counter/counter.hpp"

namespace kernels::counter {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::LaneMask;
using bench::cuda::lanes_in;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::upload;
using bench::cuda::warp_lanes;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;

// Change: one thread per element. A thread that finds x[i] < ½ loads the counter, adds 1 and stores
// it back.
// Cost: wrong. Thousands of threads load the same value before the first of them stores the next
// one: nearly all counts are lost.
__global__ void race_kernel(const Real* x, std::size_t n, Real threshold, Count* count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && x[i] < threshold) {
    bench::cuda::unordered_store(*count, bench::cuda::unordered_load(*count) + 1);
  }
}

void race(const Real* x, std::size_t n, Real threshold, Count* count) {
  bench::cuda::zero(count, 1);
  launch(race_kernel, bench::cuda::per_element(n, block), x, n, threshold, count);
}

// Before: other threads interleave between the load and the store (a data race).
// Change: an atomic addition.
// Cost: all threads contend for one address. (Since each lane adds 1, compilers may let one lane
// add for its whole warp.)
__global__ void global_atomics_kernel(const Real* x, std::size_t n, Real threshold, Count* count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && x[i] < threshold) atomicAdd(count, 1U);
}

void global_atomics(const Real* x, std::size_t n, Real threshold, Count* count) {
  bench::cuda::zero(count, 1);
  launch(global_atomics_kernel, bench::cuda::per_element(n, block), x, n, threshold, count);
}

// Before: up to 32 atomic additions per warp. A compiler that aggregates them makes both variants
// the same.
// Change: warp-aggregated atomics: the lanes vote (ballot), and the first one adds the number of
// votes.
// Cost: all lanes must vote, also those past the end.
__global__ void warp_votes_kernel(const Real* x, std::size_t n, Real threshold, Count* count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool small = i < n && x[i] < threshold;
  const auto [lane, lanes, mask] = bench::cuda::lanes_of_warp();
  const LaneMask votes = __ballot_sync(mask, small);
  if (lane == 0 && votes != 0) atomicAdd(count, lanes_in(votes));
}

void warp_votes(const Real* x, std::size_t n, Real threshold, Count* count) {
  bench::cuda::zero(count, 1);
  launch(warp_votes_kernel, bench::cuda::per_element(n, block), x, n, threshold, count);
}

/// Adds the counts of a block's threads, by one atomic addition.
__device__ void add_of_block(Count counted, Count* count) {
  counted = block_reduce(counted);
  if (threadIdx.x == 0) atomicAdd(count, counted);
}

// Before: one atomic addition for every 32 elements.
// Change: only as many blocks as are resident. Each thread counts many elements in a register, and
// the block reduces its counts before one atomic addition.
// Cost: the reduction, with its barrier.
__global__ void grid_stride_kernel(const Real* x, std::size_t n, Real threshold, Count* count) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  Count counted = 0;
  for (std::size_t i = first; i < n; i += stride) counted += x[i] < threshold ? 1U : 0U;
  add_of_block(counted, count);
}

void grid_stride(const Real* x, std::size_t n, Real threshold, Count* count) {
  bench::cuda::zero(count, 1);
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), x, n,
         threshold, count);
}

__device__ Count count_wide(const Wide& wide, Real threshold) {
  Count counted = 0;
  for (const Real value : wide.lane) counted += value < threshold ? 1U : 0U;
  return counted;
}

// Before: each load moves one element, and the next one waits until it is counted.
// Change: 128 bits per load, four independent loads in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Real* x, std::size_t n, Real threshold, Count* count) {
  constexpr std::size_t at_once = 4;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  Count counted = 0;
  std::size_t v = first;
  for (; v + (at_once - 1) * stride < vectors; v += at_once * stride) {
    Wide loaded[at_once];
    for (std::size_t k = 0; k < at_once; ++k)
      loaded[k] = load_wide(x + (v + k * stride) * Wide::lanes);
    for (const Wide& wide : loaded) counted += count_wide(wide, threshold);
  }
  for (; v < vectors; v += stride) counted += count_wide(load_wide(x + v * Wide::lanes), threshold);
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) {
    counted += x[i] < threshold ? 1U : 0U;
  }
  add_of_block(counted, count);
}

void add_wide(const Real* x, std::size_t n, Real threshold, Count* count) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), x, n, threshold,
         count);
}

void wide(const Real* x, std::size_t n, Real threshold, Count* count) {
  bench::cuda::zero(count, 1);
  add_wide(x, n, threshold, count);
}

// Before: with transfers, the kernel starts when the last element has arrived.
// Change: chunks in several streams: one arrives while those before it are counted, all with the
// same counter.
// Cost: one launch per chunk. The kernel of the last chunk is not overlapped.
void overlapped(const Real* x, std::size_t n, Real threshold, Count* count) {
  bench::cuda::zero(count, 1);
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    add_wide(x + chunk.first, chunk.count, threshold, count);
  });
  download(count, 1);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"race", "a load, an addition and a store: nearly all counts are lost", race, bench::any_size,
       bench::kernel_only, bench::wrong_on_purpose},
      {"global_atomics", "one thread per element, atomic additions to one counter", global_atomics},
      {"warp_votes", "the lanes of a warp vote, one of them adds", warp_votes},
      {"grid_stride", "counts in registers, one atomic per block", grid_stride},
      {"wide", "128 bits per load, four loads in flight", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::counter

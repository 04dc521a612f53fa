// sum_of_squares on a GPU: Σ x², in float64.
//
// 4 bytes and two operations per element in f32, and one number at the end. To be memory bound,
// many loads must be in flight, and few threads may contend. All totals go to one address, where
// atomic additions are serialised (contention). The variants add up more and more before that. Some
// GPUs have one f64 unit for 64 of f32: there the additions are a limit of their own.

#include "harness/cuda/kernel.hpp"
#include "kernels/block_reduce.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace kernels::sum_of_squares {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Real>;

constexpr unsigned block = 256;
constexpr unsigned most_threads = 1024;  // of any block

__device__ double square(Real x) {
  const double wide = x;
  return wide * wide;
}

// Change: one thread per element; each adds its square to the sum in GPU memory, atomically.
// Cost: all threads contend for one address, and their additions are serialised.
__global__ void global_atomics_kernel(const Real* x, std::size_t n, double* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, square(x[i]));
}

void global_atomics(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  bench::cuda::zero(sum, 1);
  launch(global_atomics_kernel, bench::cuda::per_element(n, block), x, n, sum);
}

/// The sum over all threads of a block, in its first thread, by a tree.
__device__ double sum_by_tree(double total) {
  __shared__ double totals[most_threads];
  totals[threadIdx.x] = total;
  __syncthreads();
  for (unsigned left = blockDim.x; left > 1;) {
    const unsigned half = (left + 1) / 2;
    if (threadIdx.x + half < left) totals[threadIdx.x] += totals[threadIdx.x + half];
    __syncthreads();
    left = half;
  }
  return totals[0];
}

// Before: one atomic addition per element, all to the same address.
// Change: a tree: the squares of a block are added in pairs in shared memory. One atomic addition
// per block.
// Cost: a barrier after each of the log2 steps, in which ever fewer threads have work.
__global__ void shared_tree_kernel(const Real* x, std::size_t n, double* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const double total = sum_by_tree(i < n ? square(x[i]) : 0);
  if (threadIdx.x == 0) atomicAdd(sum, total);
}

void shared_tree(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  bench::cuda::zero(sum, 1);
  launch(shared_tree_kernel, bench::cuda::per_element(n, block), x, n, sum);
}

// Before: a tree with all its barriers for one element per thread.
// Change: only as many blocks as are resident. Each thread adds many squares in a register before
// its block's only tree.
// Cost: one load of one element is in flight per thread: too few bytes for a fast memory (Little's
// law).
__global__ void grid_stride_kernel(const Real* x, std::size_t n, double* sum) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  double total = 0;
  for (std::size_t i = first; i < n; i += stride) total += square(x[i]);
  total = sum_by_tree(total);
  if (threadIdx.x == 0) atomicAdd(sum, total);
}

void grid_stride(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  bench::cuda::zero(sum, 1);
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), x, n, sum);
}

// Before: each step of the tree uses shared memory and is a barrier for the whole block.
// Change: the lanes of a warp exchange registers (shuffle). Only one number per warp goes through
// shared memory, and the first warp reduces those (../block_reduce.hpp).
// Cost: compiled for one size of warps.
__global__ void warp_shuffle_kernel(const Real* x, std::size_t n, double* sum) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  double total = 0;
  for (std::size_t i = first; i < n; i += stride) total += square(x[i]);
  total = block_reduce(total);
  if (threadIdx.x == 0) atomicAdd(sum, total);
}

void warp_shuffle(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  bench::cuda::zero(sum, 1);
  launch(warp_shuffle_kernel, bench::cuda::fill_device(warp_shuffle_kernel, n, block), x, n, sum);
}

// Before: blocks add to one address in any order, so the last digits differ between runs.
// Change: each block stores its total, and a second kernel adds the totals in a fixed order.
// Cost: two launches, and a workspace.
__global__ void fixed_order_kernel(const Real* x, std::size_t n, double* partial) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  double total = 0;
  for (std::size_t i = first; i < n; i += stride) total += square(x[i]);
  total = block_reduce(total);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

__global__ void add_partials_kernel(const double* partial, std::size_t count, double* sum) {
  double total = 0;
  for (std::size_t i = threadIdx.x; i < count; i += blockDim.x) total += partial[i];
  total = block_reduce(total);
  if (threadIdx.x == 0) sum[0] = total;
}

/// One thread per element, as far as they are resident and the workspace has room for the totals of
/// their blocks.
template <class... P>
bench::cuda::Configuration with_partials(void (*kernel)(P...), std::size_t n) {
  auto shape = bench::cuda::fill_device(kernel, n, block);
  if (shape.grid.x > partials) shape.grid.x = partials;
  return shape;
}

void fixed_order(const Real* x, std::size_t n, double* sum, double* partial) {
  const auto shape = with_partials(fixed_order_kernel, n);
  launch(fixed_order_kernel, shape, x, n, partial);
  launch(add_partials_kernel, {1, block}, partial, shape.grid.x, sum);
}

__device__ Real sum_of_wide(const Wide& wide) {
  Real squares = 0;
  for (const Real value : wide.lane) squares += value * value;
  return squares;
}

/// The calling thread's part of the sum, four vectors at a time: 16 squares of f32 are added as
/// floats before they become a double.
__device__ double sum_of_vectors(const Real* x, std::size_t n) {
  constexpr std::size_t at_once = 4;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  double total = 0;
  std::size_t v = first;
  for (; v + (at_once - 1) * stride < vectors; v += at_once * stride) {
    Wide loaded[at_once];
    for (std::size_t k = 0; k < at_once; ++k)
      loaded[k] = load_wide(x + (v + k * stride) * Wide::lanes);
    Real squares = 0;
    for (const Wide& wide : loaded) squares += sum_of_wide(wide);
    total += squares;
  }
  for (; v < vectors; v += stride) total += sum_of_wide(load_wide(x + v * Wide::lanes));
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) total += square(x[i]);
  return total;
}

/// One thread per vector, and one for each element of the remainder.
std::size_t threads_for(std::size_t n) { return n / Wide::lanes + Wide::lanes; }

// Before: each load moves one element and waits for its use; each element is an f64 addition.
// Change: 128 bits per load, four in flight; 16 floats become one double.
// Cost: needs 16-byte alignment; in f32 squares beyond 3e38 overflow.
__global__ void wide_kernel(const Real* x, std::size_t n, double* partial) {
  const double total = block_reduce(sum_of_vectors(x, n));
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

void wide(const Real* x, std::size_t n, double* sum, double* partial) {
  const auto shape = with_partials(wide_kernel, threads_for(n));
  launch(wide_kernel, shape, x, n, partial);
  launch(add_partials_kernel, {1, block}, partial, shape.grid.x, sum);
}

// Before: with transfers, the kernel starts when the last element has arrived.
// Change: chunks in several streams: one arrives while those before it are added up.
// Cost: one launch per chunk. Kernels of several chunks run at the same time and cannot share the
// workspace, so each block adds atomically again, and the last digits may differ.
__global__ void wide_chunk_kernel(const Real* x, std::size_t n, double* sum) {
  const double total = block_reduce(sum_of_vectors(x, n));
  if (threadIdx.x == 0) atomicAdd(sum, total);
}

void overlapped(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  bench::cuda::zero(sum, 1);
  in_chunks(n, sizeof(Real), [=](Chunk chunk) {
    upload(x + chunk.first, chunk.count);
    launch(wide_chunk_kernel,
           bench::cuda::fill_device(wide_chunk_kernel, threads_for(chunk.count), block),
           x + chunk.first, chunk.count, sum);
  });
  download(sum, 1);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> cuda<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"global_atomics", "one thread per element, one atomic addition each", global_atomics,
       100'000'000},
      {"shared_tree", "a block adds its squares in shared memory: one atomic per block",
       shared_tree},
      {"grid_stride", "one wave of resident blocks, many squares per thread", grid_stride},
      {"warp_shuffle", "warp shuffles: totals stay in registers", warp_shuffle},
      {"fixed_order", "totals of blocks added by a second kernel: the same digits each run",
       fixed_order},
      {"wide", "128 bits per load, four loads in flight", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::sum_of_squares

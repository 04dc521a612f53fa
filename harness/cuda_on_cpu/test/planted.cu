// Kernels each with one bug, the usual ones; where `sound`, it is put right.

#include "harness/cuda/kernel.hpp"

namespace {

using Wide = bench::cuda::Wide<Real>;

constexpr unsigned tile_size = 64;

__device__ std::size_t own_index() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

// Missing barrier: each block turns its elements around.
__global__ void turn(const Real* x, Real* out, bool sound) {
  __shared__ Real tile[tile_size];
  const std::size_t i = own_index();
  tile[threadIdx.x] = x[i];
  if (sound) __syncthreads();
  out[i] = tile[blockDim.x - 1 - threadIdx.x];
}

// Missing __syncwarp: each warp turns its elements around.
__global__ void turn_warp(const Real* x, Real* out, bool sound) {
  __shared__ Real tile[tile_size];
  const std::size_t i = own_index();
  tile[threadIdx.x] = x[i];
  if (sound) __syncwarp();
  out[i] = tile[threadIdx.x ^ 31U];
}

// Missing barrier between the rounds of a loop: the sum of each block.
__global__ void halve(const Real* x, Real* sums, bool sound) {
  __shared__ Real tile[tile_size];
  tile[threadIdx.x] = x[own_index()];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
    if (sound) __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

// Shared memory is not zeroed: each block counts its elements below and from `limit`.
__global__ void count_sides(const Real* x, unsigned* counts, Real limit, bool sound) {
  auto* table = bench::cuda::dynamic_shared<unsigned>();
  if (sound && threadIdx.x < 2) table[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&table[x[own_index()] < limit ? 0 : 1], 1U);
  __syncthreads();
  if (threadIdx.x < 2) counts[2 * blockIdx.x + threadIdx.x] = table[threadIdx.x];
}

// An update that is not atomic, within a block: counts the block's elements from `limit`.
__global__ void count_in_block(const Real* x, unsigned* counts, Real limit, bool sound) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (x[own_index()] >= limit) {
    if (sound) {
      atomicAdd(&count, 1U);
    } else {
      ++count;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// An update that is not atomic, across blocks: barriers order nothing between them.
__global__ void add_up(const Real* x, Real* sum, bool sound) {
  __syncthreads();
  if (threadIdx.x == 0) {
    if (sound) {
      atomicAdd(sum, x[blockIdx.x]);
    } else {
      *sum += x[blockIdx.x];
    }
  }
  __syncthreads();
}

// Off by one: one element too many.
__global__ void double_too_many(const Real* x, Real* out, std::size_t n, bool sound) {
  const std::size_t i = own_index();
  if (sound ? i < n : i <= n) out[i] = x[i < n ? i : 0] * 2;
}

// Off by one: one element too few.
__global__ void double_too_few(const Real* x, Real* out, std::size_t n, bool sound) {
  const std::size_t i = own_index();
  if (sound ? i < n : i + 1 < n) out[i] = x[i] * 2;
}

// The tail of a wide loop is missing.
__global__ void copy_wide(const Real* x, Real* out, std::size_t n, bool sound) {
  const std::size_t i = own_index();
  const std::size_t vectors = n / Wide::lanes;
  if (i < vectors) reinterpret_cast<Wide*>(out)[i] = reinterpret_cast<const Wide*>(x)[i];
  const std::size_t tail = vectors * Wide::lanes + i;
  if (sound && tail < n) out[tail] = x[tail];
}

// Wide access to a misaligned address: out[i] = x[i + 1].
__global__ void shift_wide(const Real* x, Real* out, bool sound) {
  const std::size_t first = own_index() * Wide::lanes;
  if (sound) {
    for (std::size_t k = 0; k < Wide::lanes; ++k) out[first + k] = x[first + k + 1];
  } else {
    bench::cuda::store_wide(out + first, bench::cuda::load_wide(x + first + 1));
  }
}

// A thread returns before a barrier: turn() where the last block is not full.
__global__ void turn_some(const Real* x, Real* out, std::size_t n, bool sound) {
  __shared__ Real tile[tile_size];
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  const std::size_t size = n - first < blockDim.x ? n - first : blockDim.x;
  if (!sound && threadIdx.x >= size) return;
  if (threadIdx.x < size) tile[threadIdx.x] = x[first + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < size) out[first + threadIdx.x] = tile[size - 1 - threadIdx.x];
}

// Reads past an array in the device's memory: differences of neighbours, 0 at the end.
__global__ void differences(const Real* x, Real* out, std::size_t n, bool sound) {
  const std::size_t i = own_index();
  if (i >= n) return;
  const Real next = sound && i + 1 == n ? x[i] : x[i + 1];
  out[i] = next - x[i];
}

// Writes past a shared array: the block turns its elements from place 1 on.
__global__ void turn_behind(const Real* x, Real* out, bool sound) {
  __shared__ Real tile[tile_size];
  Real* place = tile + (sound ? 0 : 1);
  place[threadIdx.x] = x[own_index()];
  __syncthreads();
  out[own_index()] = place[blockDim.x - 1 - threadIdx.x];
}

// The same in dynamic shared memory.
__global__ void turn_behind_dynamic(const Real* x, Real* out, bool sound) {
  Real* place = bench::cuda::dynamic_shared<Real>() + (sound ? 0 : 1);
  place[threadIdx.x] = x[own_index()];
  __syncthreads();
  out[own_index()] = place[blockDim.x - 1 - threadIdx.x];
}

}  // namespace

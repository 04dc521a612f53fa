// read on a GPU: the exclusive or of all words of the input.
//
// 4 bytes per element in f32, and one word written at the end: the bandwidth reference of workloads
// that only read. All threads contend for that word. The variants differ in how often, and in how
// many bytes they keep in flight.

#include "harness/cuda/kernel.hpp"
#include "kernels/block_reduce.hpp"
#include "kernels/read/read.hpp"

namespace kernels::read {
namespace {

using bench::cuda::Chunk;
using bench::cuda::download;
using bench::cuda::in_chunks;
using bench::cuda::launch;
using bench::cuda::load_wide;
using bench::cuda::upload;
using Wide = bench::cuda::Wide<Word>;

constexpr unsigned block = 256;
constexpr unsigned most_threads = 1024;  // of any block

struct Xor {
  __device__ Word operator()(Word a, Word b) const { return a ^ b; }
};

// Change: a grid-stride loop in as many threads as are resident; each joins its bits to the result
// atomically.
// Cost: all threads contend for one word. The compiler reduces within a warp first, since compute
// capability 8.0 by one instruction.
__global__ void grid_stride_kernel(const Word* in, std::size_t n, Word* out) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  Word bits = 0;
  for (std::size_t i = first; i < n; i += stride) bits ^= in[i];
  atomicXor(out, bits);
}

void grid_stride(const Word* in, std::size_t n, Word* out) {
  bench::cuda::zero(out, 1);
  launch(grid_stride_kernel, bench::cuda::fill_device(grid_stride_kernel, n, block), in, n, out);
}

// Before: one atomic operation per thread.
// Change: the threads of a block join their bits in shared memory: one atomic operation per block.
// Cost: barriers, at which the block waits for its slowest thread.
__global__ void per_block_kernel(const Word* in, std::size_t n, Word* out) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  Word bits = 0;
  for (std::size_t i = first; i < n; i += stride) bits ^= in[i];
  __shared__ Word joined;
  if (threadIdx.x == 0) joined = 0;
  __syncthreads();
  atomicXor(&joined, bits);
  __syncthreads();
  if (threadIdx.x == 0) atomicXor(out, joined);
}

void per_block(const Word* in, std::size_t n, Word* out) {
  bench::cuda::zero(out, 1);
  launch(per_block_kernel, bench::cuda::fill_device(per_block_kernel, n, block), in, n, out);
}

// Before: the warps of a block contend for one word of shared memory.
// Change: a tree: threads join in pairs, half as many in each step, without contention.
// Cost: a barrier for the whole block after each of the log2 steps.
__global__ void tree_kernel(const Word* in, std::size_t n, Word* out) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  Word bits = 0;
  for (std::size_t i = first; i < n; i += stride) bits ^= in[i];
  __shared__ Word words[most_threads];
  words[threadIdx.x] = bits;
  __syncthreads();
  for (unsigned left = blockDim.x; left > 1;) {
    const unsigned half = (left + 1) / 2;
    if (threadIdx.x + half < left) words[threadIdx.x] ^= words[threadIdx.x + half];
    __syncthreads();
    left = half;
  }
  if (threadIdx.x == 0) atomicXor(out, words[0]);
}

void tree(const Word* in, std::size_t n, Word* out) {
  bench::cuda::zero(out, 1);
  launch(tree_kernel, bench::cuda::fill_device(tree_kernel, n, block), in, n, out);
}

// Before: words go through shared memory, and the whole block waits for each step.
// Change: the lanes of a warp exchange registers (shuffle), without memory or barriers: one atomic
// operation per warp.
// Cost: as many atomic operations as warps. (The compiler makes the same of the first variant, but
// not every operation has such an instruction.)
__global__ void shuffle_kernel(const Word* in, std::size_t n, Word* out) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  Word bits = 0;
  for (std::size_t i = first; i < n; i += stride) bits ^= in[i];
  bits = warp_reduce<Xor>(bits);
  if (threadIdx.x % warpSize == 0) atomicXor(out, bits);
}

void shuffle(const Word* in, std::size_t n, Word* out) {
  bench::cuda::zero(out, 1);
  launch(shuffle_kernel, bench::cuda::fill_device(shuffle_kernel, n, block), in, n, out);
}

// Before: each load moves 4 bytes, and the next one waits until it is used.
// Change: 128 bits per load, four independent loads in flight.
// Cost: needs 16-byte alignment; the remainder is processed element by element.
__global__ void wide_kernel(const Word* in, std::size_t n, Word* out) {
  constexpr std::size_t at_once = 4;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = n / Wide::lanes;
  Word bits = 0;
  std::size_t v = first;
  for (; v + (at_once - 1) * stride < vectors; v += at_once * stride) {
    Wide loaded[at_once];
    for (std::size_t k = 0; k < at_once; ++k)
      loaded[k] = load_wide(in + (v + k * stride) * Wide::lanes);
    for (const Wide& wide : loaded) {
      for (std::size_t lane = 0; lane < Wide::lanes; ++lane) bits ^= wide.lane[lane];
    }
  }
  for (; v < vectors; v += stride) {
    const Wide wide = load_wide(in + v * Wide::lanes);
    for (std::size_t lane = 0; lane < Wide::lanes; ++lane) bits ^= wide.lane[lane];
  }
  for (std::size_t i = vectors * Wide::lanes + first; i < n; i += stride) bits ^= in[i];
  bits = warp_reduce<Xor>(bits);
  if (threadIdx.x % warpSize == 0) atomicXor(out, bits);
}

void join_wide(const Word* in, std::size_t n, Word* out) {
  const std::size_t threads = n / Wide::lanes + Wide::lanes;
  launch(wide_kernel, bench::cuda::fill_device(wide_kernel, threads, block), in, n, out);
}

void wide(const Word* in, std::size_t n, Word* out) {
  bench::cuda::zero(out, 1);
  join_wide(in, n, out);
}

// Before: with transfers, the kernel starts when the last element has arrived.
// Change: chunks in several streams: one arrives while those before it are read; all join their
// bits in the same word.
// Cost: one launch per chunk. The kernel of the last chunk is not overlapped.
void overlapped(const Word* in, std::size_t n, Word* out) {
  bench::cuda::zero(out, 1);
  in_chunks(n, sizeof(Word), [=](Chunk chunk) {
    upload(in + chunk.first, chunk.count);
    join_wide(in + chunk.first, chunk.count, out);
  });
  download(out, 1);
}

}  // namespace

template <>
bench::Ladder<Kernel> cuda<Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"grid_stride", "one wave of resident blocks, one atomic per thread", grid_stride},
      {"per_block", "reduced in shared memory: one atomic per block", per_block},
      {"tree", "a tree in shared memory: no contention", tree},
      {"shuffle", "warp shuffles in registers: one atomic per warp", shuffle},
      {"wide", "128 bits per load, four loads in flight", wide},
      {"overlapped", "chunks: transfers overlap with kernels", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::read

// read on a GPU: the exclusive or of all words of the input.
//
// 4 bytes per element in f32, and one word written at the end: the bandwidth reference of workloads
// that only read. All threads must meet in that word (contention); the rungs differ in how often,
// and in how many bytes each keeps in flight.

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

// Here: as many threads as the device holds, each in strides; each adds its bits atomically.
// Price: all of them meet in one word; the compiler joins those of a warp first, by one instruction
// since compute capability 8.0.
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

// Above: one atomic operation per thread.
// Here: the threads of a block join their bits in shared memory; one atomic operation per block.
// Price: a few steps at which the block waits for its slowest thread.
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

// Above: the warps of a block meet in one word of its shared memory.
// Here: they join in pairs, half as many in each step (a tree): no two meet.
// Price: a barrier for the whole block after each of the log2 steps.
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

// Above: words go through shared memory, and the whole block waits for each step.
// Here: the lanes of a warp hand their bits to each other in registers (shuffle): no memory and no
// barrier; one atomic operation per warp.
// Price: as many atomic operations on the one word as there are warps. (What the compiler makes of
// the first rung, by hand: not every operation has such an instruction.)
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

// Above: each load of a thread moves 4 bytes, and the next one waits until it is used.
// Here: 128 bits per load, four independent loads in flight at once.
// Price: arrays aligned to 16 bytes; what does not fill a vector at the end is done one by one.
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

// Above: with the transfers, the kernel begins when the last element has arrived.
// Here: chunks in several streams: one arrives while those before it are read; all of them join
// their bits in the same word.
// Price: a kernel for each chunk; the last one is still waited for.
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
      {"grid_stride", "as many blocks as the device holds, one atomic per thread", grid_stride},
      {"per_block", "joined in shared memory: one atomic per block", per_block},
      {"tree", "joined in pairs in shared memory: no two threads meet", tree},
      {"shuffle", "joined in the registers of a warp: one atomic per warp", shuffle},
      {"wide", "128 bits per load, four loads in flight", wide},
      {"overlapped", "chunks: transfers and kernels at the same time", overlapped, bench::any_size,
       bench::with_transfers},
  };
  return ladder;
}

}  // namespace kernels::read

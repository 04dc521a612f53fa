// Cooperative groups of user kernels on the CPU: the block, its tiles, the lanes that are together,
// and what they add up. The grid is in cuda_runtime.hpp.
#pragma once

#include "harness/cuda_on_cpu/language.h"

namespace cooperative_groups {

using bench::cuda::stand_in::lane;
using bench::cuda::stand_in::LaneMask;

/// All threads of a block.
struct thread_block {
  static void sync() { __syncthreads(); }
  static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
  static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

/// Lanes of a warp, by a mask: those of a tile, or those that came here together.
class lanes_of_a_warp {
 public:
  explicit lanes_of_a_warp(LaneMask mask) : mask_(mask) {}

  void sync() const { __syncwarp(mask_); }
  unsigned size() const { return static_cast<unsigned>(__popcll(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return static_cast<unsigned>(__popcll(mask_ & ((LaneMask{1} << lane()) - 1)));
  }
  template <class T>
  T shfl(T value, unsigned rank) const {
    return from(value, rank % size());
  }
  template <class T>
  T shfl_down(T value, unsigned distance) const {
    const unsigned rank = thread_rank() + distance;
    return from(value, rank < size() ? rank : thread_rank());
  }
  template <class T>
  T shfl_up(T value, unsigned distance) const {
    return from(value, thread_rank() < distance ? thread_rank() : thread_rank() - distance);
  }
  int any(int predicate) const { return __any_sync(mask_, predicate); }
  int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// A bit for each rank.
  LaneMask ballot(int predicate) const {
    const LaneMask lanes = __ballot_sync(mask_, predicate);
    LaneMask ranks = 0;
    for (unsigned rank = 0; rank < size(); ++rank) ranks |= (lanes >> lane_of(rank) & 1U) << rank;
    return ranks;
  }

 private:
  unsigned lane_of(unsigned rank) const {
    LaneMask left = mask_;
    for (; rank > 0; --rank) left &= left - 1;
    return static_cast<unsigned>(__ffsll(left)) - 1;
  }
  template <class T>
  T from(T value, unsigned rank) const {
    return __shfl_sync(mask_, value, static_cast<int>(lane_of(rank)));
  }

  LaneMask mask_;
};

using coalesced_group = lanes_of_a_warp;
[[gnu::noinline]] inline coalesced_group coalesced_threads() {
  return coalesced_group(
      static_cast<LaneMask>(bench::cuda::stand_in::active_lanes(__builtin_return_address(0))));
}

/// The part of a warp that begins at a multiple of `width`; a block may end within it.
inline LaneMask mask_of_tile(unsigned width) {
  const unsigned first = lane() / width * width;
  const unsigned there = thread_block::size() - (thread_block::thread_rank() - lane() + first);
  const unsigned many = there < width ? there : width;
  return (many == warpSize ? ~LaneMask{0} : (LaneMask{1} << many) - 1) << first;
}

template <unsigned width, class Parent = thread_block>
class thread_block_tile : public lanes_of_a_warp {
  static_assert(width > 0 && width <= warpSize && (width & (width - 1)) == 0,
                "a power of two, within a warp");

 public:
  thread_block_tile() : lanes_of_a_warp(mask_of_tile(width)) {}

  template <class T>
  T shfl_xor(T value, unsigned mask) const {
    return shfl(value, thread_rank() ^ mask);
  }
  unsigned meta_group_rank() const { return thread_block::thread_rank() / width; }
  unsigned meta_group_size() const { return (thread_block::size() + width - 1) / width; }
};
template <unsigned width, class Parent>
thread_block_tile<width, Parent> tiled_partition(const Parent&) {
  return {};
}

template <class Group>
void sync(const Group& group) {
  group.sync();
}

// cooperative_groups/memcpy_async.h

/// All threads of the group copy, and have done so after wait().
template <class Group, class To, class From, class Bytes>
void memcpy_async(const Group& group, To* to, const From* from, const Bytes& bytes) {
  auto* const there = reinterpret_cast<char*>(to);
  const auto* const here = reinterpret_cast<const char*>(from);
  for (std::size_t i = group.thread_rank(); i < bytes; i += group.size()) there[i] = here[i];
}
template <class Group>
void wait(const Group& group) {
  group.sync();
}
template <unsigned, class Group>
void wait_prior(const Group& group) {
  group.sync();
}

// cooperative_groups/reduce.h

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {  // the smaller one, as in CUDA
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

/// The same in all lanes of the group.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, Operation operation) {
  T all = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    all = operation(all, group.shfl(value, rank));
  }
  return all;
}

}  // namespace cooperative_groups

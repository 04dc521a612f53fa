// What the lanes of a warp do together, what threads do to each other between two barriers, and
// shared memory that a kernel has to ask for.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "harness/cuda/kernel.hpp"
#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/test/device_array.hpp"

namespace bench::cuda::stand_in {
namespace {

constexpr unsigned block = 64;

class Warp : public testing::TestWithParam<Order> {
 protected:
  void SetUp() override {
    plug_in();
    set_order(GetParam(), 11);
  }
  void TearDown() override { unplug(); }
};
INSTANTIATE_TEST_SUITE_P(StandIn, Warp, testing::Values(Order::fixed, Order::shuffled),
                         [](const auto& test) {
                           return test.param == Order::fixed ? "fixed" : "shuffled";
                         });

// ---- shuffles and votes ----

__global__ void sum_of_warp(const double* in, double* out) {
  double sum = in[threadIdx.x];
  for (unsigned half = 16; half > 0; half /= 2) sum += __shfl_down_sync(all_lanes, sum, half);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

TEST_P(Warp, AddsUpByShufflesDown) {
  std::vector<double> in(block);
  std::iota(in.begin(), in.end(), 1.0);
  DeviceArray<double> values(in);
  DeviceArray<double> sums(2);
  run_kernel(sum_of_warp, 1, block, 0, values.data(), sums.data());
  EXPECT_EQ(sums.values(), (std::vector<double>{528, 1552}));
}

__global__ void neighbours(unsigned* across, unsigned* below, unsigned* first, unsigned* part) {
  const unsigned i = threadIdx.x;
  across[i] = __shfl_xor_sync(all_lanes, i, 1);
  below[i] = __shfl_down_sync(all_lanes, i, 3);
  first[i] = __shfl_sync(all_lanes, i, 0);
  part[i] = __shfl_sync(all_lanes, i, 9, 8);  // lane 1 of each eight
}

TEST_P(Warp, ExchangesValuesBetweenLanes) {
  DeviceArray<unsigned> across(block);
  DeviceArray<unsigned> below(block);
  DeviceArray<unsigned> first(block);
  DeviceArray<unsigned> part(block);
  run_kernel(neighbours, 1, block, 0, across.data(), below.data(), first.data(), part.data());
  for (unsigned i = 0; i < block; ++i) {
    EXPECT_EQ(across.values()[i], i ^ 1U);
    EXPECT_EQ(below.values()[i], i % 32 < 29 ? i + 3 : i) << "the last lanes keep their own";
    EXPECT_EQ(first.values()[i], i / 32 * 32);
    EXPECT_EQ(part.values()[i], i / 8 * 8 + 1);
  }
}

__global__ void sums_of_halves(const double* in, double* out) {
  const unsigned half = threadIdx.x % 32 / 16;
  double sum = in[threadIdx.x];
  // As two branches: a mask names who comes here, not the whole warp.
  if (half == 0) {
    for (unsigned step = 8; step > 0; step /= 2) sum += __shfl_down_sync(0x0000ffffU, sum, step);
  } else {
    for (unsigned step = 8; step > 0; step /= 2) sum += __shfl_down_sync(0xffff0000U, sum, step);
  }
  if (threadIdx.x % 16 == 0) out[threadIdx.x / 16] = sum;
}

TEST_P(Warp, HalvesOfItMeetByThemselves) {
  std::vector<double> in(block);
  std::iota(in.begin(), in.end(), 1.0);
  DeviceArray<double> values(in);
  DeviceArray<double> sums(4);
  run_kernel(sums_of_halves, 1, block, 0, values.data(), sums.data());
  EXPECT_EQ(sums.values(), (std::vector<double>{136, 392, 648, 904}));
}

__global__ void vote(unsigned* ballots, int* any, int* all) {
  const unsigned i = threadIdx.x;
  ballots[i] = __ballot_sync(all_lanes, i % 4 == 0 ? 1 : 0);
  any[i] = __any_sync(all_lanes, i == 40 ? 1 : 0);
  all[i] = __all_sync(all_lanes, i != 40 ? 1 : 0);
}

TEST_P(Warp, Votes) {
  DeviceArray<unsigned> ballots(block);
  DeviceArray<int> any(block);
  DeviceArray<int> all(block);
  run_kernel(vote, 1, block, 0, ballots.data(), any.data(), all.data());
  for (unsigned i = 0; i < block; ++i) {
    EXPECT_EQ(ballots.values()[i], 0x11111111U);
    EXPECT_EQ(any.values()[i] != 0, i >= 32);
    EXPECT_EQ(all.values()[i] != 0, i < 32);
  }
}

// A warp that is not full, and lanes that go their own way.
__global__ void some_lanes(unsigned* out) {
  const unsigned i = threadIdx.x;
  if (i >= 32) {
    out[i] = __shfl_xor_sync(0xFU, i, 3);
  } else if (i < 8) {
    out[i] = __ballot_sync(0xFFU, 1);
  } else {
    out[i] = 7;
  }
}

TEST_P(Warp, NeedNotBeThereAsAWhole) {
  DeviceArray<unsigned> out(36);
  run_kernel(some_lanes, 1, 36, 0, out.data());
  const std::vector<unsigned> found = out.values();
  for (unsigned i = 0; i < 36; ++i) {
    EXPECT_EQ(found[i], i < 8 ? 0xFFU : i < 32 ? 7U : 32 + ((i - 32) ^ 3U)) << i;
  }
}

__global__ void leave_early(unsigned* out) {
  if (threadIdx.x == 5) return;
  out[threadIdx.x] = __ballot_sync(all_lanes, 1);
}

__global__ void leave_oneself_out(unsigned* out) {
  out[threadIdx.x] = __ballot_sync(0xFFFFFFFEU, 1);
}

std::string failure_of(void (*kernel)(unsigned*)) {
  DeviceArray<unsigned> out(32);
  testing::internal::CaptureStderr();
  EXPECT_THROW(run_kernel(kernel, 1, 32, 0, out.data()), Refused);
  plug_in();
  return testing::internal::GetCapturedStderr();
}

TEST_P(Warp, WaitsInVainForALaneThatReturned) {
  EXPECT_EQ(failure_of(leave_early),
            "warp 0 of block (0,0,0): lanes 0xffffffdf wait for 0x20, which do not come to the "
            "shuffle, vote or __syncwarp\n");
}

TEST_P(Warp, MustNameTheLaneThatCalls) {
  EXPECT_EQ(failure_of(leave_oneself_out),
            "warp 0 of block (0,0,0): lane 0 is not in its own mask 0xfffffffe\n");
}

__global__ void leave_early_at_a_line(unsigned* out) {
  at({nullptr, 9});
  if (threadIdx.x == 5) return;
  at({"warp.cuh", 12});
  out[threadIdx.x] = __ballot_sync(all_lanes, 1);
}

TEST_P(Warp, NamesTheLineThatWasSaid) {
  EXPECT_EQ(failure_of(leave_early_at_a_line).substr(0, 20), "warp.cuh:12: warp 0 ");
}

// ---- flags ----

/// The first thread waits for the last one, and that for the one in the middle.
__global__ void pass_on(unsigned* flags) {
  if (threadIdx.x == 0) flags[3] = 1 + awaited(flags[2]);
  if (threadIdx.x == 31) publish(flags[2], 1 + awaited(flags[1]));
  if (threadIdx.x == 16) publish(flags[1], 1);
}

TEST_P(Warp, WaitsForAFlagOfAnotherThread) {
  DeviceArray<unsigned> flags(std::vector<unsigned>(4, 0));
  run_kernel(pass_on, 1, block, 0, flags.data());
  EXPECT_EQ(flags.values(), (std::vector<unsigned>{0, 1, 2, 3}));
}

__global__ void wait_and_meet(unsigned* out) {
  __shared__ unsigned flags[2];
  if (threadIdx.x < 2) flags[threadIdx.x] = 0;
  __syncthreads();
  const unsigned other = threadIdx.x / 32 == 0 ? awaited(flags[0]) : 5;
  if (threadIdx.x == 40) publish(flags[0], 7);
  out[threadIdx.x] = __shfl_sync(all_lanes, other, 3);
}

TEST_P(Warp, WaitsForAFlagBeforeAMeeting) {
  DeviceArray<unsigned> out(block);
  run_kernel(wait_and_meet, 1, block, 0, out.data());
  for (unsigned i = 0; i < block; ++i) EXPECT_EQ(out.values()[i], i < 32 ? 7U : 5U) << i;
}

/// Each block waits for that of the ticket before.
__global__ void chain(unsigned* flags) {
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(flags, 1U);
  __syncthreads();
  if (threadIdx.x != 0) return;
  publish(flags[ticket + 1], ticket == 0 ? 1 : 1 + awaited(flags[ticket]));
}

TEST_P(Warp, WaitsForBlocksThatHaveStarted) {
  DeviceArray<unsigned> flags(std::vector<unsigned>(10, 0));
  run_kernel(chain, 9, 32, 0, flags.data());
  EXPECT_EQ(flags.values(), (std::vector<unsigned>{9, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

/// A later block need not have room on the device until this one has ended.
__global__ void wait_for_a_later_block(unsigned* flags) {
  if (threadIdx.x == 0) publish(flags[blockIdx.x], 1);
  if (threadIdx.x == 5) awaited(flags[gridDim.x - 1 - blockIdx.x]);
  __syncthreads();
}

std::string failure_with_flags(void (*kernel)(unsigned*), unsigned blocks) {
  DeviceArray<unsigned> flags(std::vector<unsigned>(2, 0));
  testing::internal::CaptureStderr();
  EXPECT_THROW(run_kernel(kernel, blocks, 32, 0, flags.data()), Refused);
  plug_in();
  return testing::internal::GetCapturedStderr();
}
constexpr const char* no_thread_sets_it =
    " waits for a flag that no thread sets which has started\n";

TEST_P(Warp, WaitsInVainForABlockThatMayNotStart) {
  const std::string said = failure_with_flags(wait_for_a_later_block, 2);
  EXPECT_EQ(said.substr(0, 25), "thread (5,0,0) of block (") << said;
  EXPECT_NE(said.find(no_thread_sets_it), std::string::npos) << said;
}

__global__ void wait_for_each_other(unsigned* flags) {
  if (threadIdx.x >= 2) return;
  awaited(flags[threadIdx.x]);
  publish(flags[1 - threadIdx.x], 1);
}

TEST_P(Warp, WaitsInVainInACircle) {
  const std::string said = failure_with_flags(wait_for_each_other, 1);
  EXPECT_NE(said.find(no_thread_sets_it), std::string::npos) << said;
}

__global__ void who_is_active(unsigned* out) {
  static const char here[2] = {};
  const unsigned i = threadIdx.x;
  if (i % 32 == 3) return;
  out[i] = static_cast<LaneMask>(active_lanes(i % 32 < 16 ? &here[0] : &here[1]));
}

TEST_P(Warp, KnowsWhoAsksAtTheSamePlace) {
  DeviceArray<unsigned> out(block);
  run_kernel(who_is_active, 1, block, 0, out.data());
  for (unsigned i = 0; i < block; ++i) {
    if (i % 32 == 3) continue;
    EXPECT_EQ(out.values()[i], i % 32 < 16 ? 0xFFF7U : 0xFFFF0000U) << i;
  }
}

__global__ void keep_in_a_static(unsigned* out) {
  static unsigned mine;
  share(&mine, sizeof mine);
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = mine;
    mine = 7;
  }
  __syncthreads();
  share(&mine, sizeof mine);
  if (threadIdx.x == 1) out[2 * blockIdx.x + 1] = mine;
}

TEST_P(Warp, EachBlockHasASharedArrayThatTheLinkerDoesNotKnow) {
  DeviceArray<unsigned> out(4);
  run_kernel(keep_in_a_static, 2, 2, 0, out.data());
  EXPECT_EQ(out.values(), (std::vector<unsigned>{0x7ff4deadU, 7, 0x7ff4deadU, 7}));
}

__global__ void turn_in_warp(const unsigned* in, unsigned* out) {
  __shared__ unsigned words[block];
  words[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = words[threadIdx.x ^ 31U];
}

TEST_P(Warp, SeesItsMemoryAfterSyncwarp) {
  std::vector<unsigned> in(block);
  std::iota(in.begin(), in.end(), 0U);
  DeviceArray<unsigned> values(in);
  DeviceArray<unsigned> out(block);
  run_kernel(turn_in_warp, 1, block, 0, values.data(), out.data());
  for (unsigned i = 0; i < block; ++i) EXPECT_EQ(out.values()[i], i ^ 31U);
}

// ---- threads that meet between two barriers ----

// Two 16-bit counters in a word, of which half of the threads count the low one. Not sound: a
// counter that is full is carried on when it has run over, and takes back what it added to its
// neighbour. Sound: it is emptied by half while it still has room for all others.
__global__ void count_halves(unsigned* counts, bool sound) {
  __shared__ unsigned word;
  if (threadIdx.x == 0) word = sound ? 0x7FFF7FFFU : 0xFFFFFFFFU;
  __syncthreads();
  const bool high = threadIdx.x % 2 != 0;
  const unsigned old = atomicAdd(&word, high ? 0x10000U : 1U);
  const unsigned half = (high ? old >> 16U : old) & 0xFFFFU;
  if (sound && half == 0x7FFFU) {
    atomicAdd(&counts[high ? 1 : 0], 0x8000U);
    atomicAdd(&word, high ? 0x80000000U : 0xFFFF8000U);
  } else if (!sound && half == 0xFFFFU) {
    atomicAdd(&counts[high ? 1 : 0], 0x10000U);
    if (!high) atomicAdd(&word, 0xFFFF0000U);
  }
  __syncthreads();
  if (threadIdx.x < 2) counts[threadIdx.x] += word >> (16 * threadIdx.x) & 0xFFFFU;
}

unsigned wrong_in(unsigned orders, bool sound) {
  const unsigned right = (sound ? 0x7FFFU : 0xFFFFU) + block / 2;
  unsigned wrong = 0;
  for (unsigned seed = 0; seed < orders; ++seed) {
    set_order(Order::shuffled, seed);
    DeviceArray<unsigned> counts(std::vector<unsigned>{0, 0});
    run_kernel(count_halves, 1, block, 0, counts.data(), sound);
    if (counts.values() != std::vector<unsigned>{right, right}) ++wrong;
  }
  return wrong;
}

// Threads that change at barriers only would never be between the two atomic additions.
TEST(GivingWay, FindsTheRaceOfACarry) {
  plug_in();
  EXPECT_GT(wrong_in(200, false), 0U);
  EXPECT_EQ(wrong_in(200, true), 0U);
  unplug();
}

// ---- shared memory that is asked for ----

__global__ void fill_shared(unsigned* out, unsigned words) {
  auto* const mine = dynamic_shared<unsigned>();
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x) mine[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = mine[words - 1];
}

TEST(OptInSharedMemory, IsRefusedUnlessAskedFor) {
  Device device;
  device.opt_in_shared_bytes = 100 * 1024;
  plug_in(device);
  const auto* const kernel = reinterpret_cast<const void*>(fill_shared);
  const auto ask = [&](int bytes) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  constexpr unsigned words = 20 * 1024;
  constexpr std::size_t bytes = words * sizeof(unsigned);
  {
    DeviceArray<unsigned> out(1);
    const auto run = [&] { run_kernel(fill_shared, 1, block, bytes, out.data(), words); };
    int most = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
              cudaSuccess);
    EXPECT_EQ(most, 100 * 1024);
    EXPECT_THROW(run(), Refused);
    int blocks = -1;
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, bytes),
              cudaSuccess);
    EXPECT_EQ(blocks, 0);
    EXPECT_EQ(ask(100 * 1024 + 1), cudaErrorInvalidValue);
    EXPECT_EQ(ask(bytes), cudaSuccess);
    run();
    EXPECT_EQ(out.values()[0], words - 1);
    EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, bytes),
              cudaSuccess);
    EXPECT_GT(blocks, 0);
  }
  unplug();
}

}  // namespace
}  // namespace bench::cuda::stand_in

// The usual mistakes about the size of a warp. This file is compiled for warps of 32 lanes and of
// 64, like the kernels: what is right for 32 lanes only must be found with 64.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/cuda/kernel.hpp"
#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/test/device_array.hpp"

namespace bench::cuda::stand_in {
namespace {

constexpr unsigned lanes = warp_lanes;
constexpr bool of_32 = lanes == 32;

class WarpSize : public testing::TestWithParam<Order> {
 protected:
  void SetUp() override {
    Device device;
    device.lanes = lanes;
    plug_in(device);
    set_order(GetParam(), 3);
  }
  void TearDown() override { unplug(); }
};
INSTANTIATE_TEST_SUITE_P(StandIn, WarpSize, testing::Values(Order::fixed, Order::shuffled),
                         [](const auto& test) {
                           return test.param == Order::fixed ? "fixed" : "shuffled";
                         });

/// What a kernel without arguments but its results leaves there.
std::vector<unsigned> results_of(void (*kernel)(unsigned*), unsigned threads) {
  DeviceArray<unsigned> out(std::vector<unsigned>(threads, 0));
  run_kernel(kernel, 1, threads, 0, out.data());
  return out.values();
}

std::string failure_of(void (*kernel)(unsigned*), unsigned threads) {
  testing::internal::CaptureStderr();
  EXPECT_THROW(results_of(kernel, threads), Refused);
  return testing::internal::GetCapturedStderr();
}

// ---- what is right for every size ----

/// The sum of the numbers of the lanes that there are.
__global__ void sums(unsigned* out) {
  const auto [lane, there, mask] = lanes_of_warp();
  unsigned sum = lane;
  for (unsigned half = warp_lanes / 2; half > 0; half /= 2) {
    const unsigned other = __shfl_down_sync(mask, sum, half);
    if (lane + half < there) sum += other;
  }
  out[threadIdx.x] = __shfl_sync(mask, sum, 0);
}

TEST_P(WarpSize, ShufflesReachAllLanesOfWholeAndOfBegunWarps) {
  for (const unsigned threads : {1U, 31U, 32U, 33U, 63U, 64U, 65U, 100U, 160U}) {
    const std::vector<unsigned> found = results_of(sums, threads);
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned there = std::min(lanes, threads - i / lanes * lanes);
      EXPECT_EQ(found[i], there * (there - 1) / 2) << i << " of " << threads;
    }
  }
}

__global__ void odd_ones(unsigned* out) {
  const auto [lane, there, mask] = lanes_of_warp();
  const LaneMask votes = __ballot_sync(mask, lane % 2 != 0);
  out[threadIdx.x] = lanes_in(votes) + 1000 * lanes_in(votes & first_lanes(lane));
}

TEST_P(WarpSize, VotesAreThoseOfAllLanes) {
  constexpr unsigned threads = 2 * lanes + 5;
  const std::vector<unsigned> found = results_of(odd_ones, threads);
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned there = i < 2 * lanes ? lanes : 5;
    EXPECT_EQ(found[i], there / 2 + 1000 * (i % lanes / 2)) << i;
  }
}

TEST_P(WarpSize, IsWhatTheDeviceSays) {
  int asked = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&asked, cudaDevAttrWarpSize, 0), cudaSuccess);
  EXPECT_EQ(asked, warpSize);
}

__global__ void active_ones(unsigned* out) {
  static const char here = 0;
  if (threadIdx.x % 3 == 0) out[threadIdx.x] = lanes_in(static_cast<LaneMask>(active_lanes(&here)));
}

TEST_P(WarpSize, ActiveAreLanesOfTheWholeWarp) {
  const std::vector<unsigned> found = results_of(active_ones, lanes);
  EXPECT_EQ(found[0], (lanes + 2) / 3);
  EXPECT_EQ(found[30], (lanes + 2) / 3);
}

// ---- what is right for 32 lanes only ----

/// The mask of a lesson for NVIDIA's devices.
__global__ void mask_of_32(unsigned* out) {
  unsigned sum = threadIdx.x;
  for (unsigned half = 16; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffff, sum, half);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
}

TEST_P(WarpSize, AMaskOf32BitsLeavesLanesOut) {
  if (of_32) {
    const std::vector<unsigned> found = results_of(mask_of_32, 64);
    EXPECT_EQ(found[0], 496U);
    EXPECT_EQ(found[1], 1520U);
  } else {
    const std::string said = failure_of(mask_of_32, 64);
    EXPECT_EQ(said.substr(0, 30), "warp 0 of block (0,0,0): lane ") << said;
    EXPECT_NE(said.find(" is not in its own mask 0xffffffff\n"), std::string::npos) << said;
  }
}

/// Elected as the first lane of the warp, by the number of the lane in 32: two of 64 are.
__global__ void first_of_32_adds(unsigned* out) {
  const unsigned lane = threadIdx.x & 31;
  const unsigned votes = lanes_in(__ballot_sync(all_lanes, threadIdx.x % 4 == 0));
  if (lane == 0) atomicAdd(out, votes);
}

TEST_P(WarpSize, ALaneCountedIn32IsTwice) {
  EXPECT_EQ(results_of(first_of_32_adds, 128)[0], of_32 ? 32U : 64U);
}

/// A vote of 64 lanes in 32 bits.
__global__ void votes_in_32_bits(unsigned* out) {
  const auto votes = static_cast<unsigned>(__ballot_sync(all_lanes, 1));
  if (threadIdx.x % warp_lanes == 0) atomicAdd(out, static_cast<unsigned>(__popc(votes)));
}

TEST_P(WarpSize, VotesIn32BitsAreHalfOfThem) {
  EXPECT_EQ(results_of(votes_in_32_bits, 128)[0], of_32 ? 128U : 64U);
}

/// A reduction without a barrier, as if the first 32 threads and the next ones met at each shuffle.
__global__ void half_a_warp(unsigned* out) {
  if (threadIdx.x < 32) out[threadIdx.x] = __shfl_xor_sync(all_lanes, threadIdx.x, 1);
}

TEST_P(WarpSize, HalfAWarpWaitsForTheOtherHalf) {
  if (of_32) {
    EXPECT_EQ(results_of(half_a_warp, 64)[5], 4U);
  } else {
    EXPECT_EQ(failure_of(half_a_warp, 64),
              "warp 0 of block (0,0,0): lanes 0xffffffff wait for 0xffffffff00000000, which do not "
              "come to the shuffle, vote or __syncwarp\n");
  }
}

}  // namespace
}  // namespace bench::cuda::stand_in

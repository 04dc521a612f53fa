// Grids whose blocks wait for each other.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/test/device_array.hpp"

namespace bench::cuda::stand_in {
namespace {

constexpr unsigned block = 64;
constexpr unsigned blocks = 4;  // that the stand-in holds

class Grid : public testing::TestWithParam<Order> {
 protected:
  void SetUp() override {
    plug_in();
    set_order(GetParam(), 5);
  }
  void TearDown() override { unplug(); }
};
INSTANTIATE_TEST_SUITE_P(StandIn, Grid, testing::Values(Order::fixed, Order::shuffled),
                         [](const auto& test) {
                           return test.param == Order::fixed ? "fixed" : "shuffled";
                         });

using Kernel = void(unsigned* data, unsigned rounds);

cudaError_t launch_together(Kernel* kernel, unsigned grid, unsigned* data, unsigned rounds) {
  void* arguments[] = {&data, &rounds};
  const cudaError_t status = cudaLaunchCooperativeKernel(kernel, grid, block, arguments);
  return status == cudaSuccess ? cudaDeviceSynchronize() : status;
}

/// Each thread takes what a thread of the next block has, and keeps its own in shared memory.
__global__ void pass_round(unsigned* data, unsigned rounds) {
  __shared__ unsigned kept[block];
  const unsigned all = gridDim.x * blockDim.x;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  kept[threadIdx.x] = i;
  __syncthreads();
  const auto grid = cooperative_groups::this_grid();
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned next = data[(i + blockDim.x + 1) % all];
    grid.sync();
    data[i] = next;
    grid.sync();
  }
  data[i] = data[i] * 1000 + kept[(threadIdx.x + 1) % block];
}

TEST_P(Grid, WaitsForAllBlocks) {
  for (const unsigned rounds : {0U, 1U, 7U}) {
    std::vector<unsigned> values(blocks * block);
    for (unsigned i = 0; i < values.size(); ++i) values[i] = i;
    DeviceArray<unsigned> data(values);
    must(launch_together(pass_round, blocks, data.data(), rounds));
    for (unsigned i = 0; i < values.size(); ++i) {
      const unsigned from = (i + rounds * (block + 1)) % (blocks * block);
      const unsigned kept = i / block * block + (i + 1) % block;
      EXPECT_EQ(data.values()[i], from * 1000 + kept) << i << " after " << rounds;
    }
  }
}

/// A kernel that fails, and what stderr says.
std::string failure(Kernel* kernel, bool together) {
  DeviceArray<unsigned> data(std::vector<unsigned>(blocks * block, 0));
  testing::internal::CaptureStderr();
  if (together) {
    EXPECT_EQ(launch_together(kernel, blocks, data.data(), 1), cudaErrorLaunchFailure);
  } else {
    EXPECT_THROW(run_kernel(kernel, blocks, block, 0, data.data(), 1U), Refused);
  }
  plug_in();
  return testing::internal::GetCapturedStderr();
}

__global__ void without_a_thread(unsigned* /*data*/, unsigned /*rounds*/) {
  if (threadIdx.x != 3) cooperative_groups::this_grid().sync();
}
__global__ void without_a_block(unsigned* /*data*/, unsigned /*rounds*/) {
  if (blockIdx.x != 2) cooperative_groups::this_grid().sync();
}

TEST_P(Grid, NamesWhoDoesNotCome) {
  EXPECT_NE(failure(without_a_thread, true).find("is reached by 63 of 64 threads of block ("),
            std::string::npos);
  EXPECT_EQ(failure(without_a_block, true), "grid.sync() is reached by 3 of 4 blocks\n");
  DeviceArray<unsigned> data(std::vector<unsigned>(blocks * block, 0));
  must(launch_together(pass_round, blocks, data.data(), 2));  // as if nothing had been
}

TEST_P(Grid, WaitsInCooperativeLaunchesOnly) {
  EXPECT_NE(failure(pass_round, false).find("in a launch that is not cooperative"),
            std::string::npos);
}

TEST_P(Grid, HasToFitOnTheDevice) {
  DeviceArray<unsigned> data(std::vector<unsigned>((blocks + 1) * block, 0));
  EXPECT_EQ(launch_together(pass_round, blocks + 1, data.data(), 1),
            cudaErrorCooperativeLaunchTooLarge);
}

}  // namespace
}  // namespace bench::cuda::stand_in

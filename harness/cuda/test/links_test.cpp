#include "harness/cuda/links.hpp"

#include <gtest/gtest.h>

#include "harness/cuda/error.hpp"
#include "harness/cuda/runtime.hpp"
#include "harness/cuda_on_cpu/control.hpp"

namespace bench::cuda {
namespace {

constexpr std::size_t few = 4096;  // bytes

class DeviceLinks : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(stand_in::allocated_bytes(), 0U);
    stand_in::unplug();
  }
};

TEST_F(DeviceLinks, AreThoseOfAllDevicesAndAllPairs) {
  for (const int count : {1, 2, 4}) {
    stand_in::plug_in({.count = count});
    std::size_t pairs = 0;
    for (const LinkTimes& one : device_links(few)) {
      EXPECT_EQ(one.seconds.size(), 9U);
      EXPECT_EQ(one.bytes, 4 * few);
      EXPECT_NE(one.from, one.to);
      pairs += one.way == Way::between_devices ? 1 : 0;
    }
    EXPECT_EQ(pairs, static_cast<std::size_t>(count * (count - 1)));
  }
}

TEST_F(DeviceLinks, WithoutADeviceThereAreNone) {
  stand_in::unplug();
  EXPECT_TRUE(device_links(few).empty());
}

TEST_F(DeviceLinks, ThatAreRefusedAreLeftOut) {
  stand_in::plug_in({.count = 2});
  stand_in::fail_next("cudaDeviceEnablePeerAccess", cudaErrorNotSupported);
  EXPECT_EQ(device_links(few).size(), 5U);
  cudaGetLastError();
}

TEST_F(DeviceLinks, ThatFailAreAnError) {
  stand_in::plug_in();
  stand_in::fail_next("cudaMemcpyAsync", cudaErrorECCUncorrectable);
  EXPECT_THROW(device_links(few), Error);
  cudaGetLastError();
}

}  // namespace
}  // namespace bench::cuda

// What the device says where there is none, and when the runtime fails half-way: for the stand-in
// only, since these errors cannot be had for the asking elsewhere.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "harness/cuda/device.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/test/support.hpp"
#include "harness/cuda/test/twice.hpp"
#include "harness/cuda_on_cpu/control.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

namespace stand_in = cuda::stand_in;

std::string reason_when_unplugged(cudaError_t error) {
  stand_in::unplug(error);
  const cuda::Device device;
  EXPECT_FALSE(device.facts());
  return device.reason().text;
}

/// Asked before any test plugs one in.
const Reason default_reason = cuda::Device().reason();

TEST(AbsentDevice, IsTheDefault) { expect_contains(default_reason, "no device: "); }

TEST(AbsentDevice, HasOneClearReason) {
  EXPECT_EQ(reason_when_unplugged(cudaErrorNoDevice),
            "no device: CUDA sees none; ask for one with --gres=gpu:1");
  EXPECT_EQ(reason_when_unplugged(cudaErrorInsufficientDriver),
            "no device: no NVIDIA driver on this node");
  EXPECT_EQ(reason_when_unplugged(cudaErrorStubLibrary),
            "no device: libcuda is the toolkit's stub, not the driver: take its folder out of "
            "LD_LIBRARY_PATH");
  expect_contains(reason_when_unplugged(cudaErrorUnknown), "no device: ");
}

TEST(AbsentDevice, LaunchesNothing) {
  stand_in::unplug();
  float value = 0;
  EXPECT_THROW(kernels::honest(&value, &value, 1), cuda::Error);
  EXPECT_THROW(kernels::strided(&value, &value, 1), cuda::Error);
  EXPECT_EQ(value, 0);
}

// Tasks of a node that see all its devices share them out.
TEST(SeveralDevices, AreChosenByTheRankOfTheTask) {
  stand_in::Device two;
  two.count = 2;
  stand_in::plug_in(two);
  const auto number = [](int local_rank) {
    const cuda::Device device(local_rank);
    EXPECT_EQ(device.reason(), "");
    EXPECT_EQ(device.facts()->visible_devices, 2);
    return std::pair(device.facts()->device_number.value(), device.uuid());
  };
  EXPECT_EQ(number(0).first, 0);
  EXPECT_EQ(number(1).first, 1);
  EXPECT_EQ(number(2).first, 0);
  EXPECT_NE(number(0).second, number(1).second);
  stand_in::unplug();
}

// How many blocks fill a device is asked of the one in use, and not remembered for another.
TEST(SeveralDevices, AreFilledEachByItsOwnMultiprocessors) {
  stand_in::Device unlike;
  unlike.count = 2;
  unlike.multiprocessors = 3;
  unlike.other_multiprocessors = 5;
  stand_in::plug_in(unlike);
  cuda::override_configuration({.block = 40});  // that nobody has asked about
  const auto blocks = [](int local_rank) {
    const cuda::Device device(local_rank);
    const cuda::DeviceBuffer buffer(100'000 * sizeof(float));
    auto* const data = static_cast<float*>(buffer.data());
    kernels::strided(data, data, 100'000);
    device.wait();
    return cuda::last_launch()->grid[0];
  };
  const unsigned first = blocks(0);
  EXPECT_EQ(first % 3, 0U);
  EXPECT_EQ(blocks(1), first / 3 * 5);
  EXPECT_EQ(blocks(0), first);
  cuda::override_configuration({});
}

TEST(FailingDevice, IsNoDevice) {
  for (const char* function :
       {"cudaGetDeviceCount", "cudaSetDevice", "cudaFree", "cudaGetDeviceProperties",
        "cudaDeviceGetPCIBusId", "cudaEventCreate", "cudaMalloc", "cudaMemset", "cudaLaunchKernel",
        "cudaEventRecord", "cudaEventSynchronize", "cudaEventElapsedTime", "cudaMemGetInfo"}) {
    plug_in();
    stand_in::fail_next(function, cudaErrorUnknown);
    const cuda::Device device;
    expect_contains(device.reason(), "no device: ");
    EXPECT_FALSE(device.facts()) << function;
    EXPECT_EQ(stand_in::allocated_bytes(), 0U) << function;
  }
}

TEST(FailingDevice, MayBeShortOfMemoryForTheInstrument) {
  stand_in::Device tiny;
  tiny.memory_bytes = 1000;
  stand_in::plug_in(tiny);
  const cuda::Device device;
  expect_contains(device.reason(), "no device: cudaMalloc: ");
}

TEST(FailingDevice, AnErrorOfTheKernelIsSeenWhenItIsWaitedFor) {
  plug_in();
  cuda::Device device;
  cuda::DeviceBuffer buffer(64);
  auto* const data = static_cast<float*>(buffer.data());
  stand_in::fail_next("cudaEventSynchronize", cudaErrorLaunchFailure);
  EXPECT_THROW(device.seconds([&] { kernels::writes_nothing(data, data, 1); }), cuda::Error);
}

TEST(FailingDevice, AnErrorThatNobodyLookedAtIsNoTime) {
  plug_in();
  cuda::Device device;
  EXPECT_THROW(device.seconds([] {
    stand_in::fail_next("cudaMalloc", cudaErrorInvalidValue);
    void* memory = nullptr;
    cudaMalloc(&memory, 1);  // its error is left where CUDA keeps the last one
  }),
               cuda::Error);
  EXPECT_TRUE(device.reason().empty());
}

TEST(AbsentDevice, ADeviceIsChosenByItsNumber) {
  stand_in::Device two;
  two.count = 2;
  stand_in::plug_in(two);
  EXPECT_EQ(cuda::device_count(), 2U);
  const auto number = [](const cuda::Device& device) { return device.facts()->device_number; };
  EXPECT_EQ(number(cuda::Device(0, 1)), 1);
  EXPECT_EQ(number(cuda::Device(1, 0)), 0) << "before the task's rank";
  EXPECT_EQ(number(cuda::Device(1)), 1);
  expect_contains(cuda::Device(0, 2).reason(), "no device: 2 is not one of the 2 that CUDA sees");
  stand_in::unplug();
  EXPECT_EQ(cuda::device_count(), 0U);
}

TEST(AbsentDevice, ManagedMemoryThatTheHostMayNotTouchIsAReason) {
  stand_in::Device device;
  stand_in::plug_in(device);
  EXPECT_EQ(cuda::no_managed_memory(), "");
  device.managed_stays = true;
  stand_in::plug_in(device);
  expect_contains(cuda::no_managed_memory(), "stays on this device");
  device.concurrent_managed_access = false;
  stand_in::plug_in(device);
  expect_contains(cuda::no_managed_memory(), "with a host that works");
  device.managed_memory = false;
  stand_in::plug_in(device);
  expect_contains(cuda::no_managed_memory(), "has no managed memory");
}

}  // namespace
}  // namespace bench::test

#include "harness/cuda/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "harness/arrays/guard.hpp"
#include "harness/base/reason.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/launch_shape.hpp"
#include "harness/cuda/test/support.hpp"
#include "harness/cuda/test/twice.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"
#include "harness/workload/verify.hpp"

namespace bench::test {
namespace {

using cuda::DeviceBuffer;

using DeviceTest = WithDevice;

std::vector<unsigned char> content(const DeviceBuffer& buffer) {
  std::vector<unsigned char> bytes(buffer.bytes());
  buffer.download(bytes.data());
  return bytes;
}

std::vector<float> ramp(std::size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

TEST_F(DeviceTest, FactsNameTheDevice) {
  const Json facts = written(device().facts());
  EXPECT_FALSE(facts.at("name").get<std::string>().empty());
  EXPECT_EQ(facts.at("uuid").get<std::string>().size(), std::string("GPU-").size() + 36);
  EXPECT_EQ(facts.at("uuid"), device().uuid());
  EXPECT_FALSE(facts.at("pci_bus_id").get<std::string>().empty());
  EXPECT_TRUE(facts.contains("numa_node"));
  EXPECT_TRUE(facts.contains("local_cpus"));
  for (const char* key : {"multiprocessors", "memory_bytes", "l2_bytes", "visible_devices"}) {
    EXPECT_GT(facts.at(key).get<std::size_t>(), 0U) << key;
  }
  EXPECT_LE(facts.at("memory_free_bytes"), facts.at("memory_bytes"));
  EXPECT_GT(facts.at("context_s").get<double>(), 0);
  EXPECT_GT(facts.at("event_floor_s").get<double>(), 0);
  EXPECT_EQ(facts.at("event_floor_s"), device().event_floor());
  EXPECT_GT(facts.at("launch_s").get<double>(), 0);
  const auto& limits = facts.at("limits");
  EXPECT_EQ(limits.at("warp"), 32);
  EXPECT_GE(limits.at("threads_per_block"), 1024);
  EXPECT_EQ(limits.at("grid").size(), 3U);
  // The stand-in says that it is of a kind that is known.
  if (!real_device) {
    EXPECT_EQ(limits.at("f64_per_clock_per_multiprocessor"), 64);
  }
  // Either NVML answers or the reason says why not.
  EXPECT_NE(facts.at("nvml").is_null(), facts.at("nvml_reason").is_null());
}

TEST_F(DeviceTest, BuffersBeginPoisonedBetweenWholeGuards) {
  const DeviceBuffer buffer(1001);
  const auto bytes = content(buffer);
  EXPECT_EQ(bytes.size(), 1001U);
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](auto b) { return b == poison_byte; }));
  EXPECT_EQ(buffer.damage(), std::nullopt);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0U);
}

TEST_F(DeviceTest, CopiesThereAndBack) {
  const std::vector<float> values = ramp(100'003);
  DeviceBuffer buffer(values.size() * sizeof(float));
  buffer.upload(values.data());
  std::vector<float> back(values.size());
  buffer.download(back.data());
  device().wait();
  EXPECT_EQ(back, values);
}

std::uint64_t digest_of(const DeviceBuffer& buffer) {
  return buffer.digest(DeviceBuffer(sizeof(std::uint64_t)));
}

// More words than one block has, and a last one that is not whole.
TEST_F(DeviceTest, TheDigestChangesWithEachByteAndItsPlace) {
  std::vector<unsigned char> values((std::size_t{1} << 19U) + 5, 7);
  DeviceBuffer buffer(values.size());
  buffer.upload(values.data());
  const std::uint64_t before = digest_of(buffer);
  std::set<std::uint64_t> found{before};
  const std::vector<std::size_t> places{0, 1, 4, std::size_t{1} << 18U, values.size() - 1};
  for (const std::size_t at : places) {
    values[at] = 8;
    buffer.upload(values.data());
    values[at] = 7;
    found.insert(digest_of(buffer));
  }
  EXPECT_EQ(found.size(), 1 + places.size());
  buffer.upload(values.data());
  EXPECT_EQ(digest_of(buffer), before);
}

TEST_F(DeviceTest, AnEmptyBufferIsFine) {
  DeviceBuffer buffer(0);
  EXPECT_EQ(digest_of(buffer), 0);
  EXPECT_EQ(buffer.damage(), std::nullopt);
}

TEST_F(DeviceTest, GuardsShowWhatWasWrittenOutside) {
  const std::size_t n = 100;
  DeviceBuffer in(n * sizeof(float));
  DeviceBuffer out(n * sizeof(float));
  in.upload(ramp(n).data());
  kernels::one_too_many(static_cast<const float*>(in.data()), static_cast<float*>(out.data()), n);
  ASSERT_TRUE(out.damage().has_value());
  expect_contains(*out.damage(), "wrote past the end of an array (byte 1 after it)");
  out.restore_guards();
  EXPECT_EQ(out.damage(), std::nullopt);
  kernels::one_before(static_cast<const float*>(in.data()), static_cast<float*>(out.data()), n);
  ASSERT_TRUE(out.damage().has_value());
  expect_contains(*out.damage(), "wrote before the start of an array");
  EXPECT_EQ(in.damage(), std::nullopt);
}

TEST_F(DeviceTest, TooLargeIsOutOfMemoryAndNothingElseSuffers) {
  constexpr std::size_t petabyte = 1'000'000'000'000'000;
  EXPECT_THROW(DeviceBuffer{petabyte}, cuda::OutOfMemory);
  EXPECT_TRUE(device().survived("a test"));
  const DeviceBuffer small(16);
  EXPECT_EQ(small.damage(), std::nullopt);
}

TEST_F(DeviceTest, TimesWhatTheDeviceDoes) {
  const std::size_t n = 100'000;
  DeviceBuffer in(n * sizeof(float));
  DeviceBuffer out(n * sizeof(float));
  in.upload(ramp(n).data());
  device().empty_caches();
  const double seconds = device().seconds([&] {
    kernels::honest(static_cast<const float*>(in.data()), static_cast<float*>(out.data()), n);
  });
  EXPECT_GT(seconds, 0);
  std::vector<float> result(n);
  out.download(result.data());
  device().wait();
  EXPECT_EQ(result[n - 1], 2.0F * static_cast<float>(n));
}

TEST_F(DeviceTest, ARefusedLaunchThrowsAndTheDeviceSurvives) {
  DeviceBuffer buffer(4096 * sizeof(float));
  auto* const data = static_cast<float*>(buffer.data());
  for (auto* const kernel : {kernels::too_many_threads, kernels::too_much_shared}) {
    EXPECT_THROW(device().seconds([&] { kernel(data, data, 10); }), cuda::Error);
    EXPECT_TRUE(device().survived("a test"));
  }
  EXPECT_NO_THROW(device().seconds([&] { kernels::writes_nothing(data, data, 10); }));
}

TEST_F(DeviceTest, LaunchesAreRecorded) {
  DeviceBuffer buffer(1000 * sizeof(float));
  auto* const data = static_cast<float*>(buffer.data());
  cuda::forget_launch();
  EXPECT_FALSE(cuda::last_launch().has_value());
  kernels::honest(data, data, 1000);
  ASSERT_TRUE(cuda::last_launch().has_value());
  EXPECT_EQ(cuda::last_launch()->grid, (std::array<unsigned, 3>{16, 1, 1}));
  EXPECT_EQ(cuda::last_launch()->block, (std::array<unsigned, 3>{64, 1, 1}));
  EXPECT_GT(cuda::last_launch()->registers, 0);
  EXPECT_GT(cuda::last_launch()->blocks_per_multiprocessor, 0);
  EXPECT_GT(cuda::last_launch()->occupancy, 0);
  EXPECT_LE(cuda::last_launch()->occupancy, 1);
  EXPECT_FALSE(cuda::last_launch()->chosen_block);
  device().empty_caches();  // the instrument's own kernels leave no trace
  EXPECT_EQ(cuda::last_launch()->block[0], 64U);
  device().wait();
}

TEST_F(DeviceTest, TheUserChoosesBlockAndGridWhereTheVariantDoesNot) {
  DeviceBuffer buffer(1000 * sizeof(float));
  auto* const data = static_cast<float*>(buffer.data());
  cuda::override_configuration({.block = 100, .grid = 3});
  kernels::honest(data, data, 1000);
  EXPECT_EQ(cuda::last_launch()->grid[0], 10U) << "one thread per element has to stay right";
  EXPECT_EQ(cuda::last_launch()->block[0], 100U);
  kernels::strided(data, data, 1000);
  EXPECT_EQ(cuda::last_launch()->grid[0], 3U);
  EXPECT_EQ(cuda::last_launch()->block[0], 100U);
  kernels::writes_nothing(data, data, 1000);
  EXPECT_EQ(cuda::last_launch()->block[0], 1U) << "this one says exactly what it wants";
  cuda::forget_launch();
  kernels::honest(data, data, 1000);
  EXPECT_TRUE(cuda::last_launch()->chosen_block);
  EXPECT_FALSE(cuda::last_launch()->chosen_grid);
  cuda::forget_launch();
  kernels::writes_nothing(data, data, 1000);
  EXPECT_FALSE(cuda::last_launch()->chosen_block);
  device().wait();
}

TEST_F(DeviceTest, ABlockThatTheUserChoseAndThatDoesNotFitIsNoFailure) {
  EXPECT_THROW(cuda::check_launch(cudaErrorLaunchOutOfResources), cuda::Error);
  cuda::override_configuration({.block = 1024});
  EXPECT_THROW(cuda::check_launch(cudaErrorLaunchOutOfResources), Unavailable);
  EXPECT_THROW(cuda::check_launch(cudaErrorInvalidConfiguration), cuda::Error);
}

TEST_F(DeviceTest, AResidentGridIsNoLargerThanTheArrayNeeds) {
  DeviceBuffer buffer(sizeof(float));
  auto* const data = static_cast<float*>(buffer.data());
  kernels::strided(data, data, 65);
  EXPECT_EQ(cuda::last_launch()->grid[0], 2U);
  kernels::strided(data, data, 0);
  EXPECT_EQ(cuda::last_launch()->grid[0], 0U);
  EXPECT_NO_THROW(device().wait());
}

TEST_F(DeviceTest, MemoryCanBePinnedAndLetGo) {
  for (const std::size_t bytes : {std::size_t{40'000}, std::size_t{0}}) {
    const Buffer buffer(bytes);
    {
      const cuda::Pinned pinned(buffer);
      EXPECT_THROW(cuda::Pinned{buffer}, cuda::Error);
      EXPECT_NE(cuda::device_address(buffer.data()), nullptr);
    }
    EXPECT_THROW(cuda::device_address(buffer.data()), cuda::Error);
    EXPECT_NO_THROW(cuda::Pinned{buffer});
  }
}

// In a process of its own, as all tests are here: nothing can be done with the device afterwards.
TEST_F(DeviceTest, AKernelThatStopsWithAnErrorLosesTheDevice) {
  DeviceBuffer buffer(1000 * sizeof(float));
  auto* const data = static_cast<float*>(buffer.data());
  EXPECT_THROW(device().seconds([&] { kernels::takes_a_trap(data, data, 10); }), cuda::Error);
  EXPECT_FALSE(device().survived("the trap"));
  EXPECT_EQ(device().reason(), "device lost: the trap");
  EXPECT_THROW(device().wait(), cuda::Error);
  EXPECT_THROW(DeviceBuffer{16}, cuda::Error);
}

}  // namespace
}  // namespace bench::test

#include "harness/cuda/hold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <thread>

#include "harness/cuda/instrument.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/test/support.hpp"

namespace bench::test {
namespace {

using cuda::Hold;

/// A device whose launches return before their kernels run.
class HoldTest : public WithDevice {
 protected:
  void SetUp() override {
    streams_early(true);
    WithDevice::SetUp();
  }

  static bool device_is_done() {
    const bool done = cudaStreamQuery(nullptr) == cudaSuccess;
    cudaGetLastError();
    return done;
  }
};

TEST_F(HoldTest, WhatIsLaunchedWaitsForTheRelease) {
  Hold hold;
  ASSERT_TRUE(hold.holds());
  hold.begin();
  cuda::launch_nothing();
  EXPECT_FALSE(device_is_done());
  hold.release();
  device().wait();
  EXPECT_TRUE(device_is_done());
}

TEST_F(HoldTest, WhoWaitsWithoutAReleaseDoesNotWaitForEver) {
  Hold hold;
  for (int i = 0; i < 2; ++i) {
    hold.begin();
    cuda::launch_nothing();
    device().wait();
  }
  EXPECT_TRUE(device_is_done());
}

TEST_F(HoldTest, TheTimeOfALaunchIsNotThatOfTheKernel) {
  constexpr std::chrono::milliseconds launching(5);
  const auto launch_slowly = [&] {
    std::this_thread::sleep_for(launching);
    cuda::launch_nothing();
  };
  double least = 1;
  for (int tries = 0; tries < 10; ++tries) {
    least = std::min(least, device().seconds_queued(launch_slowly));
  }
  EXPECT_LT(least, std::chrono::duration<double>(launching).count());
}

TEST_F(HoldTest, WhatThrowsInBetweenReleasesTheDevice) {
  const auto fail = [] { throw std::runtime_error("on purpose"); };
  EXPECT_THROW(device().seconds_queued(fail), std::runtime_error);
  EXPECT_GT(device().seconds_queued(cuda::launch_nothing), 0);
}

/// One that does not wait for the default stream. Made before that is held: it may wait for it.
class OwnStream {
 public:
  OwnStream() {
    cuda::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                "cudaStreamCreateWithFlags");
  }
  ~OwnStream() { cudaStreamDestroy(stream_); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  /// Waits for what it launches.
  void run(const std::function<void()>& work) const {
    cuda::use_stream(stream_);
    work();
    cuda::use_stream(nullptr);
    cuda::check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }

 private:
  cudaStream_t stream_ = nullptr;
};

class BehindHoldTest : public HoldTest {
 protected:
  cuda::BehindHold behind_hold(const std::function<void(float*)>& work) {
    const cuda::DeviceBuffer out(n * sizeof(float));
    const auto write = [&] { work(static_cast<float*>(out.data())); };
    return device().behind_hold(write, out.data(), out.bytes());
  }

  static constexpr std::size_t n = 5000;
};

TEST_F(BehindHoldTest, WhatIsQueuedInTheDefaultStreamComesBehindIt) {
  const auto found = behind_hold([](float* out) { cuda::zero(out, n); });
  EXPECT_FALSE(found.overtakes);
  EXPECT_FALSE(found.waits);
}

TEST_F(BehindHoldTest, WhoWaitsLetsItLapse) {
  const auto found = behind_hold([&](float* out) {
    cuda::zero(out, n);
    device().wait();
  });
  EXPECT_FALSE(found.overtakes);
  EXPECT_TRUE(found.waits);
}

TEST_F(BehindHoldTest, AStreamThatDoesNotWaitForTheDefaultOneOvertakes) {
  for (const bool waits : {false, true}) {
    const OwnStream own;
    const auto found = behind_hold([&](float* out) {
      own.run([&] { cuda::zero(out, n); });
      if (waits) device().wait();
    });
    EXPECT_TRUE(found.overtakes);
    EXPECT_EQ(found.waits, waits);
  }
}

TEST_F(BehindHoldTest, NothingIsWrittenWhereThereIsNoOutput) {
  EXPECT_FALSE(device().behind_hold([] {}, nullptr, 0).overtakes);
}

#if !defined(BENCH_WITH_CUDA)

TEST(HoldWithoutQueue, WhereLaunchesReturnWithTheirKernelsNothingIsHeld) {
  const auto device = opened();
  Hold hold;
  EXPECT_FALSE(hold.holds());
  hold.begin();
  cuda::launch_nothing();
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
  EXPECT_GT(device->seconds_queued(cuda::launch_nothing), 0);
}

TEST(HoldWithoutQueue, WhereNoMemoryIsPinnedNothingIsHeld) {
  streams_early(true);
  const auto device = opened();
  refuse_next("cudaHostRegister");
  Hold hold;
  EXPECT_FALSE(hold.holds());
  hold.begin();
  device->wait();
  streams_early(false);
}

#endif

}  // namespace
}  // namespace bench::test

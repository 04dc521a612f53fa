// The tests next to this file are compiled twice from the same text: for the stand-in that executes
// kernels on the CPU, and (label `gpu`) for a device, without which they are skipped.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <memory>

#include "harness/cuda/device.hpp"
#include "harness/cuda/device_blas.hpp"
#include "harness/cuda/launch_shape.hpp"

#if !defined(BENCH_WITH_CUDA)
#include "harness/cuda_on_cpu/control.hpp"
#include "harness/test/support.hpp"
#endif

namespace bench::test {

#if defined(BENCH_WITH_CUDA)
constexpr bool real_device = true;
constexpr bool thread_orders[] = {false};  // the hardware's own
inline void plug_in() {}
/// Makes the next call of this function fail; false where that cannot be had for the asking.
inline bool refuse_next(const char* /*function*/) { return false; }
inline void shuffle_threads(bool /*shuffled*/) {}
constexpr bool stream_orders[] = {false};
inline void streams_early(bool /*early*/) {}
#else
constexpr bool real_device = false;
constexpr bool thread_orders[] = {false, true};
inline bool refuse_next(const char* function) {
  cuda::stand_in::fail_next(function, cudaErrorNotSupported);
  return true;
}
inline void shuffle_threads(bool shuffled) {
  using cuda::stand_in::Order;
  cuda::stand_in::set_order(shuffled ? Order::shuffled : Order::fixed, 42);
}
constexpr bool stream_orders[] = {false, true};
inline void streams_early(bool early) {
  cuda::stand_in::set_streams(early ? cuda::stand_in::Streams::early
                                    : cuda::stand_in::Streams::late);
}
/// A small device, so that what is done to all of it takes little time.
inline void plug_in() {
  cuda::stand_in::Device small;
  small.multiprocessors = 1;
  small.lanes = warpSize;
  small.l2_bytes = 16 << 10;
  small.memory_bytes = std::size_t{512} << 20U;
  cuda::stand_in::plug_in(small);
#if defined(FAKE_CUBLAS)
  cuda::use_device_blas({FAKE_CUBLAS});
#endif
}
#endif

/// Opens the device. Nothing is measured on it, so no test waits for its clock.
inline std::unique_ptr<cuda::Device> opened() {
  plug_in();
  return std::make_unique<cuda::Device>(0, std::nullopt, 0);
}

/// Tests with a device; skipped where there is none, unless BENCH_EXPECT_DEVICE says that there is.
class WithDevice : public testing::Test {
 protected:
  void SetUp() override {
    device_ = opened();
    if (!device_->reason().empty()) {
      ASSERT_TRUE(real_device && std::getenv("BENCH_EXPECT_DEVICE") == nullptr)
          << device_->reason();
      GTEST_SKIP() << device_->reason();
    }
  }
  void TearDown() override {
    cuda::override_configuration({});
    streams_early(false);
  }

  cuda::Device& device() { return *device_; }

 private:
  std::unique_ptr<cuda::Device> device_;
};

}  // namespace bench::test

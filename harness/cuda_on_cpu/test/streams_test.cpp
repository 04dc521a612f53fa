// Streams that do their work as late, or as early, as CUDA allows.

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/test/device_array.hpp"

namespace bench::cuda::stand_in {
namespace {

__global__ void set_to(int* out, int value) { *out = value; }
__global__ void trap() { __trap(); }

class StreamsOfStandIn : public testing::Test {
 protected:
  void SetUp() override {
    plug_in();
    set_order(Order::fixed);
    set_streams(Streams::late);
    for (cudaStream_t* const stream : {&one_, &other_}) {
      must(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    must(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  void TearDown() override {
    cudaEventDestroy(event_);
    cudaStreamDestroy(one_);
    cudaStreamDestroy(other_);
    set_streams(Streams::late);
    EXPECT_EQ(allocated_bytes(), 0U);
    unplug();
  }

  static void launch_set(DeviceArray<int>& out, int value, cudaStream_t stream) {
    int* data = out.data();
    void* arguments[] = {&data, &value};
    must(cudaLaunchKernel(set_to, 1, 1, arguments, 0, stream));
    value = -1;  // the kernel has a copy
  }
  /// The value without waiting for anybody.
  static int seen(DeviceArray<int>& out) { return out.values()[0]; }

  cudaStream_t one_ = nullptr;
  cudaStream_t other_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

TEST_F(StreamsOfStandIn, LateWorkIsDoneWhenSomebodyWaits) {
  DeviceArray<int> out(std::vector<int>{0});
  launch_set(out, 1, one_);
  EXPECT_EQ(seen(out), 0);
  EXPECT_EQ(cudaStreamSynchronize(other_), cudaSuccess);
  EXPECT_EQ(seen(out), 0);
  EXPECT_EQ(cudaStreamSynchronize(one_), cudaSuccess);
  EXPECT_EQ(seen(out), 1);
  launch_set(out, 2, one_);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(seen(out), 2);
  launch_set(out, 3, nullptr);
  EXPECT_EQ(seen(out), 3);
}

TEST_F(StreamsOfStandIn, EarlyWorkIsDoneAtOnceButThatOfTheDefaultStream) {
  set_streams(Streams::early);
  std::vector<int> host{7};
  DeviceArray<int> out(std::vector<int>{0});
  must(cudaMemcpyAsync(out.data(), host.data(), sizeof(int), cudaMemcpyHostToDevice));
  must(cudaMemcpyAsync(host.data(), out.data(), sizeof(int), cudaMemcpyDeviceToHost, one_));
  EXPECT_EQ(host[0], 0);
  EXPECT_EQ(seen(out), 0) << "what the default stream copied is what the host has by then";
}

TEST_F(StreamsOfStandIn, WhoWaitsForAnEventComesAfterWhatWasRecorded) {
  for (const Streams when : {Streams::late, Streams::early}) {
    set_streams(when);
    DeviceArray<int> out(std::vector<int>{0});
    launch_set(out, 1, one_);
    must(cudaEventRecord(event_, one_));
    must(cudaStreamWaitEvent(other_, event_));
    must(cudaEventRecord(event_, nullptr));  // of no concern to who waits already
    launch_set(out, 2, other_);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(seen(out), 2);

    // The default stream waits as well.
    launch_set(out, 3, one_);
    must(cudaEventRecord(event_, one_));
    must(cudaStreamWaitEvent(nullptr, event_));
    launch_set(out, 4, nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(seen(out), 4);

    // And who does not, comes too early or too late.
    launch_set(out, 5, nullptr);
    launch_set(out, 6, one_);
    launch_set(out, 7, nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(seen(out), when == Streams::late ? 6 : 7);
  }
}

TEST_F(StreamsOfStandIn, StreamsThatWaitForEachOtherInTurnComeToAnEnd) {
  DeviceArray<int> out(std::vector<int>{0});
  for (int i = 1; i <= 6; ++i) {
    auto* const mine = i % 2 == 0 ? one_ : other_;
    must(cudaStreamWaitEvent(mine, event_));
    launch_set(out, i, mine);
    must(cudaEventRecord(event_, mine));
  }
  EXPECT_EQ(seen(out), 0);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  EXPECT_EQ(seen(out), 6);
}

TEST_F(StreamsOfStandIn, AClosedStreamHasDoneItsWork) {
  DeviceArray<int> out(std::vector<int>{0});
  cudaStream_t closing = nullptr;
  must(cudaStreamCreateWithFlags(&closing, cudaStreamNonBlocking));
  launch_set(out, 1, closing);
  must(cudaEventRecord(event_, closing));
  EXPECT_EQ(cudaStreamDestroy(closing), cudaSuccess);
  EXPECT_EQ(seen(out), 1);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(closing), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(closing), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaMemsetAsync(out.data(), 0, 4, closing), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamCreateWithFlags(&closing, 2), cudaErrorInvalidValue);
}

TEST_F(StreamsOfStandIn, ABlockingStreamKeepsTheOrderOfTheDefaultStream) {
  for (const Streams when : {Streams::late, Streams::early}) {
    set_streams(when);
    cudaStream_t blocking = nullptr;
    must(cudaStreamCreateWithFlags(&blocking, 0));
    DeviceArray<int> out(std::vector<int>{0});
    launch_set(out, 1, nullptr);
    launch_set(out, 2, blocking);
    launch_set(out, 3, nullptr);
    launch_set(out, 4, blocking);
    EXPECT_EQ(seen(out), 4) << "copying to the host is work of the default stream";
    launch_set(out, 5, nullptr);
    must(cudaStreamSynchronize(nullptr));
    EXPECT_EQ(seen(out), 5) << "after the blocking stream's";
    must(cudaStreamDestroy(blocking));
    EXPECT_EQ(seen(out), 5);
  }
}

TEST_F(StreamsOfStandIn, FreeingWaitsForEverything) {
  std::vector<int> host{0};
  {
    DeviceArray<int> out(std::vector<int>{5});
    must(cudaMemcpyAsync(host.data(), out.data(), sizeof(int), cudaMemcpyDeviceToHost, one_));
    EXPECT_EQ(host[0], 0);
  }
  EXPECT_EQ(host[0], 5);
}

TEST_F(StreamsOfStandIn, AnErrorIsSeenByWhoWaits) {
  DeviceArray<int> out(std::vector<int>{0});
  testing::internal::CaptureStderr();
  must(cudaLaunchKernel(trap, 1, 1, nullptr, 0, one_));
  launch_set(out, 1, one_);
  must(cudaEventRecord(event_, one_));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event_), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
  plug_in();
  EXPECT_EQ(seen(out), 0) << "a lost device does nothing more";
}

TEST_F(StreamsOfStandIn, WhatIsNotDoneHasNoTime) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  must(cudaEventCreate(&start));
  must(cudaEventCreate(&end));
  must(cudaEventRecord(start, one_));
  must(cudaEventRecord(end, one_));
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorNotReady);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, event_), cudaErrorInvalidResourceHandle);
  cudaEventDestroy(start);
  cudaEventDestroy(end);
}

TEST_F(StreamsOfStandIn, CopiesRowsThatLieApart) {
  std::vector<int> host(12, 0);
  std::vector<int> numbers(6);
  std::iota(numbers.begin(), numbers.end(), 1);
  DeviceArray<int> compact(numbers);
  constexpr std::size_t i = sizeof(int);
  const auto copy = [&](std::size_t to_pitch, std::size_t from_pitch, std::size_t width,
                        std::size_t rows) {
    return cudaMemcpy2DAsync(host.data() + 1, to_pitch, compact.data(), from_pitch, width, rows,
                             cudaMemcpyDeviceToHost, one_);
  };
  EXPECT_EQ(copy(4 * i, 2 * i, 2 * i, 3), cudaSuccess);
  EXPECT_EQ(host, std::vector<int>(12, 0));
  EXPECT_EQ(cudaStreamSynchronize(one_), cudaSuccess);
  EXPECT_EQ(host, (std::vector<int>{0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0}));
  EXPECT_EQ(copy(4 * i, 2 * i, 2 * i, 0), cudaSuccess);
  EXPECT_EQ(copy(4 * i, 2 * i, 2 * i, 4), cudaErrorInvalidValue) << "beyond the device's array";
  EXPECT_EQ(copy(1 * i, 2 * i, 2 * i, 3), cudaErrorInvalidValue) << "rows that overlap";
  EXPECT_EQ(copy(4 * i, 1 * i, 2 * i, 3), cudaErrorInvalidValue);
  EXPECT_EQ(copy(std::size_t{1} << 31, 2 * i, 2 * i, 1), cudaErrorInvalidValue) << "as in CUDA";
}

// What is recorded is done when the graph is launched, each time, and in the stream that it is
// given.
TEST_F(StreamsOfStandIn, AGraphHasTheLaunchesOfAStream) {
  DeviceArray<int> out(std::vector<int>{0});
  cudaGraph_t graph = nullptr;
  must(cudaStreamBeginCapture(one_, cudaStreamCaptureModeThreadLocal));
  launch_set(out, 1, one_);
  launch_set(out, 2, one_);
  launch_set(out, 3, nullptr);
  EXPECT_EQ(seen(out), 3) << "of another stream";
  must(cudaStreamEndCapture(one_, &graph));
  must(cudaDeviceSynchronize());
  EXPECT_EQ(seen(out), 3) << "nothing is done yet";
  cudaGraphExec_t executable = nullptr;
  must(cudaGraphInstantiate(&executable, graph));
  must(cudaGraphDestroy(graph));
  must(cudaGraphLaunch(executable, other_));
  EXPECT_EQ(seen(out), 3) << "late";
  must(cudaStreamSynchronize(other_));
  EXPECT_EQ(seen(out), 2) << "in their order";
  launch_set(out, 4, nullptr);
  must(cudaGraphLaunch(executable, nullptr));
  EXPECT_EQ(seen(out), 2) << "again";
  must(cudaGraphExecDestroy(executable));
}

TEST_F(StreamsOfStandIn, AGraphHasTheCopiesOfAStream) {
  DeviceArray<int> from(std::vector<int>{7});
  DeviceArray<int> to(std::vector<int>{1});
  cudaGraph_t graph = nullptr;
  must(cudaStreamBeginCapture(one_, cudaStreamCaptureModeGlobal));
  must(cudaMemcpyAsync(to.data(), from.data(), sizeof(int), cudaMemcpyDeviceToDevice, one_));
  must(cudaMemsetAsync(from.data(), 0, sizeof(int), one_));
  must(cudaStreamEndCapture(one_, &graph));
  EXPECT_EQ(seen(to), 1) << "nothing is done yet";
  cudaGraphExec_t executable = nullptr;
  must(cudaGraphInstantiate(&executable, graph));
  must(cudaGraphDestroy(graph));
  must(cudaGraphLaunch(executable, other_));
  must(cudaStreamSynchronize(other_));
  EXPECT_EQ(seen(to), 7);
  EXPECT_EQ(seen(from), 0);
  must(cudaGraphExecDestroy(executable));
}

TEST_F(StreamsOfStandIn, WhatCannotBeRecordedIsRefused) {
  cudaGraph_t graph = nullptr;
  const auto mode = cudaStreamCaptureModeGlobal;
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, mode), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(one_, &graph), cudaErrorIllegalState);
  must(cudaStreamBeginCapture(one_, mode));
  EXPECT_EQ(cudaStreamBeginCapture(one_, mode), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamSynchronize(one_), cudaErrorStreamCaptureUnsupported);
  must(cudaStreamEndCapture(one_, &graph));
  must(cudaGraphDestroy(graph));
  must(cudaStreamSynchronize(one_));
}

}  // namespace
}  // namespace bench::cuda::stand_in

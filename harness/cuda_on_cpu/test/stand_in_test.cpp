#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "harness/cuda/kernel.hpp"
#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/test/device_array.hpp"

namespace bench::cuda::stand_in {
namespace {

// ---- kernels ----

__global__ void nothing() {}

__global__ void write_position(unsigned* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned per_block = blockDim.x * blockDim.y * blockDim.z;
  // A barrier must not mix up who is who.
  __syncthreads();
  out[block * per_block + thread] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z +
                                    1'000 * blockIdx.x + 10'000 * blockIdx.y + 100'000 * blockIdx.z;
}

__global__ void note_order(unsigned* order, unsigned* next) {
  order[atomicAdd(next, 1U)] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void note_order_behind_barrier(unsigned* order, unsigned* next) {
  __syncthreads();
  order[atomicAdd(next, 1U)] = blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void rotate(unsigned* out, unsigned rounds) {
  __shared__ unsigned ring[1024];
  ring[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned value = ring[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    ring[threadIdx.x] = value;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = ring[threadIdx.x];
}

__global__ void look_then_soil(unsigned* static_words, unsigned* dynamic_words) {
  __shared__ unsigned words[3];
  __shared__ unsigned char odd_bytes[5];
  auto* dynamic = dynamic_shared<unsigned>();
  if (threadIdx.x == 0) {
    for (unsigned i = 0; i < 3; ++i) static_words[blockIdx.x * 3 + i] = words[i];
    for (unsigned i = 0; i < 3; ++i) dynamic_words[blockIdx.x * 3 + i] = dynamic[i];
    for (unsigned char& byte : odd_bytes) static_words[blockIdx.x * 3] |= byte == 0 ? 1U : 0U;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 3; i += blockDim.x) words[i] = dynamic[i] = 0;
  for (unsigned i = threadIdx.x; i < 5; i += blockDim.x) odd_bytes[i] = 0;
}

__global__ void look_at_poison(float* single, double* both) {
  __shared__ float f;
  __shared__ double d;
  *single = f;
  *both = d;
}

template <class T>
__global__ void add_one(T* sum, T* old_values) {
  old_values[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(sum, T{1});
}

__global__ void trap_in_one(unsigned chosen) {
  if (threadIdx.x == chosen) __trap();
  __syncthreads();
}

__global__ void return_early(unsigned staying) {
  if (threadIdx.x >= staying) return;
  __syncthreads();
}

__global__ void deep_stack(int* out) {
  volatile int space[8'000];
  space[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = space[threadIdx.x];
}

// ---- the language ----

class StandIn : public testing::Test {
 protected:
  void SetUp() override {
    plug_in();
    set_order(Order::fixed);
  }
  void TearDown() override {
    EXPECT_EQ(allocated_bytes(), 0U);
    unplug();
  }
};

TEST_F(StandIn, ThreadsKnowWhoTheyAre) {
  const dim3 grid(3, 2, 4);
  const dim3 block(4, 3, 2);
  for (const Order order : {Order::fixed, Order::shuffled}) {
    set_order(order, 7);
    DeviceArray<unsigned> out(24 * 24);
    run_kernel(write_position, grid, block, 0, out.data());
    std::vector<unsigned> expected;
    for (unsigned k = 0; k < 4; ++k) {
      for (unsigned j = 0; j < 2; ++j) {
        for (unsigned i = 0; i < 3; ++i) {
          for (unsigned thread = 0; thread < 24; ++thread) {
            expected.push_back(thread % 4 + 10 * (thread / 4 % 3) + 100 * (thread / 12) +
                               1'000 * i + 10'000 * j + 100'000 * k);
          }
        }
      }
    }
    EXPECT_EQ(out.values(), expected);
  }
}

std::vector<unsigned> order_of(void (*kernel)(unsigned*, unsigned*)) {
  DeviceArray<unsigned> order(32);
  DeviceArray<unsigned> next(std::vector<unsigned>{0});
  run_kernel(kernel, 4, 8, 0, order.data(), next.data());
  return order.values();
}

TEST_F(StandIn, OrderIsFixedOrShuffled) {
  std::vector<unsigned> by_index(32);
  std::iota(by_index.begin(), by_index.end(), 0U);
  for (auto* kernel : {note_order, note_order_behind_barrier}) {
    set_order(Order::fixed);
    EXPECT_EQ(order_of(kernel), by_index);
    set_order(Order::shuffled, 1);
    const std::vector<unsigned> one = order_of(kernel);
    const std::vector<unsigned> next = order_of(kernel);
    EXPECT_NE(one, by_index);
    EXPECT_NE(one, next);
    set_order(Order::shuffled, 1);
    EXPECT_EQ(order_of(kernel), one);
    set_order(Order::shuffled, 2);
    EXPECT_NE(order_of(kernel), one);
    // Each thread once, and blocks one after another.
    std::vector<unsigned> sorted = one;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, by_index);
    for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(one[i] / 8, one[i / 8 * 8] / 8);
  }
}

TEST_F(StandIn, BarriersHoldForBlocksOfAnySize) {
  for (const Order order : {Order::fixed, Order::shuffled}) {
    for (const unsigned block : {1U, 2U, 33U, 256U, 1024U, 5U}) {
      set_order(order, block);
      const unsigned rounds = 3;
      DeviceArray<unsigned> out(std::size_t{3} * block);
      run_kernel(rotate, 3, block, 0, out.data(), rounds);
      const std::vector<unsigned> found = out.values();
      for (unsigned i = 0; i < found.size(); ++i)
        ASSERT_EQ(found[i], (i + rounds) % block) << block;
    }
  }
}

TEST_F(StandIn, SharedMemoryIsPoisonedForEachBlock) {
  constexpr unsigned poisoned = 0x7ff4dead;
  for (const unsigned threads : {1U, 2U, 4U}) {
    DeviceArray<unsigned> static_words(12);
    DeviceArray<unsigned> dynamic_words(12);
    run_kernel(look_then_soil, 4, threads, 13, static_words.data(), dynamic_words.data());
    EXPECT_EQ(static_words.values(), std::vector<unsigned>(12, poisoned));
    EXPECT_EQ(dynamic_words.values(), std::vector<unsigned>(12, poisoned));
  }
}

TEST_F(StandIn, PoisonIsNotANumber) {
  DeviceArray<float> single(1);
  DeviceArray<double> both(1);
  EXPECT_TRUE(std::isnan(single.values()[0]));
  EXPECT_TRUE(std::isnan(both.values()[0]));
  must(cudaMemset(single.data(), 0, sizeof(float)));
  must(cudaMemset(both.data(), 0, sizeof(double)));
  run_kernel(look_at_poison, 1, 1, 0, single.data(), both.data());
  EXPECT_TRUE(std::isnan(single.values()[0]));
  EXPECT_TRUE(std::isnan(both.values()[0]));
}

template <class T>
void expect_atomic() {
  DeviceArray<T> sum(std::vector<T>{T{5}});
  DeviceArray<T> old_values(64);
  run_kernel(add_one<T>, 4, 16, 0, sum.data(), old_values.data());
  EXPECT_EQ(sum.values()[0], T{69});
  std::vector<T> expected(64);
  std::iota(expected.begin(), expected.end(), T{5});
  std::vector<T> found = old_values.values();
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

TEST_F(StandIn, AtomicAddReturnsTheOldValue) {
  expect_atomic<int>();
  expect_atomic<unsigned>();
  expect_atomic<unsigned long long>();
  expect_atomic<float>();
  expect_atomic<double>();
}

TEST_F(StandIn, StacksSufficeForLocalArrays) {
  DeviceArray<int> out(100);
  run_kernel(deep_stack, 1, 100, 0, out.data());
  EXPECT_EQ(out.values()[99], 99);
}

// ---- launches ----

cudaError_t launch_nothing(dim3 grid, dim3 block, std::size_t shared_bytes = 0) {
  const cudaError_t status = cudaLaunchKernel(nothing, grid, block, nullptr, shared_bytes, nullptr);
  EXPECT_EQ(cudaGetLastError(), status);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  return status;
}

TEST_F(StandIn, LaunchLimitsAreThoseOfCuda) {
  EXPECT_EQ(launch_nothing(1, 1024, 48 * 1024), cudaSuccess);
  EXPECT_EQ(launch_nothing({1, 2, 3}, {4, 4, 64}), cudaSuccess);
  EXPECT_EQ(launch_nothing({1, 65'535, 1}, 1), cudaSuccess);
  EXPECT_EQ(launch_nothing(1, 1025), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_nothing(1, {33, 32}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_nothing(1, {65'536, 65'536}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_nothing(1, {1, 1, 65}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_nothing({1, 65'536}, 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_nothing({1, 1, 65'536}, 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch_nothing(0x80000000U, 1), cudaErrorInvalidConfiguration);
  for (unsigned zero = 0; zero < 3; ++zero) {
    const dim3 size(zero != 0, zero != 1, zero != 2);
    EXPECT_EQ(launch_nothing(size, 1), cudaErrorInvalidConfiguration);
    EXPECT_EQ(launch_nothing(1, size), cudaErrorInvalidConfiguration);
  }
  EXPECT_EQ(launch_nothing(1, 1, 48 * 1024 + 1), cudaErrorInvalidValue);
}

TEST_F(StandIn, LaunchNeedsAKernelAndAStream) {
  void (*none)() = nullptr;
  EXPECT_EQ(cudaLaunchKernel(none, 1, 1, nullptr), cudaErrorInvalidDeviceFunction);
  int something = 0;
  auto* stream = reinterpret_cast<cudaStream_t>(&something);
  EXPECT_EQ(cudaLaunchKernel(nothing, 1, 1, nullptr, 0, stream), cudaErrorInvalidResourceHandle);
}

void expect_lost(cudaError_t error) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cudaDeviceSynchronize(), error);
    EXPECT_EQ(cudaGetLastError(), error);
    EXPECT_EQ(cudaPeekAtLastError(), error);
    EXPECT_EQ(cudaLaunchKernel(nothing, 1, 1, nullptr), error);
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 1), error);
  }
  plug_in();
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  DeviceArray<unsigned> out(64);
  run_kernel(rotate, 1, 64, 0, out.data(), 2);
  EXPECT_EQ(out.values()[63], 1U);
}

template <class... A>
std::string failure_of(void (*kernel)(A...), dim3 grid, dim3 block, A... arguments) {
  testing::internal::CaptureStderr();
  void* pointers[] = {&arguments...};
  // As on a device, it is the next call that tells.
  EXPECT_EQ(cudaLaunchKernel(kernel, grid, block, pointers), cudaSuccess);
  expect_lost(cudaErrorLaunchFailure);
  return testing::internal::GetCapturedStderr();
}

TEST_F(StandIn, TrapLosesTheDevice) {
  for (const Order order : {Order::fixed, Order::shuffled}) {
    set_order(order, 3);
    EXPECT_EQ(failure_of(trap_in_one, {1, 2}, 8, 5U),
              "trap in thread (5,0,0) of block (0," +
                  std::string(order == Order::fixed ? "0" : "1") + ",0)\n");
  }
}

TEST_F(StandIn, ReturnBeforeABarrierLosesTheDevice) {
  for (const Order order : {Order::fixed, Order::shuffled}) {
    set_order(order);
    EXPECT_EQ(failure_of(return_early, 1, 4, 3U),
              "__syncthreads is reached by 3 of 4 threads of block (0,0,0): it is in an if, or "
              "others returned before it\n");
  }
}

// ---- the runtime ----

TEST_F(StandIn, SaysWhatItIs) {
  Device device;
  device.memory_bytes = 1'000;
  device.count = 2;
  device.multiprocessors = 3;
  device.blocks_per_multiprocessor = 4;
  device.name = "some device";
  device.bus_bits = 77;
  device.ecc = false;
  plug_in(device);
  int value = 0;
  EXPECT_EQ(cudaGetDeviceCount(&value), cudaSuccess);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDevice(&value), cudaSuccess);
  EXPECT_EQ(value, 1) << "the last one that was there";
  cudaDeviceProp first{};
  cudaDeviceProp second{};
  EXPECT_EQ(cudaGetDeviceProperties(&first, 0), cudaSuccess);
  EXPECT_EQ(cudaGetDeviceProperties(&second, 1), cudaSuccess);
  EXPECT_EQ(cudaGetDeviceProperties(&second, 2), cudaErrorInvalidDevice);
  EXPECT_STREQ(first.name, "some device");
  EXPECT_EQ(first.totalGlobalMem, 1'000U);
  EXPECT_EQ(first.multiProcessorCount, 3);
  EXPECT_EQ(first.ECCEnabled, 0);
  EXPECT_NE(std::memcmp(&first.uuid, &second.uuid, sizeof first.uuid), 0);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrGlobalMemoryBusWidth, 0), cudaSuccess);
  EXPECT_EQ(value, 77);
  char id[13];
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 1), cudaSuccess);
  EXPECT_STREQ(id, "0000:02:00.0");
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id - 1, 1), cudaErrorInvalidValue);
  const auto* kernel = reinterpret_cast<const void*>(nothing);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, kernel, 256, 0), cudaSuccess);
  EXPECT_EQ(value, 4);
  EXPECT_EQ(cudaDriverGetVersion(&value), cudaSuccess);
  EXPECT_EQ(value, 12'040);
  EXPECT_EQ(cudaRuntimeGetVersion(&value), cudaSuccess);
  EXPECT_EQ(value, 12'040);
}

TEST_F(StandIn, MemoryIsCountedAndRunsOut) {
  Device device;
  device.memory_bytes = 1'000;
  plug_in(device);
  void* first = nullptr;
  void* second = nullptr;
  EXPECT_EQ(cudaMalloc(&first, 600), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0U);
  EXPECT_EQ(cudaMalloc(&second, 401), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaMalloc(&second, SIZE_MAX), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 400), cudaSuccess);
  std::size_t free = 1;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, 0U);
  EXPECT_EQ(total, 1'000U);
  EXPECT_EQ(cudaFree(first), cudaSuccess);
  EXPECT_EQ(allocated_bytes(), 400U);
  EXPECT_EQ(cudaFree(first), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(static_cast<char*>(second) + 256), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(&free), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&second, 0), cudaSuccess);
  EXPECT_EQ(second, nullptr);
}

TEST_F(StandIn, CopiesAndSetsDeviceMemoryOnly) {
  std::vector<int> host{1, 2, 3, 4};
  const std::size_t bytes = host.size() * sizeof(int);
  DeviceArray<int> a(host);
  DeviceArray<int> b(4);
  EXPECT_EQ(cudaMemcpyAsync(b.data(), a.data(), bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(b.data(), 0, sizeof(int)), cudaSuccess);
  EXPECT_EQ(b.values(), (std::vector<int>{0, 2, 3, 4}));
  EXPECT_EQ(cudaMemsetAsync(b.data() + 3, 0xff, sizeof(int)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(host.data(), b.data() + 2, 8, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(host, (std::vector<int>{3, -1, 3, 4}));

  EXPECT_EQ(cudaMemcpy(host.data(), a.data(), bytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a.data(), host.data(), bytes, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(a.data() + 1, host.data(), bytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  // What is on the device is not the host's, whatever else is right.
  EXPECT_EQ(cudaMemcpy(b.data(), a.data(), bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(b.data(), a.data(), bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(b.data(), a.data(), bytes, cudaMemcpyHostToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(b.data(), a.data(), bytes, cudaMemcpyDefault), cudaSuccess);
  void* both = nullptr;
  ASSERT_EQ(cudaMallocManaged(&both, bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(both, a.data(), bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(both, a.data(), bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaFree(both), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(a.data(), host.data(), bytes, static_cast<cudaMemcpyKind>(5)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemset(host.data(), 0, bytes), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(a.data(), 0, bytes + 1), cudaErrorInvalidValue);
  EXPECT_EQ(a.values(), (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(StandIn, HostMemoryIsRegisteredOnce) {
  std::vector<char> memory(100);
  EXPECT_EQ(cudaHostRegister(memory.data(), 50, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(memory.data() + 49, 1, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostRegister(memory.data() + 50, 50, 0), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(memory.data(), 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(memory.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(memory.data()), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostUnregister(memory.data() + 50), cudaSuccess);
}

TEST_F(StandIn, RegisteredMemoryHasAnAddressOnTheDevice) {
  std::vector<char> memory(100);
  void* found = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&found, memory.data(), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(memory.data(), 50, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&found, memory.data() + 49, 0), cudaSuccess);
  EXPECT_NE(found, nullptr);
  EXPECT_EQ(cudaHostGetDevicePointer(&found, memory.data() + 50, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(memory.data()), cudaSuccess);
}

TEST_F(StandIn, ManagedMemoryIsThatOfHostAndDevice) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMallocManaged(&memory, 0), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMallocManaged(&memory, 4 * sizeof(int)), cudaSuccess);
  static_cast<int*>(memory)[3] = 1;
  EXPECT_EQ(cudaMemset(memory, 0, 2 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(static_cast<int*>(memory)[3], 1);
  EXPECT_EQ(static_cast<int*>(memory)[1], 0);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  Device without;
  without.managed_memory = false;
  plug_in(without);
  EXPECT_EQ(cudaMallocManaged(&memory, 4), cudaErrorNotSupported);
}

TEST_F(StandIn, EventsTellTheTime) {
  cudaEvent_t start = nullptr;
  cudaEvent_t end = nullptr;
  EXPECT_EQ(cudaEventCreate(&start), cudaSuccess);
  EXPECT_EQ(cudaEventCreate(&end), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 0);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
}

TEST(StandInErrors, HaveCudasNumbersNamesAndWords) {
  EXPECT_EQ(static_cast<int>(cudaErrorNoDevice), 100);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorNoDevice), "cudaErrorNoDevice");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorNoDevice), "no CUDA-capable device is detected");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(998)), "unrecognized error code");
}

// ---- failures ----

struct Call {
  const char* function;
  cudaError_t (*call)();
};

int an_int;
std::size_t a_size;
float a_float;
char some_text[64];
void* an_address;
cudaEvent_t an_event;
cudaEvent_t a_mere_event;
cudaStream_t a_stream;
cudaDeviceProp some_properties;

const Call calls[] = {
    {"cudaGetDeviceCount", [] { return cudaGetDeviceCount(&an_int); }},
    {"cudaSetDevice", [] { return cudaSetDevice(0); }},
    {"cudaGetDevice", [] { return cudaGetDevice(&an_int); }},
    {"cudaGetDeviceProperties", [] { return cudaGetDeviceProperties(&some_properties, 0); }},
    {"cudaDeviceGetAttribute",
     [] { return cudaDeviceGetAttribute(&an_int, cudaDevAttrClockRate, 0); }},
    {"cudaDeviceGetPCIBusId", [] { return cudaDeviceGetPCIBusId(some_text, 64, 0); }},
    {"cudaMemGetInfo", [] { return cudaMemGetInfo(&a_size, &a_size); }},
    {"cudaMalloc", [] { return cudaMalloc(&an_address, 8); }},
    {"cudaMemset", [] { return cudaMemset(an_address, 0, 8); }},
    {"cudaMemsetAsync", [] { return cudaMemsetAsync(an_address, 0, 8, nullptr); }},
    {"cudaMemcpy", [] { return cudaMemcpy(some_text, an_address, 8, cudaMemcpyDeviceToHost); }},
    {"cudaMemcpyAsync",
     [] { return cudaMemcpyAsync(an_address, some_text, 8, cudaMemcpyHostToDevice, nullptr); }},
    {"cudaMemcpy2DAsync",
     [] {
       return cudaMemcpy2DAsync(an_address, 4, some_text, 6, 4, 2, cudaMemcpyHostToDevice, nullptr);
     }},
    {"cudaFree", [] { return cudaFree(std::exchange(an_address, nullptr)); }},
    {"cudaHostRegister", [] { return cudaHostRegister(some_text, 64, 0); }},
    {"cudaHostUnregister", [] { return cudaHostUnregister(some_text); }},
    {"cudaEventCreate", [] { return cudaEventCreate(&an_event); }},
    {"cudaEventRecord", [] { return cudaEventRecord(an_event, nullptr); }},
    {"cudaEventSynchronize", [] { return cudaEventSynchronize(an_event); }},
    {"cudaEventElapsedTime", [] { return cudaEventElapsedTime(&a_float, an_event, an_event); }},
    {"cudaEventDestroy", [] { return cudaEventDestroy(std::exchange(an_event, nullptr)); }},
    {"cudaStreamCreateWithFlags",
     [] { return cudaStreamCreateWithFlags(&a_stream, cudaStreamNonBlocking); }},
    {"cudaEventCreateWithFlags",
     [] { return cudaEventCreateWithFlags(&a_mere_event, cudaEventDisableTiming); }},
    {"cudaStreamWaitEvent", [] { return cudaStreamWaitEvent(a_stream, a_mere_event); }},
    {"cudaStreamSynchronize", [] { return cudaStreamSynchronize(nullptr); }},
    {"cudaStreamQuery", [] { return cudaStreamQuery(nullptr); }},
    {"cudaStreamDestroy",
     [] {
       cudaEventDestroy(std::exchange(a_mere_event, nullptr));
       return cudaStreamDestroy(std::exchange(a_stream, nullptr));
     }},
    {"cudaDeviceSynchronize", [] { return cudaDeviceSynchronize(); }},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor",
     [] {
       const auto* kernel = reinterpret_cast<const void*>(nothing);
       return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&an_int, kernel, 64, 0);
     }},
    {"cudaLaunchKernel", [] { return cudaLaunchKernel(nothing, 1, 1, nullptr, 0, nullptr); }},
};

void expect_of_all_calls(cudaError_t error) {
  for (const Call& call : calls) EXPECT_EQ(call.call(), error) << call.function;
}

// CTest runs it in a process of its own, where nobody has plugged anything in.
TEST(StandInFailures, WithoutADeviceNothingWorks) {
  an_int = 42;
  expect_of_all_calls(cudaErrorNoDevice);
  EXPECT_EQ(an_int, 42);
  int version = -1;
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 0);
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNoDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);

  plug_in();
  expect_of_all_calls(cudaSuccess);
  unplug(cudaErrorInsufficientDriver);
  an_int = 42;
  expect_of_all_calls(cudaErrorInsufficientDriver);
  EXPECT_EQ(an_int, 42);
  unplug();
}

TEST(StandInFailures, HappenOnceAndWhereAskedFor) {
  plug_in();
  // All calls before it are made first, so that they are on what they need.
  for (const Call& failing : calls) {
    fail_next(failing.function, cudaErrorUnknown);
    for (const Call& call : calls) {
      EXPECT_EQ(failure_pending(), &call <= &failing);
      const cudaError_t status = call.call();
      if (&call <= &failing) {
        EXPECT_EQ(status, &call < &failing ? cudaSuccess : cudaErrorUnknown) << call.function;
      }
    }
    EXPECT_NE(cudaGetLastError(), cudaSuccess) << failing.function;
    cudaHostUnregister(some_text);
    cudaGetLastError();
    expect_of_all_calls(cudaSuccess);
  }
  fail_next("cudaDriverGetVersion", cudaErrorUnknown);
  EXPECT_EQ(cudaDriverGetVersion(&an_int), cudaErrorUnknown);
  EXPECT_EQ(cudaDriverGetVersion(&an_int), cudaSuccess);
  fail_next("cudaRuntimeGetVersion", cudaErrorUnknown);
  EXPECT_EQ(cudaRuntimeGetVersion(&an_int), cudaErrorUnknown);
  EXPECT_FALSE(failure_pending());
  unplug();
}

TEST(StandInFailures, StayIfTheDeviceIsLost) {
  plug_in();
  void* memory = nullptr;
  must(cudaMalloc(&memory, 100));
  cudaEvent_t event = nullptr;
  must(cudaEventCreate(&event));
  fail_next("cudaMemGetInfo", cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&a_size, &a_size), cudaErrorIllegalAddress);
  // Freed all the same: otherwise every test of lost devices would leak.
  EXPECT_EQ(cudaFree(memory), cudaErrorIllegalAddress);
  EXPECT_EQ(allocated_bytes(), 0U);
  EXPECT_EQ(cudaEventDestroy(event), cudaErrorIllegalAddress);
  expect_of_all_calls(cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  plug_in();
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  expect_of_all_calls(cudaSuccess);
  unplug();
}

}  // namespace
}  // namespace bench::cuda::stand_in

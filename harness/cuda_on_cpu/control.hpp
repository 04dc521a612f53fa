// What tests do with the stand-in: plug the device in, pull it out, let calls fail, change the
// order in which threads run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/cuda_on_cpu/cuda_runtime.hpp"

namespace bench::cuda::stand_in {

/// What the stand-in says of itself.
struct Device {
  std::size_t memory_bytes = std::size_t{256} << 20;
  int count = 1;  ///< devices of this kind
  int multiprocessors = 2;
  int slow = -1;                      ///< copies of this device take longer
  int other_multiprocessors = 2;      ///< those of the devices from the second on
  int blocks_per_multiprocessor = 2;  ///< that fit at once, whatever their size
  int registers = 32;                 ///< per thread of every kernel
  unsigned lanes = 32;                ///< of a warp; 64 where kernels are compiled for that
  const char* name = "stand-in: kernel logic executed on the CPU";
  int major = 9;
  int minor = 0;
  int l2_bytes = 4 << 20;
  bool managed_memory = true;
  bool concurrent_managed_access = true;
  bool managed_stays = false;           ///< the host reads managed memory on the device
  int opt_in_shared_bytes = 227 << 10;  ///< per block, for kernels that ask
  bool ecc = true;
  int clock_khz = 1'000'000;
  int memory_clock_khz = 1'000'000;
  int bus_bits = 1024;
  int driver_version = 12'040;
  int runtime_version = 12'040;
};

/// The program counts as one with CUDA from now on: whole runs then measure the stand-in.
void pose_as_cuda();
bool poses_as_cuda();

/// Adds a device and forgets all errors, sticky ones too. Memory that was allocated before stays
/// allocated.
void plug_in(const Device& device = {});

/// Makes every call that needs a device return `error`, as it does from the beginning.
void unplug(cudaError_t error = cudaErrorNoDevice);

/// The next call of this runtime function ("cudaMalloc") returns `error` and does nothing else;
/// only what frees something frees it all the same.
void fail_next(const char* function, cudaError_t error);

/// Whether a failure that was asked for has not happened yet.
bool failure_pending();

/// Device memory that is allocated.
std::size_t allocated_bytes();

/// Lets AddressSanitizer stop host code that touches device memory, as a GPU's own memory is out of
/// its reach; managed memory is not.
void keep_host_out();

/// Executes nothing from now on: launches are looked at, as long as the host has not seen what they
/// would have computed. There is as much memory as anybody asks for, and nobody may use it.
void look_only();
bool looks_only();
/// The host has seen something that the device has computed.
void seen_by_host();

/// Fills new memory with zeros from now on, as no device guarantees: a variant that is right so,
/// and else is not, has not set its memory.
void start_with_zeros();

/// Whether kernels may use what is there: the device's memory, or pinned memory of the host.
bool within_reach(const void* memory);

/// Whether a thread of a kernel runs, not the host.
bool in_kernel();

/// fixed: threads and blocks by their index. shuffled: blocks in some other order, and threads too,
/// a new one after each barrier.
enum class Order { fixed, shuffled };
void set_order(Order order, std::uint64_t seed = 0);

/// When the work of streams is done. late: that of the default stream at once, that of the others
/// only when a call waits for it; early: the other way round. What does not wait for what it
/// needs comes too early with the one or the other.
enum class Streams { late, early };
void set_streams(Streams when);

}  // namespace bench::cuda::stand_in

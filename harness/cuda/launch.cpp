#include "harness/cuda/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "harness/base/reason.hpp"
#include "harness/cuda/error.hpp"
#include "harness/cuda/launch_shape.hpp"

namespace bench::cuda {
namespace {

// CUDA has one current device and one last error per process; so have launches.
std::optional<LaunchShape> recorded;
const void* recorded_kernel = nullptr;
Overrides chosen;
cudaStream_t stream = nullptr;

unsigned block_count(std::size_t n, unsigned block) {
  constexpr std::size_t most = std::numeric_limits<int>::max();  // of a grid, in x
  const std::size_t blocks = n / block + (n % block > 0 ? 1 : 0);
  if (blocks > most) throw Error(fmt::format("{} elements need more blocks than a grid has", n));
  return static_cast<unsigned>(blocks);
}

/// The user's choice, or else the variant's.
unsigned block_size(unsigned block) { return chosen.block > 0 ? chosen.block : block; }

int device_in_use() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

int attribute(cudaDeviceAttr wanted, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, wanted, device), "cudaDeviceGetAttribute");
  return value;
}

/// Nothing where the runtime does not say.
void add_occupancy(LaunchShape& shape) {
  const auto threads = static_cast<int>(shape.block[0] * shape.block[1] * shape.block[2]);
  cudaFuncAttributes kernel{};
  int blocks = 0;
  int device = 0;
  const bool known = cudaGetDevice(&device) == cudaSuccess &&
                     cudaFuncGetAttributes(&kernel, recorded_kernel) == cudaSuccess &&
                     cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                         &blocks, recorded_kernel, threads, shape.shared_bytes) == cudaSuccess;
  const int most = known_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device).value_or(0);
  if (!known || most <= 0) {
    cudaGetLastError();
    return;
  }
  // Threads come in whole warps.
  const int warp = known_attribute(cudaDevAttrWarpSize, device).value_or(32);
  const int held = blocks * ((threads + warp - 1) / warp * warp);
  shape.registers = kernel.numRegs;
  shape.blocks_per_multiprocessor = blocks;
  shape.occupancy = static_cast<double>(held) / most;
}

}  // namespace

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // it is reported here, and nowhere else
  const auto text =
      fmt::format("{}: {} ({})", what, cudaGetErrorString(status), cudaGetErrorName(status));
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(text);
  throw Error(text);
}

void check_launch(cudaError_t status) {
  if (status == cudaErrorLaunchOutOfResources && chosen.block > 0) {
    cudaGetLastError();
    throw Unavailable(fmt::format(
        "a block of {} threads takes more registers or shared memory than there is", chosen.block));
  }
  check(status, "launch");
}

std::optional<int> known_attribute(cudaDeviceAttr wanted, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, wanted, device) == cudaSuccess) return value;
  cudaGetLastError();
  return {};
}

Configuration per_element(std::size_t n, unsigned block) {
  const unsigned threads = block_size(block);
  return {block_count(n, threads), threads, 0, true, false};
}

Configuration fill_device(std::size_t n, unsigned block, unsigned blocks_held,
                          std::size_t shared_bytes) {
  const unsigned threads = block_size(block);
  const unsigned enough = std::min(block_count(n, threads), blocks_held);
  return {chosen.grid > 0 && n > 0 ? chosen.grid : enough, threads, shared_bytes, true, true};
}

std::size_t most_shared_bytes() {
  const int bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_in_use());
  return std::max(unasked_shared_bytes, static_cast<std::size_t>(bytes));
}

unsigned blocks_held(const void* kernel, unsigned block, std::size_t shared_bytes) {
  static std::map<std::tuple<const void*, unsigned, std::size_t, int>, unsigned> known;
  const unsigned threads = block_size(block);
  const int device = device_in_use();
  const std::tuple key(kernel, threads, shared_bytes, device);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (shared_bytes > unasked_shared_bytes) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(most_shared_bytes())),
          "cudaFuncSetAttribute");
  }
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads),
                                                      shared_bytes),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return known[key] = static_cast<unsigned>(std::max(1, blocks * multiprocessors));
}

std::size_t threads_held(const void* kernel, unsigned block, std::size_t shared_bytes) {
  return std::size_t{blocks_held(kernel, block, shared_bytes)} * block_size(block);
}

cudaStream_t current_stream() { return stream; }

void use_stream(cudaStream_t chosen_stream) { stream = chosen_stream; }

void record(const void* kernel, const Configuration& configuration) {
  const auto xyz = [](const dim3& size) { return std::array{size.x, size.y, size.z}; };
  LaunchShape all = recorded.value_or(LaunchShape{});
  ++all.launches;
  all.grid = xyz(configuration.grid);
  all.block = xyz(configuration.block);
  all.shared_bytes = configuration.shared_bytes;
  all.chosen_block |= configuration.leaves_block && configuration.block.x == chosen.block;
  all.chosen_grid |= configuration.leaves_grid && configuration.grid.x == chosen.grid;
  recorded = all;
  recorded_kernel = kernel;
}

std::optional<LaunchShape> last_launch() {
  std::optional<LaunchShape> shape = recorded;
  if (shape) add_occupancy(*shape);
  return shape;
}

void forget_launch() { recorded.reset(); }

void override_configuration(const Overrides& wanted) { chosen = wanted; }

const Overrides& overrides() { return chosen; }

}  // namespace bench::cuda

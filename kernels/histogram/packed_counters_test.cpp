// Executed on the CPU, where the order of threads is chosen, with counters of few bits, which
// overflow thousands of times.
#include "kernels/histogram/packed_counters.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "harness/cuda/test/support.hpp"
#include "harness/cuda_on_cpu/control.hpp"

namespace kernels::histogram {
namespace {

using bench::cuda::stand_in::Order;
using Narrow = PackedCounters<4>;

constexpr unsigned block = 8;  // no more than half of what a counter holds
static_assert(block <= Narrow::half);
constexpr unsigned rounds = 500;

// All threads add to both counters of the one word.
__global__ void both_of_a_word(unsigned* counts) {
  auto* const table = bench::cuda::dynamic_shared<unsigned>();
  if (threadIdx.x == 0) table[0] = 0;
  __syncthreads();
  const Narrow counters(table, 2);
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned counter = (threadIdx.x + round) % 2;
    counters.add(counter, 1, [=](unsigned moved) { atomicAdd(&counts[counter], moved); });
    __syncthreads();
  }
  if (threadIdx.x < 2) atomicAdd(&counts[threadIdx.x], counters.value(threadIdx.x));
}

class PackedCountersOnCpu : public bench::test::WithDevice {};

TEST_F(PackedCountersOnCpu, LoseNothingInAnyOrder) {
  const bench::cuda::DeviceBuffer counts(2 * sizeof(unsigned));
  auto* const there = static_cast<unsigned*>(counts.data());
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    bench::cuda::stand_in::set_order(Order::shuffled, seed);
    bench::cuda::zero(there, 2);
    bench::cuda::Configuration shape{1, block};
    shape.shared_bytes = sizeof(unsigned);
    bench::cuda::launch(both_of_a_word, shape, there);
    std::array<unsigned, 2> found{};
    counts.download(found.data());
    device().wait();
    const unsigned each = rounds * block / 2;
    EXPECT_EQ(found, (std::array{each, each})) << "in order " << seed;
  }
  bench::test::shuffle_threads(false);
}

TEST(PackedCountersOfKernels, HoldAllThatIsAddedBetweenTwoBarriers) {
  EXPECT_EQ(PackedCounters<16>::half, 0x8000U);
  EXPECT_EQ(PackedCounters<16>::words(65'536), 32'768U);
  EXPECT_EQ(PackedCounters<16>::words(3), 2U);
}

}  // namespace
}  // namespace kernels::histogram

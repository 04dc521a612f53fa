// The usual bugs of kernels, planted: each must be caught by at least one of the three builds, and
// what is right must pass in all of them.
#include "harness/cuda_on_cpu/test/planted.cu"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/sanitizers.hpp"
#include "harness/cuda_on_cpu/test/device_array.hpp"

#if defined(BENCH_TSAN)
// A process that ends with a race would sleep for a second.
extern "C" const char* __tsan_default_options() { return "halt_on_error=1 atexit_sleep_ms=0"; }
#endif

namespace bench::cuda::stand_in {
namespace {

constexpr unsigned blocks = 5;
constexpr unsigned block = tile_size;
constexpr std::size_t full = std::size_t{blocks} * block;
constexpr std::size_t odd = full - 13;  // the last block is not full, nor the last vector
constexpr Real limit = 50;

std::vector<Real> numbers(std::size_t n) {
  std::vector<Real> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<Real>(i * 37 % 101);
  return x;
}

std::vector<Real> turned(std::size_t n) {
  const std::vector<Real> x = numbers(n);
  std::vector<Real> out;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t size = std::min<std::size_t>(block, n - first);
    for (std::size_t i = 0; i < size; ++i) out.push_back(x[first + size - 1 - i]);
  }
  return out;
}

template <class Kernel>
bool turns(Kernel kernel, std::size_t shared_bytes, bool sound) {
  DeviceArray<Real> x(numbers(full));
  DeviceArray<Real> out(full);
  run_kernel(kernel, blocks, block, shared_bytes, x.data(), out.data(), sound);
  return out.values() == turned(full);
}

bool turns_with_barrier(bool sound) { return turns(turn, 0, sound); }
bool turns_within_array(bool sound) { return turns(turn_behind, 0, sound); }
bool turns_within_dynamic(bool sound) {
  return turns(turn_behind_dynamic, block * sizeof(Real), sound);
}

bool turns_warps(bool sound) {
  const std::vector<Real> values = numbers(full);
  std::vector<Real> expected;
  for (std::size_t i = 0; i < full; ++i) expected.push_back(values[i ^ 31U]);
  DeviceArray<Real> x(values);
  DeviceArray<Real> out(full);
  run_kernel(turn_warp, blocks, block, 0, x.data(), out.data(), sound);
  return out.values() == expected;
}

bool turns_last_block(bool sound) {
  DeviceArray<Real> x(numbers(odd));
  DeviceArray<Real> out(odd);
  run_kernel(turn_some, blocks, block, 0, x.data(), out.data(), odd, sound);
  return out.values() == turned(odd);
}

bool halves(bool sound) {
  const std::vector<Real> values = numbers(full);
  std::vector<Real> expected(blocks);
  for (std::size_t i = 0; i < full; ++i) expected[i / block] += values[i];
  DeviceArray<Real> x(values);
  DeviceArray<Real> sums(blocks);
  run_kernel(halve, blocks, block, 0, x.data(), sums.data(), sound);
  return sums.values() == expected;
}

bool counts_sides(bool sound) {
  const std::vector<Real> values = numbers(full);
  std::vector<unsigned> expected(2 * blocks);
  for (std::size_t i = 0; i < full; ++i) ++expected[2 * (i / block) + (values[i] < limit ? 0 : 1)];
  DeviceArray<Real> x(values);
  DeviceArray<unsigned> counts(2 * blocks);
  run_kernel(count_sides, blocks, block, 2 * sizeof(unsigned), x.data(), counts.data(), limit,
             sound);
  return counts.values() == expected;
}

bool counts_in_block(bool sound) {
  const std::vector<Real> values = numbers(full);
  std::vector<unsigned> expected(blocks);
  for (std::size_t i = 0; i < full; ++i) expected[i / block] += values[i] >= limit ? 1 : 0;
  DeviceArray<Real> x(values);
  DeviceArray<unsigned> counts(blocks);
  run_kernel(count_in_block, blocks, block, 0, x.data(), counts.data(), limit, sound);
  return counts.values() == expected;
}

bool adds_up(bool sound) {
  const std::vector<Real> values = numbers(blocks);
  Real expected = 0;
  for (const Real value : values) expected += value;
  DeviceArray<Real> x(values);
  DeviceArray<Real> sum(std::vector<Real>{0});
  run_kernel(add_up, blocks, 2, 0, x.data(), sum.data(), sound);
  return sum.values()[0] == expected;
}

template <class Kernel>
bool maps(Kernel kernel, bool sound, Real (*expected)(const std::vector<Real>&, std::size_t)) {
  const std::vector<Real> values = numbers(odd);
  DeviceArray<Real> x(values);
  DeviceArray<Real> out(odd);
  run_kernel(kernel, blocks, block, 0, x.data(), out.data(), odd, sound);
  const std::vector<Real> found = out.values();
  bool right = true;
  for (std::size_t i = 0; i < odd; ++i) right &= found[i] == expected(values, i);
  return right;
}

Real doubled(const std::vector<Real>& x, std::size_t i) { return x[i] * 2; }
Real same(const std::vector<Real>& x, std::size_t i) { return x[i]; }
Real difference(const std::vector<Real>& x, std::size_t i) {
  return i + 1 < x.size() ? x[i + 1] - x[i] : 0;
}

bool doubles_no_more(bool sound) { return maps(double_too_many, sound, doubled); }
bool doubles_no_less(bool sound) { return maps(double_too_few, sound, doubled); }
bool copies_tail(bool sound) { return maps(copy_wide, sound, same); }
bool differs(bool sound) { return maps(differences, sound, difference); }

bool shifts(bool sound) {
  const std::vector<Real> values = numbers(full + 1);
  DeviceArray<Real> x(values);
  DeviceArray<Real> out(full);
  run_kernel(shift_wide, blocks, block / ::Wide::lanes, 0, x.data(), out.data(), sound);
  return out.values() == std::vector<Real>(values.begin() + 1, values.end());
}

const char* const wrong = "wrong result";
const char* const overrun = "AddressSanitizer: .*-overflow";
const char* const race = "data race";
const char* const stuck = "__syncthreads is reached by 51 of 64 threads of block .4,0,0.";
const char* const unseen = nullptr;

struct Planted {
  const char* name;
  bool (*right)(bool sound);
  // What each build says of the bug.
  const char* in_plain;
  const char* in_asan;
  const char* in_tsan;
};

const Planted all_planted[] = {
    {"barrier_missing", turns_with_barrier, wrong, wrong, race},
    {"syncwarp_missing", turns_warps, wrong, wrong, race},
    {"barrier_missing_in_loop", halves, wrong, wrong, race},
    {"shared_memory_not_zeroed", counts_sides, wrong, wrong, wrong},
    {"not_atomic_in_block", counts_in_block, unseen, unseen, race},
    {"not_atomic_across_blocks", adds_up, unseen, unseen, race},
    {"one_too_many", doubles_no_more, unseen, overrun, unseen},
    {"one_too_few", doubles_no_less, wrong, wrong, wrong},
    {"tail_missing", copies_tail, wrong, wrong, wrong},
    {"wide_misaligned", shifts, unseen, "misaligned address", unseen},
    {"return_before_barrier", turns_last_block, stuck, stuck, stuck},
    {"behind_global_array", differs, unseen, overrun, unseen},
    {"behind_shared_array", turns_within_array, unseen, overrun, unseen},
    {"behind_dynamic_shared", turns_within_dynamic, unseen, overrun, unseen},
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }

/// Ends the process: 0 if nobody noticed the bug.
[[noreturn]] void convict(const Planted& planted) {
  bool right = false;
  try {
    right = planted.right(false);
  } catch (const Refused& refused) {
    std::fprintf(stderr, "refused: %s\n", refused.what());
    std::exit(2);
  }
  if (!right) std::fprintf(stderr, "wrong result\n");
  std::exit(right ? 0 : 1);
}

class PlantedBug : public testing::TestWithParam<std::tuple<Planted, Order>> {
 protected:
  void SetUp() override {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    plug_in();
    set_order(std::get<Order>(GetParam()), 2024);
  }
  void TearDown() override { unplug(); }
};

TEST_P(PlantedBug, IsCaught) {
  const auto& planted = std::get<Planted>(GetParam());
  const char* seen = tsan ? planted.in_tsan : asan ? planted.in_asan : planted.in_plain;
  if (seen == unseen) {
    ASSERT_TRUE(planted.in_asan != unseen || planted.in_tsan != unseen);
    return;  // another build catches it
  }
  EXPECT_DEATH(convict(planted), seen);
}

TEST_P(PlantedBug, IsNotSeenWhereItIsPutRight) {
  EXPECT_TRUE(std::get<Planted>(GetParam()).right(true));
  EXPECT_EQ(allocated_bytes(), 0U);
}

INSTANTIATE_TEST_SUITE_P(StandIn, PlantedBug,
                         testing::Combine(testing::ValuesIn(all_planted),
                                          testing::Values(Order::fixed, Order::shuffled)),
                         [](const testing::TestParamInfo<PlantedBug::ParamType>& test) {
                           const bool fixed = std::get<Order>(test.param) == Order::fixed;
                           return std::string(std::get<Planted>(test.param).name) +
                                  (fixed ? "_fixed" : "_shuffled");
                         });

}  // namespace
}  // namespace bench::cuda::stand_in

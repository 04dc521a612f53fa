#include "harness/cuda/workspace.hpp"

#include <gtest/gtest.h>

#include <cstddef>

#include "harness/base/reason.hpp"
#include "harness/cuda/test/support.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

class Workspace : public WithDevice {};

TEST_F(Workspace, StaysUntilMoreIsNeeded) {
  const std::size_t before = device().free_bytes();
  {
    cuda::Workspace memory;
    void* const first = memory.of(1000);
    EXPECT_NE(first, nullptr);
    EXPECT_EQ(memory.of(0), first);
    EXPECT_EQ(memory.of(1000), first);
    EXPECT_NE(memory.of(5000), nullptr);
    EXPECT_EQ(device().free_bytes(), before - 5000);
  }
  EXPECT_EQ(device().free_bytes(), before);
}

// CUB takes null for the question how much it needs.
TEST_F(Workspace, IsNeverNull) {
  cuda::Workspace memory;
  EXPECT_NE(memory.of(0), nullptr);
}

TEST_F(Workspace, WhereTheDeviceHasNoRoomTheReasonSaysSo) {
  cuda::Workspace memory;
  memory.of(1000);
  const auto call = [&] { memory.of(std::size_t{1} << 40U); };
  expect_contains(message_of<Unavailable>(call), "memory: the device has no 1099512 MB");
  EXPECT_NE(memory.of(1000), nullptr);
}

}  // namespace
}  // namespace bench::test

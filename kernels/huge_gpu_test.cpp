// Arrays beyond 2^31 bytes, and one beyond 2^31 elements, where an index of 32 bits would wrap. On
// a device only.

#include <gtest/gtest.h>

#include <string>

#include "harness/cuda/test/support.hpp"
#include "harness/measure/plan.hpp"
#include "harness/measure/runner.hpp"
#include "kernels/registry.hpp"

namespace {

class HugeArrays : public bench::test::WithDevice {
 protected:
  void expect_verified(const std::string& filter, const std::string& size) {
    bench::Settings settings;
    settings.filters = {filter};
    settings.sizes = {size};
    settings.with_cuda = true;
    settings.device = &device();
    settings.memory_allowance = [] { return bench::memory_allowance(); };
    for (bench::PlannedGroup& group : bench::plan(kernels::registry(), settings)) {
      std::erase_if(group.cases, [](const auto& one) { return one.identity.reference; });
      for (const bench::Case& result : bench::verify(group, settings).cases) {
        if (result.variant == "one_thread") continue;  // would take hours
        if (result.reason.starts_with("memory")) GTEST_SKIP() << result.reason;
        if (result.library && result.status == "skipped") continue;  // not on this node
        EXPECT_EQ(result.status, "verified") << result.name << ": " << result.reason;
      }
    }
  }
};

TEST_F(HugeArrays, Copy) { expect_verified("copy/cuda", "2147483655"); }
TEST_F(HugeArrays, Energy) { expect_verified("energy/cuda", "536870919"); }
TEST_F(HugeArrays, GaussianPdf) { expect_verified("gaussian_pdf/cuda", "536870919"); }
TEST_F(HugeArrays, Hypot) { expect_verified("hypot/cuda", "536870919"); }
TEST_F(HugeArrays, Histogram) { expect_verified("histogram/cuda", "536870919"); }
TEST_F(HugeArrays, Transpose) { expect_verified("transpose/cuda", "23171x23173"); }
TEST_F(HugeArrays, TransposeOfOneColumn) { expect_verified("transpose/cuda", "536870919x1"); }

}  // namespace

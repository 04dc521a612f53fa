// Arrays beyond 2^31 bytes, and one beyond 2^31 elements, where a 32-bit index would wrap. On a GPU
// only.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/cuda/test/support.hpp"
#include "harness/measure/runner.hpp"
#include "harness/plan/plan.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/registry.hpp"
#include "kernels/test_support.hpp"

namespace {

using kernels::test::Precise;

/// One GPU thread that works through 2 GB takes minutes.
bool by_one_thread(const bench::Case& one) {
  const std::string_view per_thread = one.workload == "column_sums" ? "column_per_thread"
                                      : one.workload == "row_norms" ? "row_per_thread"
                                                                    : "";
  return one.variant == per_thread && one.shape.at(one.workload == "column_sums" ? 1 : 0) == 1;
}

class HugeArrays : public bench::test::WithDevice, public testing::WithParamInterface<Precise> {
 protected:
  void expect_verified(const Precise& of, const std::string& size) {
    bench::Settings settings;
    settings.filters = {std::string(of.workload->name) + "/cuda"};
    settings.dtypes = {of.dtype};
    settings.sizes = {size};
    settings.with_cuda = true;
    settings.device = &device();
    settings.memory_allowance = [] { return bench::memory_allowance(); };
    for (bench::PlannedGroup& group : bench::plan(kernels::registry(), settings)) {
      std::erase_if(group.cases, [](const auto& one) {
        return one.identity.reference || by_one_thread(one.identity);
      });
      for (const bench::Case& result : bench::verify(group, settings).cases) {
        if (result.reason.text.starts_with("memory")) GTEST_SKIP() << result.reason;
        if (result.library && result.status == bench::Status::skipped)
          continue;  // not on this node
        EXPECT_EQ(result.status, kernels::test::expected_status(result))
            << result.name << ": " << result.reason;
      }
    }
  }
};

TEST_P(HugeArrays, BeyondTwoToThe31Bytes) {
  const bench::SizeFormat form = GetParam().workload->form;
  if (form == bench::SizeFormat::product) return expect_verified(GetParam(), "23171x23173x3");
  const bool matrix = bench::has_rows(form);
  for (const char* size : {"23171x23173", "536870919x1", "1x536870919"}) {
    if (matrix) expect_verified(GetParam(), size);
  }
  if (!matrix) expect_verified(GetParam(), "536870919");
}

class HugeCopy : public HugeArrays {};

TEST_F(HugeCopy, BeyondTwoToThe31Elements) {
  expect_verified({&kernels::copy::workload, bench::Dtype::f32}, "2147483655");
}

/// Each in its default precision, but those whose work would take years.
std::vector<Precise> all_workloads() {
  std::vector<Precise> all;
  for (const bench::Workload* workload : kernels::registry()) {
    if (workload->quadratic) continue;
    all.push_back({workload, workload->dtypes.front()});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, HugeArrays, testing::ValuesIn(all_workloads()),
                         [](const auto& of) { return of.param.text(); });

}  // namespace

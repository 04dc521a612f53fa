// The library routines of every workload in the registry.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/cuda/device.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/read/read.hpp"
#include "kernels/test_support.hpp"
#include "kernels/transpose/transpose.hpp"

namespace {

TEST(Library, RungsAreMarkedAndComeLast) {
  for (const auto& [workload, dtype] : kernels::test::all_precisions()) {
    std::string ended;  // the backend of which we have seen a library's
    for (const bench::BoundVariant& rung :
         workload->make(dtype, workload->tiny)->rungs(bench::simd::Isa::baseline)) {
      const std::string path = std::string(workload->name) + "/" + rung.variant;
      EXPECT_EQ(rung.variant.starts_with("library"), rung.library) << path;
      EXPECT_EQ(rung.idea.starts_with("library routine: "), rung.library) << path;
      EXPECT_TRUE(rung.library || rung.backend != ended) << path << " stands behind a library's";
      if (rung.library) ended = rung.backend;
    }
  }
}

// Library routines are found where they are compiled: cuBLAS everywhere, CUB with CUDA only.
TEST(Library, IsThereInEveryPrecision) {
  const auto count = [](const bench::Workload& workload, bench::Dtype dtype) {
    const auto rungs = workload.make(dtype, workload.tiny)->rungs(bench::simd::Isa::baseline);
    return std::count_if(rungs.begin(), rungs.end(),
                         [](const bench::BoundVariant& rung) { return rung.library; });
  };
  for (const auto& [workload, dtype] : kernels::test::all_precisions()) {
    // No BLAS of a processor multiplies halves.
    const auto wanted = dtype == bench::Dtype::f16 ? 1 : count(*workload, workload->dtypes.front());
    EXPECT_EQ(count(*workload, dtype), wanted) << workload->name;
  }
  EXPECT_EQ(count(kernels::copy::workload, bench::Dtype::f32), 1);
  EXPECT_EQ(count(kernels::transpose::workload, bench::Dtype::f32), 1);
  if (count(kernels::read::workload, bench::Dtype::f32) > 0) {
    EXPECT_TRUE(bench::cuda::built_with_cuda()) << "nobody else compiles CUB";
  }
}

}  // namespace

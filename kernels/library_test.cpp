// The rungs that are not ours, of every workload in the registry.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/cuda/device.hpp"
#include "kernels/registry.hpp"

namespace {

std::set<std::string> libraries(bench::Dtype dtype) {
  std::set<std::string> found;
  for (const bench::Workload* workload : kernels::registry()) {
    bool ours_ended = false;
    for (const bench::BoundVariant& rung :
         workload->make(dtype, workload->tiny)->rungs(bench::simd::Isa::baseline)) {
      const std::string path = std::string(workload->name) + "/" + rung.variant;
      EXPECT_EQ(rung.variant.starts_with("library"), rung.library) << path;
      EXPECT_EQ(rung.idea.starts_with("not ours: "), rung.library) << path;
      EXPECT_TRUE(rung.library || !ours_ended) << path << " stands behind a library's";
      ours_ended = ours_ended || rung.library;
      if (!rung.library) continue;
      EXPECT_EQ(rung.backend, "cuda") << path;
      found.insert(path);
    }
  }
  return found;
}

TEST(Library, RungsAreMarkedAndComeLast) {
  std::set<std::string> expected{"copy/library", "transpose/library"};
  const auto found = libraries(bench::Dtype::f32);
  if (found.contains("read/library")) {
    EXPECT_TRUE(bench::cuda::built_with_cuda()) << "nobody else compiles CUB";
    expected.insert({"read/library", "histogram/library_even", "histogram/library_range"});
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(libraries(bench::Dtype::f64), expected);
}

}  // namespace

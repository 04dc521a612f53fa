#include "harness/plan/input_files.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "harness/measure/test/fakes.hpp"
#include "harness/plan/npy.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

TEST(InputFiles, AFileThatChangesAfterItWasOpenedIsRefused) {
  const TemporaryFolder folder;
  const auto path = folder / "x.npy";
  const std::vector<float> values{1, 2, 3, 4};
  write_npy(path, Dtype::f32, {values.size()}, values.data());
  const InputFiles files({path.string()});
  std::vector<float> loaded(values.size());
  files.load(0, loaded.data());
  EXPECT_EQ(loaded, values);

  std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(-4, std::ios::end);
  stream.write("\0\0\0", 4);
  stream.close();
  expect_contains(message_of<std::runtime_error>([&] { files.load(0, loaded.data()); }),
                  "x.npy: has changed since it was opened");
}

TEST(InputFiles, AWorkloadThatMakesItsOwnInputsTakesNone) {
  const TemporaryFolder folder;
  const auto path = folder / "x.npy";
  const std::vector<float> values{1, 2};
  write_npy(path, Dtype::f32, {values.size()}, values.data());
  Workload own = copying;
  own.own_inputs = "draws its own numbers";
  const InputFiles files({path.string()});
  EXPECT_EQ(message_of<std::invalid_argument>([&] { files.shape_for(own); }),
            "--input: copy draws its own numbers");
}

}  // namespace
}  // namespace bench::test

#include "harness/command/program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "harness/command/session.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

/// The program with made-up workloads and these words.
Outcome call(std::vector<std::string> words) {
  static constexpr const Workload* workloads[] = {&copying, &twice};
  planted() = honest;
  // As it needs them: else it starts itself again.
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("OMP_PROC_BIND", "false", 1);
  words.insert(words.begin(), "bench");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = program(static_cast<int>(argv.size()), argv.data(), {workloads});
  std::string out = testing::internal::GetCapturedStdout();
  return {code, std::move(out), testing::internal::GetCapturedStderr()};
}

TEST(Program, KnowsTheWorkloadsThatItIsGiven) {
  const Outcome all = call({"list"});
  EXPECT_EQ(all.code, Exit::fine);
  expect_contains(all.out, "copy  ");
  expect_contains(all.out, "twice  ");
  EXPECT_EQ(call({"list", "twice"}).out.find("copy  "), std::string::npos);
  const Outcome unknown = call({"list", "energy"});
  EXPECT_EQ(unknown.code, Exit::usage);
  expect_contains(unknown.err, "bench: no variant matches 'energy'");
}

TEST(Program, EachCommandSaysHowItEnded) {
  EXPECT_EQ(call({"verify", "twice"}).code, Exit::fine);
  const Outcome plan = call({"--dry-run", "copy"});
  EXPECT_EQ(plan.code, Exit::fine);
  expect_contains(plan.out, "copy f32");
  EXPECT_EQ(call({"--version"}).code, Exit::fine);
  EXPECT_EQ(call({"table", "absent.json"}).code, Exit::usage);
  EXPECT_EQ(call({"compare", "absent.json", "x.json"}).code, Exit::usage);
  EXPECT_EQ(call({"--size", "many"}).code, Exit::usage);
}

}  // namespace
}  // namespace bench::test

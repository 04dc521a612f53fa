#include "harness/resume.hpp"

#include <gtest/gtest.h>

#include "harness/cli.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

Json context() {
  return {{"run",
           {{"node", "n1"},
            {"threads", 2},
            {"isa", "avx2"},
            {"seed", 42},
            {"cache", "cold"},
            {"max_samples", 100},
            {"min_time_s", 0.5},
            {"max_time_s", 5},
            {"input_files", Json::array()},
            {"argv", {"bench", "energy"}}}},
          {"build", {{"revision", "abc"}, {"dirty", false}, {"flags", "-O3"}}},
          {"machine", {{"cpu_model", "X"}, {"gpu", nullptr}}},
          {"slurm", nullptr}};
}

Json document() { return {{"context", context()}, {"cases", Json::array()}}; }

TEST(Resume, TheSameNodeBuildAndSettingsAreNoObstacle) {
  EXPECT_EQ(obstacle(document(), context()), "");
}

TEST(Resume, EachDifferenceIsNamed) {
  const auto why = [](const char* part, const char* key, const Json& value) {
    Json now = context();
    now[part][key] = value;
    return obstacle(document(), now);
  };
  EXPECT_EQ(why("run", "node", "n2"), "it was begun on node n1, this is n2");
  EXPECT_EQ(why("build", "revision", "def"), "it was begun by another build, abc, this is def");
  EXPECT_EQ(why("run", "threads", 4), "it was begun with threads: 2, this is 4");
  EXPECT_EQ(why("machine", "gpu", Json{{"name", "H200"}}),
            "it was begun with GPU null, this has H200");
  for (const char* key : {"isa", "seed", "cache", "max_samples", "min_time_s", "max_time_s"}) {
    EXPECT_NE(why("run", key, "other"), "") << key;
  }
  for (const char* key : {"dirty", "compiler", "build_type", "flags", "kernel_flags", "cuda"}) {
    EXPECT_NE(why("build", key, "other"), "") << key;
  }
  EXPECT_NE(why("machine", "cpu_model", "Y"), "");
}

TEST(Resume, AGroupIsHeldWithAllItsCases) {
  PlannedGroup group;
  group.cases.resize(2);
  group.cases[0].identity.name = "a";
  group.cases[1].identity.name = "b";
  Json earlier = document();
  EXPECT_FALSE(holds(earlier, group, "x.json"));
  earlier["cases"] = {{{"name", "a"}}};
  expect_contains(message_of<UsageError>([&] { holds(earlier, group, "x.json"); }),
                  "x.json: holds a part of");
  earlier["cases"].push_back({{"name", "b"}});
  EXPECT_TRUE(holds(earlier, group, "x.json"));
}

TEST(Resume, OnlyTheSameStepStartedAgainIsARequeue) {
  Json earlier = document();
  Json now = context();
  EXPECT_FALSE(requeued(earlier, now)) << "outside of Slurm";
  earlier["context"]["slurm"] = {{"job_id", "7"}, {"step_id", "0"}, {"restart_count", nullptr}};
  now["slurm"] = {{"job_id", "7"}, {"step_id", "0"}, {"restart_count", "1"}};
  EXPECT_TRUE(requeued(earlier, now));
  earlier["context"]["slurm"]["restart_count"] = "1";
  EXPECT_FALSE(requeued(earlier, now)) << "begun after the last start";
  now["slurm"]["restart_count"] = "2";
  EXPECT_TRUE(requeued(earlier, now));
  now["slurm"]["step_id"] = "1";
  EXPECT_FALSE(requeued(earlier, now));
}

TEST(Resume, TheCommandLineIsTheOneThatBeganIt) {
  Json earlier = document();
  EXPECT_EQ(arguments_of(earlier, "x"), std::vector<std::string>{"energy"});
  for (const Json& argv : {Json(), Json::array(), Json{1}, Json("bench")}) {
    earlier["context"]["run"]["argv"] = argv;
    expect_contains(message_of<UsageError>([&] { arguments_of(earlier, "x.json"); }),
                    "--resume x.json: does not say how it was begun");
  }
}

}  // namespace
}  // namespace bench::test

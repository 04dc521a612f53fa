#include "harness/compare/kept_runs.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "harness/compare/read_nodes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

namespace fs = std::filesystem;

NodeRun run_of(const std::string& node) {
  NodeRun run;
  run.node = run.host = node;
  NodeTime& time = run.times.emplace_back();
  time.column.workload = "copy";
  time.seconds = 1.5;
  run.doubts.emplace_back("words");
  run.facts["memory"] = 7;
  run.limits["copy"] = {false, 0.5, {}};
  return run;
}

TEST(KeptRuns, AreThoseOfAFileThatHasNotChanged) {
  const TemporaryFolder folder;
  const fs::path here = (folder / "a.json").parent_path();
  const fs::path file = here / "a.json";
  std::ofstream(file) << "no result file";
  write_kept(here, Keep::times, {{"a.json", {mark_of(file), {run_of("kept")}}}});
  // What is in the file would be refused.
  const NodeComparisonInput known = read_nodes({here.string()}, "", {});
  ASSERT_EQ(known.runs.size(), 1U);
  EXPECT_EQ(known.runs[0].node, "kept");
  EXPECT_EQ(known.runs[0].times[0].seconds, 1.5);
  EXPECT_EQ(known.runs[0].doubts[0].text, "words");
  EXPECT_EQ(known.runs[0].facts.at("memory"), 7);
  EXPECT_EQ(known.runs[0].limits.at("copy").memory, 0.5);
  EXPECT_EQ(known.runs[0].file, file.string());
  EXPECT_ANY_THROW(read_nodes({here.string()}, "", {"copy/*"}));
  EXPECT_ANY_THROW(read_nodes({here.string()}, "", {}, Keep::medians));
  std::ofstream(file) << "another one";
  EXPECT_ANY_THROW(read_nodes({here.string()}, "", {}));
}

TEST(KeptRuns, AreOursAndWhole) {
  const TemporaryFolder folder;
  const fs::path here = (folder / "a.json").parent_path();
  const fs::path store = here / ".bench-runs-2";
  const auto kept = [&] { return read_kept(here, Keep::times).size(); };
  EXPECT_EQ(kept(), 0U);
  write_kept(here, Keep::times, {{"a.json", {{}, {run_of("n")}}}});
  EXPECT_EQ(kept(), 1U);
  chmod(store.c_str(), 0666);
  EXPECT_EQ(kept(), 0U);
  chmod(store.c_str(), 0600);
  EXPECT_EQ(kept(), 1U);
  fs::resize_file(store, fs::file_size(store) - 1);
  EXPECT_EQ(kept(), 0U);
}

}  // namespace
}  // namespace bench::test

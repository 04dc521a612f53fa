#include "harness/guests/kept_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "harness/base/files.hpp"

namespace bench::guests::test {
namespace {

namespace fs = std::filesystem;

/// A test with caches of its own, in a folder that goes afterwards.
class KeptFolderTest : public testing::Test {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", home_.path.c_str(), 1); }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }

  KeptFolder made(const std::string& hash) {
    return {"kind", hash,
            [this](const fs::path& folder) {
              ++times_;
              fs::create_directory(folder / "inner");
              std::ofstream(folder / "inner" / "file") << "text";
            },
            "failed"};
  }

  fs::path all() const { return home_.path / "bench"; }

  Folder home_{"failed"};
  int times_ = 0;
};

TEST_F(KeptFolderTest, IsMadeOnceForEachHash) {
  const KeptFolder first = made("1");
  for (const char* const hash : {"1", "1", "2", "2"}) {
    EXPECT_EQ(whole_file(made(hash).path() / "inner" / "file"), "text");
  }
  EXPECT_EQ(times_, 2);
  EXPECT_EQ(made("1").path(), all() / "kind-1");
  const auto kept = fs::directory_iterator(all());
  EXPECT_EQ(std::distance(begin(kept), end(kept)), 2) << "half-written ones are gone";
}

TEST_F(KeptFolderTest, IsNotOfOthers) {
  made("1");
  fs::permissions(all() / "kind-1", fs::perms::group_write, fs::perm_options::add);
  EXPECT_NE(made("1").path(), all() / "kind-1");
  EXPECT_EQ(times_, 2);
}

TEST_F(KeptFolderTest, GoesWhereNothingCanBeKept) {
  for (const char* const nowhere : {"/dev/null", "/proc/none"}) {
    setenv("XDG_CACHE_HOME", nowhere, 1);
    fs::path path;
    {
      const KeptFolder folder = made("1");
      path = folder.path();
      EXPECT_TRUE(fs::exists(path / "inner" / "file"));
    }
    EXPECT_FALSE(fs::exists(path));
  }
}

TEST_F(KeptFolderTest, WhatCannotBeMadeIsNotKept) {
  const auto fail = [](const fs::path&) { throw std::runtime_error("no"); };
  EXPECT_THROW(KeptFolder("kind", "1", fail, "failed"), std::runtime_error);
  EXPECT_FALSE(fs::exists(all()));
}

TEST_F(KeptFolderTest, ThoseThatNobodyWantedForAMonthGo) {
  made("old");
  made("wanted");
  fs::create_directory(all() / "foreign");
  for (const char* const name : {"kind-old", "kind-wanted", "foreign"}) {
    fs::last_write_time(all() / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(24 * 31));
  }
  made("wanted");
  made("new");
  EXPECT_FALSE(fs::exists(all() / "kind-old"));
  EXPECT_TRUE(fs::exists(all() / "kind-wanted"));
  EXPECT_TRUE(fs::exists(all() / "foreign"));
}

TEST_F(KeptFolderTest, LiesInTheHomeWhereNothingElseIsSaid) {
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(kept_folders().filename(), "bench");
  EXPECT_EQ(kept_folders().parent_path().filename(), ".cache");
}

}  // namespace
}  // namespace bench::guests::test

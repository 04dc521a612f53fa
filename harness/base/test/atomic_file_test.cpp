#include "harness/base/atomic_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Files = std::vector<std::string>;

TEST(AtomicFile, CreatesAFileAndItsFolders) {
  const TemporaryFolder folder;
  const auto file = folder / "a" / "b" / "c.json";
  EXPECT_TRUE(create_file(file, "text\n"));
  EXPECT_EQ(read(file), "text\n");
}

TEST(AtomicFile, NeverOverwritesWhenItCreates) {
  const TemporaryFolder folder;
  const auto file = folder / "x.json";
  EXPECT_TRUE(create_file(file, "first"));
  EXPECT_FALSE(create_file(file, "second"));
  EXPECT_EQ(read(file), "first");
  EXPECT_EQ(folder.files(), Files{"x.json"}) << "no temporary file stays";
  std::filesystem::create_symlink("nowhere", folder / "link");
  EXPECT_FALSE(create_file(folder / "link", "through a dangling link"));
}

TEST(AtomicFile, ReplacesWhatIsThere) {
  const TemporaryFolder folder;
  const auto file = folder / "x.json";
  replace_file(file, {"a long first text"});
  replace_file(file, {"short"});
  EXPECT_EQ(read(file), "short");
  EXPECT_EQ(folder.files(), Files{"x.json"});
}

TEST(AtomicFile, FollowsNoLinkThatSomebodyPrepared) {
  const TemporaryFolder folder;
  const auto file = folder / "x.json";
  replace_file(folder / "foreign", {"foreign"});
  std::filesystem::create_symlink(folder / "foreign",
                                  folder / fmt::format(".x.json.{}.tmp", getpid()));
  EXPECT_TRUE(create_file(file, "new"));
  replace_file(file, {"newer"});
  EXPECT_EQ(read(folder / "foreign"), "foreign");
  EXPECT_EQ(read(file), "newer");
}

TEST(AtomicFile, KeepsTheModeOfAFileAndALinkToIt) {
  const TemporaryFolder folder;
  const auto file = folder / "x.json";
  const auto link = folder / "link.json";
  replace_file(file, {"old"});
  ASSERT_EQ(chmod(file.c_str(), 0600), 0);
  std::filesystem::create_symlink("x.json", link);
  replace_file(link, {"new"});
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read(file), "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
}

TEST(AtomicFile, TakesTheLongestNameThatAFileMayHave) {
  const TemporaryFolder folder;
  const auto file = folder / (std::string(250, 'x') + ".json");
  EXPECT_TRUE(create_file(file, "1"));
  replace_file(file, {"2"});
  EXPECT_EQ(read(file), "2");
}

TEST(AtomicFile, ItsLockIsNeverAStandardStream) {
  const TemporaryFolder folder;
  const int stdin_before = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  const auto created = create_file(folder / "x.json", "text");
  const auto replaced = replace_file(folder / "x.json", {"text"});
  dup2(stdin_before, STDIN_FILENO);
  close(stdin_before);
  ASSERT_TRUE(created);
  EXPECT_GT(created->descriptor(), STDERR_FILENO);
  EXPECT_GT(replaced.descriptor(), STDERR_FILENO);
}

TEST(AtomicFile, WorksInTheWorkingDirectory) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "");
  EXPECT_TRUE(create_file("x.json", "1"));
  replace_file("x.json", {"2"});
  std::filesystem::current_path(before);
  EXPECT_EQ(read(folder / "x.json"), "2");
}

TEST(AtomicFile, AReaderSeesCompleteTextsOnly) {
  const TemporaryFolder folder;
  const auto file = folder / "x.json";
  const auto text_of = [](char letter) { return std::string(100'000, letter) + "\n"; };
  replace_file(file, {text_of('a')});
  std::atomic<bool> done = false;
  std::atomic<int> torn = 0;
  std::thread reader([&] {
    while (!done) {
      const std::string text = read(file);
      if (text.empty() || text != text_of(text.front())) ++torn;
    }
  });
  for (int i = 0; i < 100; ++i) replace_file(file, {text_of(static_cast<char>('a' + i % 26))});
  done = true;
  reader.join();
  EXPECT_EQ(torn, 0);
}

TEST(AtomicFile, HasOneWriterThroughAllReplacements) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "x";
  {
    std::optional<WriteLock> lock = create_file(path, "one");
    ASSERT_TRUE(lock.has_value());
    EXPECT_FALSE(lock_file(path).has_value());
    lock = replace_file(path, {"two"});
    EXPECT_FALSE(lock_file(path).has_value()) << "the name stands for another file now";
  }
  EXPECT_TRUE(lock_file(path).has_value()) << "nobody writes it any more";
  EXPECT_THROW(lock_file(folder / "nothing"), std::runtime_error);
}

TEST(AtomicFile, NamesTheFileThatCannotBeWritten) {
  const TemporaryFolder folder;
  create_file(folder / "file", "not a folder");
  const auto below = folder / "file" / "x.json";
  const auto create = [&] { create_file(below, "text"); };
  const auto replace = [&] { replace_file(below, {"text"}); };
  EXPECT_EQ(message_of<std::runtime_error>(create),
            "cannot write " + below.string() + ": Not a directory");
  EXPECT_EQ(message_of<std::runtime_error>(replace),
            "cannot write " + below.string() + ": Not a directory");
  EXPECT_EQ(folder.files(), Files{"file"});
}

TEST(AtomicFile, AFolderIsNotOverwritten) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "x.json");
  EXPECT_FALSE(create_file(folder / "x.json", "text"));
  const auto replace = [&] { replace_file(folder / "x.json", {"text"}); };
  expect_contains(message_of<std::runtime_error>(replace), "x.json: Is a directory");
  EXPECT_EQ(folder.files(), Files{"x.json"});
}

TEST(AtomicFile, RefusesAFolderWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "permissions do not hold for root";
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "closed");
  std::filesystem::permissions(folder / "closed", std::filesystem::perms::owner_read);
  const auto create = [&] { create_file(folder / "closed" / "x.json", "text"); };
  expect_contains(message_of<std::runtime_error>(create), "closed/x.json: Permission denied");
  std::filesystem::permissions(folder / "closed", std::filesystem::perms::owner_all);
}

/// Files may have at most this many bytes until the end of the scope: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signal_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*signal_)(int);
};

TEST(AtomicFile, AFullDiskLeavesTheOldTextAndNoTemporary) {
  const TemporaryFolder folder;
  const auto file = folder / "x.json";
  replace_file(file, {"old"});
  std::string create_error;
  std::string replace_error;
  {
    const FullDisk full(1000);
    const std::string text(5000, 'x');
    replace_error = message_of<std::runtime_error>([&] { replace_file(file, {text}); });
    create_error = message_of<std::runtime_error>([&] { create_file(folder / "y.json", text); });
  }
  EXPECT_EQ(replace_error, "cannot write " + file.string() + ": File too large");
  expect_contains(create_error, "y.json: File too large");
  EXPECT_EQ(read(file), "old");
  EXPECT_EQ(folder.files(), Files{"x.json"});
}

}  // namespace
}  // namespace bench::test

#include "harness/guests/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <system_error>

#include "harness/base/reason.hpp"

namespace bench::guests {

namespace fs = std::filesystem;

namespace {

constexpr const char* beginning = "bench-run-";

/// The folders of this process, and a lock for them. Never destroyed: threads may outlive main().
struct Live {
  std::mutex mutex;
  std::set<fs::path> paths;
};
Live& live() {
  static Live& all = *new Live;
  return all;
}

int locked(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// Ours, and nobody holds its lock. What is new may be about to be locked.
void remove_stale(const fs::path& parent) {
  constexpr std::chrono::minutes enough{1};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(parent, none)) {
    if (!entry.path().filename().string().starts_with(beginning)) continue;
    struct stat state {};
    if (lstat(entry.path().c_str(), &state) != 0 || state.st_uid != geteuid()) continue;
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time(none);
    if (none || age < enough) continue;
    const int lock = locked(entry.path());
    if (lock < 0) continue;
    fs::remove_all(entry.path(), none);
    close(lock);
  }
}

}  // namespace

Folder::Folder(const char* failure) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  const char* const chosen = std::getenv("TMPDIR");
  if (error) {
    throw RunError(fmt::format("{}: TMPDIR={}: {}; set it to a folder that is there", failure,
                               chosen == nullptr ? "" : chosen, error.message()));
  }
  std::string name = parent / (std::string(beginning) + "XXXXXX");
  const std::lock_guard guard(live().mutex);
  [[maybe_unused]] static const bool cleaned = (remove_stale(parent), true);
  if (mkdtemp(name.data()) == nullptr) {
    throw RunError(fmt::format("{}: cannot create a folder in {} ({}): {}", failure,
                               parent.string(),
                               chosen == nullptr ? "set TMPDIR to another" : "TMPDIR",
                               std::generic_category().message(errno)));
  }
  path = name;
  lock_ = locked(path);
  live().paths.insert(path);
}

Folder::~Folder() {
  std::error_code none;
  fs::remove_all(path, none);
  if (lock_ >= 0) close(lock_);
  const std::lock_guard guard(live().mutex);
  live().paths.erase(path);
}

std::uintmax_t Folder::bytes() const {
  constexpr std::uintmax_t block = 512;
  std::uintmax_t sum = 0;
  std::error_code none;
  for (fs::recursive_directory_iterator at(path, none), end; !none && at != end;
       at.increment(none)) {
    struct stat state {};
    if (lstat(at->path().c_str(), &state) == 0) {
      sum += block * static_cast<std::uintmax_t>(state.st_blocks);
    }
  }
  return sum;
}

void remove_folders() {
  std::error_code none;
  const std::lock_guard guard(live().mutex);
  for (const fs::path& path : live().paths) fs::remove_all(path, none);
}

}  // namespace bench::guests

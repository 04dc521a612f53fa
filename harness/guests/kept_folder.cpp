#include "harness/guests/kept_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "harness/base/files.hpp"

namespace bench::guests {

namespace fs = std::filesystem;

namespace {

/// No other user may have written into it, because its files are executed.
bool ours(const fs::path& folder) {
  struct stat state {};
  return stat(folder.c_str(), &state) == 0 && S_ISDIR(state.st_mode) && is_ours_alone(state);
}

void remove_old(const fs::path& all, const std::string& kind) {
  constexpr std::chrono::hours month{30 * 24};
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(all, ignored)) {
    if (!entry.path().filename().string().starts_with(kind + "-")) continue;
    const auto used = entry.last_write_time(ignored);
    if (!ignored && fs::file_time_type::clock::now() - used > month) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

/// Writes to the disk, so that a folder that has its name has its bytes, whatever happens to the
/// node.
bool on_disk(const fs::directory_entry& entry) {
  if (!entry.is_regular_file()) return true;
  const int file = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
  const bool written = file >= 0 && fsync(file) == 0;
  if (file >= 0) close(file);
  return written;
}

/// Whole, or not at all; another process may be at it, too.
void keep(const fs::path& folder, const fs::path& kept) {
  const fs::path all = kept.parent_path();
  std::error_code failed;
  if (fs::create_directories(all, failed)) fs::permissions(all, fs::perms::owner_all, failed);
  std::string copy = kept.string() + "-XXXXXX";
  if (failed || mkdtemp(copy.data()) == nullptr) return;
  try {
    fs::copy(folder, copy, fs::copy_options::recursive);
    const fs::recursive_directory_iterator files(copy);
    if (std::all_of(begin(files), end(files), on_disk)) fs::rename(copy, kept);
  } catch (const fs::filesystem_error&) {
    // No room, or somebody was faster.
  }
  fs::remove_all(copy, failed);
}

}  // namespace

fs::path kept_folders() {
  const char* const caches = std::getenv("XDG_CACHE_HOME");
  if (caches != nullptr && fs::path(caches).is_absolute()) return fs::path(caches) / "bench";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && fs::path(home).is_absolute()) return fs::path(home) / ".cache" / "bench";
  return {};
}

KeptFolder::KeptFolder(const std::string& kind, const std::string& hash, const Make& make,
                       const char* failure) {
  const fs::path all = kept_folders();
  const fs::path kept = all / (kind + "-" + hash);
  if (!all.empty() && ours(all) && ours(kept)) {
    std::error_code ignored;
    fs::last_write_time(kept, fs::file_time_type::clock::now(), ignored);
    path_ = kept;
    return;
  }
  temporary_ = std::make_unique<Folder>(failure);
  path_ = temporary_->path;
  make(path_);
  if (all.empty()) return;
  keep(path_, kept);
  remove_old(all, kind);
}

}  // namespace bench::guests

#include "harness/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

/// The first link on the way to a file that leads nowhere; empty where there is none.
std::filesystem::path broken_link(const std::filesystem::path& path) {
  std::filesystem::path way;
  std::error_code none;
  for (const std::filesystem::path& part : path) {
    way /= part;
    if (std::filesystem::is_symlink(way, none) && !std::filesystem::exists(way, none)) return way;
  }
  return {};
}

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  std::error_code none;
  if (const std::filesystem::path link = broken_link(path); !link.empty()) {
    throw std::runtime_error(
        fmt::format("cannot write {}: {} is a link to {}, which does not exist", path.string(),
                    link.string(), std::filesystem::read_symlink(link, none).string()));
  }
  throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

/// A descriptor that cannot be taken for stdin, stdout or stderr where those are closed.
int above_standard(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(file);
  return above;
}

/// A name that nobody can guess and prepare a link under, however long that of the file is.
std::filesystem::path random_name(const std::filesystem::path& folder) {
  std::random_device random;
  return folder / fmt::format(".bench.{:08x}{:08x}.tmp", random(), random());
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// A complete, synchronised, locked file in the folder of `path`, without a name where the file
/// system offers that: then no file is left however the process ends.
class TemporaryFile {
 public:
  TemporaryFile(const std::filesystem::path& path, std::initializer_list<std::string_view> text)
      : target_(path), folder_(folder_of(path)) {
    const int file = open_file();
    if (file < 0) fail(target_, errno);
    flock(file, LOCK_EX | LOCK_NB);  // no other process knows this file
    lock_.emplace(file);
    like_target(file);
    for (const std::string_view part : text) write_all(file, part);
    if (fsync(file) != 0) give_up(errno);
  }
  ~TemporaryFile() { forget(); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Another name of the file: 0, or errno.
  int link_to(const std::filesystem::path& path) const {
    const bool unnamed = name_.empty();
    const std::string from =
        unnamed ? fmt::format("/proc/self/fd/{}", lock_->descriptor()) : name_.string();
    const int flags = unnamed ? AT_SYMLINK_FOLLOW : 0;
    return linkat(AT_FDCWD, from.c_str(), AT_FDCWD, path.c_str(), flags) == 0 ? 0 : errno;
  }

  /// Takes the place of the target.
  void replace_target() {
    if (name_.empty()) {
      const std::filesystem::path name = random_name(folder_);
      if (const int error = link_to(name); error != 0) fail(target_, error);
      name_ = name;
    }
    if (rename(name_.c_str(), target_.c_str()) != 0) give_up(errno);
    name_.clear();
  }

  WriteLock lock() { return std::move(*lock_); }

 private:
  int open_file() {
    // Without /proc it could not be given a name later.
    if (access("/proc/self/fd", X_OK) == 0) {
      const int file = above_standard(open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0644));
      if (file >= 0) return file;
    }
    name_ = random_name(folder_);
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int file = above_standard(open(name_.c_str(), flags, 0644));
    if (file < 0) name_.clear();
    return file;
  }

  void like_target(int file) const {
    struct stat facts {};
    if (stat(target_.c_str(), &facts) != 0) return;
    // Where the group must not be given away the mode still counts.
    [[maybe_unused]] const int refused = fchown(file, static_cast<uid_t>(-1), facts.st_gid);
    fchmod(file, facts.st_mode & 07777U);
  }

  void write_all(int file, std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(file, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) give_up(errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void forget() {
    if (!name_.empty()) unlink(name_.c_str());
    name_.clear();
  }

  [[noreturn]] void give_up(int error) {
    forget();
    fail(target_, error);
  }

  std::filesystem::path target_;
  std::filesystem::path folder_;
  std::filesystem::path name_;  ///< empty: it has none
  std::optional<WriteLock> lock_;
};

/// Makes, for file systems without hard links, an empty file under a name that was free. False if
/// it was not.
bool claim(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0 && errno == EEXIST) return false;
  if (file < 0) fail(path, errno);
  close(file);
  return true;
}

/// Makes a rename or link survive a crash of the node; some file systems cannot, and need not.
void synchronise_folder(const std::filesystem::path& path) {
  const int file = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace

WriteLock::~WriteLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

WriteLock::WriteLock(WriteLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

WriteLock& WriteLock::operator=(WriteLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

std::optional<WriteLock> create_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  if (!path.parent_path().empty()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) fail(path, error.value());
  TemporaryFile temporary(path, {text});
  if (const int linked = temporary.link_to(path); linked != 0) {
    const bool no_links =
        linked == EPERM || linked == ENOTSUP || linked == ENOSYS || linked == EMLINK;
    if (linked != EEXIST && !no_links) fail(path, linked);
    if (linked == EEXIST || !claim(path)) return {};
    temporary.replace_target();
  }
  synchronise_folder(path);
  return temporary.lock();
}

WriteLock replace_file(const std::filesystem::path& path,
                       std::initializer_list<std::string_view> text) {
  std::error_code none;
  const bool is_link = std::filesystem::is_symlink(path, none);
  const std::filesystem::path target = is_link ? std::filesystem::canonical(path, none) : path;
  if (target.empty()) fail(path, ENOENT);
  TemporaryFile temporary(target, text);
  temporary.replace_target();
  synchronise_folder(target);
  return temporary.lock();
}

std::optional<WriteLock> lock_file(const std::filesystem::path& path) {
  while (true) {
    const int file = above_standard(open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    if (file < 0) fail(path, errno);
    WriteLock lock(file);
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return {};
    struct stat locked {};
    struct stat named {};
    if (fstat(file, &locked) != 0 || stat(path.c_str(), &named) != 0) fail(path, errno);
    // Else it has been replaced in between, by a process that may still write it.
    if (locked.st_ino == named.st_ino && locked.st_dev == named.st_dev) return lock;
  }
}

}  // namespace bench

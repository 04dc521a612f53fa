#include "harness/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

/// A complete, synchronised temporary file in the folder of `path`; removed unless renamed away.
class TemporaryFile {
 public:
  TemporaryFile(const std::filesystem::path& path, const std::string& text)
      : target_(path),
        name_(path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), getpid())) {
    const int file = open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) fail(target_, errno);
    flock(file, LOCK_EX | LOCK_NB);  // nobody else knows this file
    lock_.emplace(file);
    const int error = write_all(file, text);
    if (error != 0) {
      unlink(name_.c_str());
      fail(target_, error);
    }
  }
  ~TemporaryFile() { unlink(name_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const char* name() const { return name_.c_str(); }
  WriteLock lock() { return std::move(*lock_); }

 private:
  static int write_all(int file, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
      const ssize_t written = write(file, text.data() + done, text.size() - done);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      done += static_cast<std::size_t>(written);
    }
    return fsync(file) == 0 ? 0 : errno;
  }

  std::filesystem::path target_;
  std::filesystem::path name_;
  std::optional<WriteLock> lock_;
};

/// For file systems without hard links: an empty file under a name that was free. False if it was
/// not.
bool claim(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0 && errno == EEXIST) return false;
  if (file < 0) fail(path, errno);
  close(file);
  return true;
}

/// Makes a rename or link survive a crash of the node; some file systems cannot, and need not.
void synchronise_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  const int file = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
  TemporaryFile temporary(path, text);
  if (link(temporary.name(), path.c_str()) != 0) {
    const bool no_links = errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK;
    if (errno != EEXIST && !no_links) fail(path, errno);
    if (errno == EEXIST || !claim(path)) return {};
    if (rename(temporary.name(), path.c_str()) != 0) fail(path, errno);
  }
  synchronise_folder(path);
  return temporary.lock();
}

WriteLock replace_file(const std::filesystem::path& path, const std::string& text) {
  TemporaryFile temporary(path, text);
  if (rename(temporary.name(), path.c_str()) != 0) fail(path, errno);
  synchronise_folder(path);
  return temporary.lock();
}

std::optional<WriteLock> lock_file(const std::filesystem::path& path) {
  while (true) {
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) fail(path, errno);
    WriteLock lock(file);
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return {};
    struct stat locked {};
    struct stat named {};
    if (fstat(file, &locked) != 0 || stat(path.c_str(), &named) != 0) fail(path, errno);
    // Else it has been replaced in between, by one who may still write it.
    if (locked.st_ino == named.st_ino && locked.st_dev == named.st_dev) return lock;
  }
}

}  // namespace bench

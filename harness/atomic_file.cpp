#include "harness/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

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
    const int error = write_all(file, text);
    close(file);
    if (error != 0) {
      unlink(name_.c_str());
      fail(target_, error);
    }
  }
  ~TemporaryFile() { unlink(name_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const char* name() const { return name_.c_str(); }

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

bool create_file(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  if (!path.parent_path().empty()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) fail(path, error.value());
  const TemporaryFile temporary(path, text);
  if (link(temporary.name(), path.c_str()) != 0) {
    const bool no_links = errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK;
    if (errno != EEXIST && !no_links) fail(path, errno);
    if (errno == EEXIST || !claim(path)) return false;
    if (rename(temporary.name(), path.c_str()) != 0) fail(path, errno);
  }
  synchronise_folder(path);
  return true;
}

void replace_file(const std::filesystem::path& path, const std::string& text) {
  const TemporaryFile temporary(path, text);
  if (rename(temporary.name(), path.c_str()) != 0) fail(path, errno);
  synchronise_folder(path);
}

}  // namespace bench

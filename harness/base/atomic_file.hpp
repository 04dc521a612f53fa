// Files that appear complete or not at all, and show that they are being written.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace bench {

/// Says that this process writes a file, until it ends, in whatever way. Where the file system has
/// no locks, there is no message.
class WriteLock {
 public:
  explicit WriteLock(int descriptor) : descriptor_(descriptor) {}
  ~WriteLock();
  WriteLock(WriteLock&& other) noexcept;
  WriteLock& operator=(WriteLock&& other) noexcept;
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Writes a new file so that it appears complete or not at all. Nothing where the file exists
/// already, which then stays as it is. Makes missing folders. Throws std::runtime_error, naming the
/// file and the system's reason, when it cannot be written.
std::optional<WriteLock> create_file(const std::filesystem::path& path, const std::string& text);

/// The same for a file that may exist: readers see the old or the new text, never a mixture. It
/// keeps its mode and group; a link stays one, and what it points to is replaced.
WriteLock replace_file(const std::filesystem::path& path,
                       std::initializer_list<std::string_view> text);

/// Takes over a file that is there. Nothing where another process writes it. Throws as above.
std::optional<WriteLock> lock_file(const std::filesystem::path& path);

}  // namespace bench

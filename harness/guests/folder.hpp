// A folder that goes when this does.
#pragma once

#include <cstdint>
#include <filesystem>

namespace bench::guests {

class Folder {
 public:
  /// Makes one among the temporary ones. Throws RunError, which begins with `failure`. The first
  /// one of a process removes those of processes that were killed.
  explicit Folder(const char* failure);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  /// The bytes that its files take on the disk.
  std::uintmax_t bytes() const;

  std::filesystem::path path;

 private:
  int lock_ = -1;  ///< held by this process while it lives: by that others know
};

/// All of this process, which ends without destructors.
void remove_folders();

}  // namespace bench::guests

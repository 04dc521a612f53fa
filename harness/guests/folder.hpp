// A folder that goes when this does.
#pragma once

#include <filesystem>

namespace bench::guests {

class Folder {
 public:
  /// Among the temporary ones. Throws RunError, which begins with `failure`.
  explicit Folder(const char* failure);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path path;
};

}  // namespace bench::guests

// What is the same in every run is made once, and kept among the user's caches.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "harness/guests/folder.hpp"

namespace bench::guests {

/// $XDG_CACHE_HOME/bench, or ~/.cache/bench; empty where neither is known.
std::filesystem::path kept_folders();

/// A folder that was filled now, or in an earlier run.
class KeptFolder {
 public:
  using Make = std::function<void(const std::filesystem::path&)>;

  /// `hash`: of all that its files depend on. `make` fills an empty folder, and is called where
  /// none is kept; what it throws is passed on. Where nothing can be kept (no home, no room), its
  /// folder goes with this. Folders of this kind that nobody wanted for a month are removed.
  KeptFolder(const std::string& kind, const std::string& hash, const Make& make,
             const char* failure);

  const std::filesystem::path& path() const { return path_; }

 private:
  std::unique_ptr<Folder> temporary_;
  std::filesystem::path path_;
};

}  // namespace bench::guests

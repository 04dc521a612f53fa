// From somebody's source to a shared object.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace bench::guests {

/// A file without a name: it lasts as long as this, and nobody else changes it.
class NamelessFile {
 public:
  /// Throws std::system_error.
  explicit NamelessFile(const std::string& bytes);
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// By which other processes of this user open it.
  std::string path() const;

 private:
  int descriptor_;
};

struct SharedObject {
  std::shared_ptr<const NamelessFile> file;
  std::string command;  ///< that made it
};

/// Compiles C (.c) or C++ (.cpp) for this node, with `declarations` in front of it. Throws RunError
/// with the compiler's first error, or because there is no compiler.
SharedObject compile(const std::string& source, const std::string& declarations);

/// A program by its name, as a shell finds it; empty where there is none.
std::string in_path(const std::string& program);

/// All bytes of a file; none where it cannot be read.
std::string text_of(const std::filesystem::path& file);

/// The first error among what a compiler or linker has said.
std::string first_error(const std::string& said);

}  // namespace bench::guests

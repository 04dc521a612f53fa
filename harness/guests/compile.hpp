// From somebody's source to a shared object.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/guests/read_files.hpp"
#include "harness/place/run_error.hpp"

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
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

struct SharedObject {
  std::shared_ptr<const NamelessFile> file;
  std::string command;  ///< that made it
};

/// With the compiler's first error, and its name.
struct DoesNotCompile : RunError {
  DoesNotCompile(const std::string& why, std::string by)
      : RunError("does not compile: " + why), command(std::move(by)) {}
  std::string command;
};

/// Compiles C (.c) or C++ (.cpp) for this node, with `declarations` in front of it. Throws
/// DoesNotCompile, and RunError where there is no compiler.
SharedObject compile(const std::string& source, const std::string& declarations);

/// Who looks over a kernel's shoulder while the CPU executes it.
enum class Sanitizer { address, thread };

/// Compiles CUDA (.cu) with nvcc for the node's device; its host finds that as bench_device, see
/// device/device.h. Throws as compile() does.
SharedObject compile_for_device(const std::string& source, const std::string& declarations);

/// Whether there is an nvcc.
bool has_nvcc();

/// The same for the CPU, with bench's own CUDA and a sanitizer, by g++. `texts`: the source and its
/// headers, as with_own_headers() has read them.
SharedObject compile_for_cpu(const std::string& source, const Texts& texts,
                             const std::string& declarations, Sanitizer sanitizer);

/// What compile_for_cpu() needs once for all files; from any thread. Throws RunError.
void prepare_for_cpu(Sanitizer sanitizer);

/// The library of a sanitizer, for LD_PRELOAD; empty where g++ has none.
const std::string& library_of(Sanitizer sanitizer);

/// The last line that a command prints; empty where it fails. Throws RunError where it cannot be
/// started.
std::string output_of(const std::vector<std::string>& command);

/// A program by its name, as a shell finds it; empty where there is none.
std::string in_path(const std::string& program);

/// The first error among what a compiler or linker has said.
std::string first_error(const std::string& said);

}  // namespace bench::guests

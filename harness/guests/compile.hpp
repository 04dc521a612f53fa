// From somebody's source to a shared object.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/guests/cpu_runtime.hpp"
#include "harness/guests/read_files.hpp"
#include "harness/plan/guest_variant.hpp"

namespace bench::guests {

/// A file without a name: it lasts as long as this, and nobody else changes it.
class NamelessFile {
 public:
  /// Throws std::system_error.
  explicit NamelessFile(const std::string& bytes);
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// The path by which other processes of this user open it.
  std::string path() const;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

struct SharedObject {
  std::shared_ptr<const NamelessFile> file;
  std::string command;                      ///< that made it
  std::optional<ScalarLoop> scalar_loop{};  ///< as scalar_loop() finds it
  std::string warning{};  ///< the first of the compiler's, of the user's own lines; empty: none
};

/// What a source is compiled for: to be timed, or so that AddressSanitizer and
/// UndefinedBehaviorSanitizer see what it does, or ThreadSanitizer.
enum class Build { fast, sanitized, threads };

/// Compiles C (.c) or C++ (.cpp) for this node, with `declarations` in front of it. Throws
/// DoesNotCompile, and RunError where there is no compiler.
SharedObject compile(const std::string& source, const std::string& declarations,
                     Build build = Build::fast);

/// Compiles CUDA (.cu) with nvcc, or HIP (.hip) with hipcc, for the node's device; its host finds
/// that as bench_device, see device/device.h. Throws as compile() does.
SharedObject compile_for_device(const std::string& source, const std::string& declarations);

/// Whether there is an nvcc, or a hipcc.
bool has_vendors_compiler(Dialect dialect);

/// What that compiles: the kernels, which takes a second, or the functions of the host, too.
enum class Half { kernels, both };

/// Whether nvcc, or hipcc for HIP, has compiled a source.
struct SeenByNvcc {
  bool seen = false;
  std::string obstacle{};  ///< why an nvcc that is there compiles nothing here
  int line_of_double = 0;  ///< where a kernel turns a float into a double; 0: nowhere
  explicit operator bool() const { return seen; }
};

/// Throws DoesNotCompile where that compiler refuses the source, which is perhaps right for g++.
/// Needs no GPU.
SeenByNvcc seen_by_nvcc(const std::string& source, const std::string& declarations,
                        Half half = Half::kernels);

/// The same as compile_for_device() for the CPU, with bench's own CUDA and a sanitizer, by g++.
/// `texts`: the source and its headers, as with_own_headers() has read them.
SharedObject compile_for_cpu(const std::string& source, const Texts& texts,
                             const std::string& declarations, Sanitizer sanitizer);

}  // namespace bench::guests

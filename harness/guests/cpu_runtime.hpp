// bench's own CUDA and the device for the host, compiled for a sanitizer: what CUDA files are
// linked with where the CPU executes them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/guests/compilation.hpp"
#include "harness/guests/kept_folder.hpp"
#include "harness/guests/translate.hpp"

namespace bench::guests {

/// The sanitizer that watches a kernel while the CPU executes it.
enum class Sanitizer { address, thread };

/// What CXX names, if that is of GNU; else g++, or what there is without one.
std::vector<std::string> gnu_compiler();

/// Where that compiler finds a library; empty where it has none.
std::string file_of_library(const std::string& name);

/// The library of a sanitizer, for LD_PRELOAD; empty where that compiler has none.
const std::string& library_of(Sanitizer sanitizer);

/// What a CUDA file is compiled with, in a folder.
void write_device_files(const std::filesystem::path& folder);

inline constexpr const char* device_folder = "harness/guests/device";
inline constexpr const char* language_folder = "harness/cuda_on_cpu";

class CpuRuntime {
 public:
  /// The one of this process; from any thread. Throws RunError.
  static const CpuRuntime& of(Sanitizer sanitizer, Dialect dialect);

  std::vector<std::filesystem::path> objects() const;
  /// What comes first in every file; it is precompiled.
  std::filesystem::path language() const;
  void add_options(Compilation& one) const;

 private:
  CpuRuntime(Sanitizer sanitizer, Dialect dialect);
  template <Sanitizer sanitizer, Dialect dialect>
  static const CpuRuntime& only();

  Sanitizer sanitizer_;
  Dialect dialect_;
  KeptFolder folder_;
};

}  // namespace bench::guests

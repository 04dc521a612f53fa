#include "harness/guests/cpu_runtime.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include <utility>

#include "harness/guests/embedded.hpp"
#include "harness/plan/hash.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

constexpr const char* sources[] = {
    "harness/cuda_on_cpu/fibers.cpp", "harness/cuda_on_cpu/runtime.cpp",
    "harness/cuda_on_cpu/streams.cpp", "harness/guests/device/apart.cpp",
    "harness/guests/device/device.cu"};

fs::path object_of(const fs::path& folder, const char* source) {
  return folder / fs::path(source).filename().replace_extension(".o");
}

/// Inlined into a function that several objects may have, a kernel has no lines for sanitizers.
constexpr const char* options =
    "-std=gnu++20 -O1 -fno-inline -g -w -fPIC -fno-omit-frame-pointer "
    "-ffp-contract=off -DBENCH_STAND_IN";

const char* options_of(Sanitizer sanitizer) {
  if (sanitizer == Sanitizer::address) {
    return "-fsanitize=address,alignment -fno-sanitize-recover=all "
           "-fsanitize-sections=bench_shared";
  }
  return family_of(gnu_compiler()) == Family::llvm
             ? "-fsanitize=thread -mllvm -tsan-distinguish-volatile"
             : "-fsanitize=thread --param=tsan-distinguish-volatile=1";
}

/// The lanes of a warp.
const char* options_of(Dialect dialect) {
  return dialect == Dialect::hip ? "-DBENCH_WARP_LANES=64" : "-DBENCH_WARP_LANES=32";
}

/// What comes first in every file, from the folder of the runtime.
fs::path language_of(Dialect dialect) {
  return fs::path(language_folder) / (dialect == Dialect::hip ? "hip.h" : "language.h");
}

/// How a runtime is made: by which sanitizer it is watched, and whose kernels it executes.
struct Runtime {
  Sanitizer sanitizer;
  Dialect dialect;
};

void add(Compilation& one, const Runtime& made, const fs::path& folder, const char* kind = "c++") {
  one.add({"-x", kind});
  for (const char* const some : {options, options_of(made.sanitizer), options_of(made.dialect)}) {
    for (const std::string& word : words_of(some)) one.add(word);
  }
  one.add("-I" + folder.string());
  one.add("-I" + (folder / "cuda").string());
}

void make(const Runtime& made, const fs::path& folder) {
  write_device_files(folder);
  // Who includes these has everything already.
  for (const char* const name :
       {"cuda_runtime.h", "cuda.h", "cuda_runtime_api.h", "device_launch_parameters.h",
        "vector_types.h", "vector_functions.h", "device_functions.h", "math_functions.h",
        "math_constants.h", "device_atomic_functions.h", "sm_30_intrinsics.h",
        "cuda_profiler_api.h", "driver_types.h", "builtin_types.h", "hip/hip_runtime.h",
        "hip/hip_runtime_api.h", "hip/math_functions.h", "hip/device_functions.h"}) {
    written_to(folder / "cuda" / name, "#pragma once\n");
  }
  for (const auto& [name, ours] : {std::pair{"cuda_fp16.h", "half.h"},
                                   {"cuda_bf16.h", "half.h"},
                                   {"cuComplex.h", "complex.h"},
                                   {"hip/hip_fp16.h", "half.h"},
                                   {"hip/hip_complex.h", "complex.h"},
                                   {"hip/hip_cooperative_groups.h", "groups.h"},
                                   {"cooperative_groups.h", "groups.h"},
                                   {"cooperative_groups/memcpy_async.h", "groups.h"},
                                   {"cuda_pipeline.h", "pipeline.h"},
                                   {"cuda_pipeline_primitives.h", "pipeline.h"},
                                   {"mma.h", "mma.h"},
                                   {"cooperative_groups/reduce.h", "groups.h"}}) {
    written_to(folder / "cuda" / name, fmt::format("#include \"{}/{}\"\n", language_folder, ours));
  }
  // Parsing it takes longer than the kernels do.
  const fs::path language = folder / language_of(made.dialect);
  Compilation header(gnu_compiler());
  add(header, made, folder, "c++-header");
  header.add(language.string());
  fs::copy_file(header.finish("language.gch", header.so_far()), language.string() + ".gch");
  for (const char* const source : sources) {
    Compilation one(gnu_compiler());
    one.add("-c");
    add(one, made, folder);
    one.include(language);
    one.add((folder / source).string());
    fs::copy_file(one.finish("object.o", one.so_far()), object_of(folder, source));
  }
}

/// The hash of all that decides what is compiled to what.
std::string hash_of(const Runtime& made) {
  std::vector<std::string> command = gnu_compiler();
  std::string all = fmt::format("{} {} {} {} {}", fmt::join(command, " "), gnu_get_libc_version(),
                                options, options_of(made.sanitizer), options_of(made.dialect));
  command.emplace_back("-v");  // the last line has the version, and who has built it
  all += output_of(command);
  for (const EmbeddedFile& one : device_files()) all += fmt::format("\n{}\n{}", one.path, one.text);
  const std::string hash = hash_text(all.data(), all.size());
  return hash.substr(hash.find(':') + 1);
}

/// Where the compiler has the library of a sanitizer; empty where it has none.
std::string library(const char* sanitizer) {
  const bool llvm = family_of(gnu_compiler()) == Family::llvm;
  utsname node{};
  uname(&node);
  for (const std::string& name :
       llvm ? std::vector{fmt::format("libclang_rt.{}-{}.so", sanitizer, node.machine),
                          fmt::format("libclang_rt.{}.so", sanitizer)}
            : std::vector{fmt::format("lib{}.so", sanitizer)}) {
    const std::string file = file_of_library(name);
    if (!file.empty()) return file;
  }
  return "";
}

}  // namespace

std::vector<std::string> gnu_compiler() {
  std::vector<std::string> named = compiler("CXX", {"g++", "c++"});
  const bool other = family_of(named) == Family::llvm && !in_path("g++").empty();
  return other ? std::vector<std::string>{"g++"} : named;
}

std::string file_of_library(const std::string& name) {
  std::vector<std::string> question = gnu_compiler();
  question.push_back("-print-file-name=" + name);
  const std::string file = output_of(question);
  return fs::path(file).is_absolute() && fs::exists(file) ? file : "";
}

const std::string& library_of(Sanitizer sanitizer) {
  static const std::string for_address = library("asan");
  static const std::string for_thread = library("tsan");
  return sanitizer == Sanitizer::address ? for_address : for_thread;
}

void write_device_files(const fs::path& folder) {
  for (const EmbeddedFile& one : device_files()) written_to(folder / one.path, one.text);
}

CpuRuntime::CpuRuntime(Sanitizer sanitizer, Dialect dialect)
    : sanitizer_(sanitizer),
      dialect_(dialect),
      folder_(
          "cuda-on-cpu", hash_of({sanitizer, dialect}),
          [=](const fs::path& folder) {
            make({sanitizer, dialect}, folder);
          },
          "cannot be compiled") {}

template <Sanitizer sanitizer, Dialect dialect>
const CpuRuntime& CpuRuntime::only() {
  static const CpuRuntime one(sanitizer, dialect);
  return one;
}

const CpuRuntime& CpuRuntime::of(Sanitizer sanitizer, Dialect dialect) {
  const bool hip = dialect == Dialect::hip;
  if (sanitizer == Sanitizer::address) {
    return hip ? only<Sanitizer::address, Dialect::hip>()
               : only<Sanitizer::address, Dialect::cuda>();
  }
  return hip ? only<Sanitizer::thread, Dialect::hip>() : only<Sanitizer::thread, Dialect::cuda>();
}

fs::path CpuRuntime::language() const { return folder_.path() / language_of(dialect_); }

std::vector<fs::path> CpuRuntime::objects() const {
  std::vector<fs::path> objects;
  for (const char* const source : sources) objects.push_back(object_of(folder_.path(), source));
  return objects;
}

void CpuRuntime::add_options(Compilation& one) const {
  add(one, {sanitizer_, dialect_}, folder_.path());
}

}  // namespace bench::guests

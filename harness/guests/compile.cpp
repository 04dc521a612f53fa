#include "harness/guests/compile.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iomanip>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/guests/compilation.hpp"
#include "harness/guests/cpu_runtime.hpp"
#include "harness/guests/embedded.hpp"
#include "harness/guests/folder.hpp"
#include "harness/guests/translate.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

/// A compiler for GPUs: where it is, and how it makes a shared object.
struct Vendor {
  const char* variable;
  std::vector<const char*> programs;
  std::vector<const char*> shared;
};

const Vendor& vendor_of(Dialect dialect) {
  static const Vendor nvidia{"CUDACXX",
                             {"nvcc", "/usr/local/cuda/bin/nvcc"},
                             {"-O3", "-std=c++17", "--extended-lambda", "-arch=native", "-lineinfo",
                              "-Xcompiler", "-fPIC", "-shared", "-x", "cu"}};
  static const Vendor amd{"HIPCC",
                          {"hipcc", "/opt/rocm/bin/hipcc"},
                          {"-O3", "-std=c++17", "-w", "-fPIC", "-shared", "-x", "hip"}};
  return dialect == Dialect::hip ? amd : nvidia;
}

std::vector<std::string> compiler_of(Dialect dialect) {
  const Vendor& vendor = vendor_of(dialect);
  return compiler(vendor.variable, vendor.programs);
}

SharedObject shared_object(Compilation& one, const std::string& shown) {
  return {std::make_shared<const NamelessFile>(whole_file(one.finish("guest.so", shown))), shown};
}

/// The text as a literal of C.
std::string quoted(const std::string& text) {
  std::ostringstream literal;
  literal << std::quoted(text);
  return literal.str();
}

/// An unused argument is not a mistake: the functions have arguments that not all need.
const char* options_of(Build build) {
  switch (build) {
    case Build::fast:
      return "-O3 -Wall -Wextra -Wno-unused-parameter -Wno-unused-function -Wno-sign-compare";
    case Build::sanitized:
      return "-O1 -g -w -fno-omit-frame-pointer -fsanitize=address,undefined "
             "-fno-sanitize-recover=all";
    case Build::threads:
      // Threads may race for a static variable whose value nobody loads again: it stays.
      return "-O1 -g -w -fno-omit-frame-pointer -fno-toplevel-reorder -fsanitize=thread";
  }
  return "";
}

/// Returns line_of_double().
int compile_by_nvcc(const std::string& source, const std::string& declarations, Half half) {
  Compilation one(compiler_of(Dialect::cuda));
  one.add({half == Half::kernels ? "-cubin" : "-c", "-arch=sm_80", "-std=c++17",
           "--extended-lambda", "-w", "-x", "cu"});
  const std::string shown = fmt::format("{} {}", one.so_far(), source);
  one.declare(declarations);
  one.add_source(source);
  if (half == Half::kernels) one.add({"-lineinfo", "--keep", "--keep-dir"});
  if (half == Half::kernels) one.add(one.folder().string());
  one.finish("guest.cubin", shown);
  const fs::path name = fs::path(source).filename();
  return line_of_double(whole_file(one.folder() / name.stem().concat(".ptx")), name);
}

/// The same by hipcc. It does not say which line turns a float into a double.
void compile_by_hipcc(const std::string& source, const std::string& declarations, Half half) {
  Compilation one(compiler_of(Dialect::hip));
  one.add({"-c", "--offload-arch=gfx90a", "-std=c++17", "-O1", "-w", "-x", "hip"});
  if (half == Half::kernels) one.add("--cuda-device-only");
  const std::string shown = fmt::format("{} {}", one.so_far(), source);
  one.declare(declarations);
  one.add_source(source);
  one.finish("guest.o", shown);
}

int compile_by_vendor(const std::string& source, const std::string& declarations, Half half) {
  if (dialect_of(source) == Dialect::cuda) return compile_by_nvcc(source, declarations, half);
  compile_by_hipcc(source, declarations, half);
  return 0;
}

}  // namespace

NamelessFile::NamelessFile(const std::string& bytes)
    : descriptor_(memfd_create("guest", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "a file in memory");
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t some = write(descriptor_, bytes.data() + written, bytes.size() - written);
    if (some <= 0) {
      const int why = errno;
      close(descriptor_);
      throw std::system_error(why, std::generic_category(), "a file in memory");
    }
    written += static_cast<std::size_t>(some);
  }
}

NamelessFile::~NamelessFile() { close(descriptor_); }

std::string NamelessFile::path() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
}

SharedObject compile_for_cpu(const std::string& source, const Texts& texts,
                             const std::string& declarations, Sanitizer sanitizer) {
  const CpuRuntime& runtime = CpuRuntime::of(sanitizer, dialect_of(source));
  constexpr const char* with = " with bench's own CUDA, for the CPU";
  Compilation one(gnu_compiler(), with);
  const std::string shown = fmt::format("{}{}: {}", one.so_far(), with, source);
  runtime.add_options(one);
  one.include(runtime.language());
  one.declare(declarations);
  // As the files that the user knows, line by line.
  constexpr const char* with_lines = "#include \"harness/guests/device/lines.h\"\n";
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const auto of_cuda = [&](const std::string& text) {
    return dialect_of(source) == Dialect::hip ? in_words_of_cuda(text) : text;
  };
  for (const auto& [name, text] : texts) {
    const std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    written_to(one.folder() / "source" / name,
               fmt::format("{}#line 1 {}\n{}", with_lines, quoted(name.string()),
                           in_plain_cpp(of_cuda(text.substr(begin)))));
  }
  one.add((one.folder() / "source" / fs::path(source).filename()).string());
  one.add("-I" + fs::absolute(source).parent_path().string());
  one.add({"-x", "none", "-shared", "-Wl,-Bsymbolic"});
  for (const fs::path& object : runtime.objects()) one.add(object.string());
  try {
    return shared_object(one, shown);
  } catch (const DoesNotCompile& error) {
    if (dialect_of(source) == Dialect::cuda) throw;
    throw DoesNotCompile(in_words_of_hip(error.reason.values.at(0).text), error.command);
  }
}

bool has_vendors_compiler(Dialect dialect) {
  const Vendor& vendor = vendor_of(dialect);
  return !found(vendor.variable, vendor.programs).empty();
}

SharedObject compile_for_device(const std::string& source, const std::string& declarations) {
  const Dialect dialect = dialect_of(source);
  Compilation one(compiler_of(dialect));
  for (const char* const option : vendor_of(dialect).shared) one.add(option);
  const std::string shown = fmt::format("{} {}", one.so_far(), source);
  write_device_files(one.folder());
  if (dialect == Dialect::hip) {
    written_to(one.folder() / "cuda_runtime.h", "#include \"harness/cuda/hip/runtime.hpp\"\n");
  }
  one.add("-I" + one.folder().string());
  one.declare(declarations);
  one.add((one.folder() / device_folder / "device.cu").string());
  one.add_source(source);
  return shared_object(one, shown);
}

SeenByNvcc seen_by_nvcc(const std::string& source, const std::string& declarations, Half half) {
  const bool takes_name = source.find('"') == std::string::npos;  // its own tools do not quote it
  if (!has_vendors_compiler(dialect_of(source)) || !takes_name) return {};
  try {
    return {true, {}, compile_by_vendor(source, declarations, half)};
  } catch (const DoesNotCompile&) {
    // One that takes nothing has said nothing of this file: its g++ may be too new for it.
    const Folder folder("cannot be checked");
    const std::string kind = fs::path(source).extension();
    const std::string nothing = written_to(folder.path / ("nothing" + kind), "");
    try {
      compile_by_vendor(nothing, "", half);
    } catch (const DoesNotCompile& error) {
      const std::string what = error.what();
      return {false, what.substr(what.find(": ") + 2)};
    }
    throw;
  }
}

/// The standard library has std::execution by TBB, where that is installed.
bool makes_threads_by_tbb(const std::string& source) {
  if (whole_file(source).find("<execution>") == std::string::npos) return false;
  return !file_of_library("libtbb.so").empty();
}

SharedObject compile(const std::string& source, const std::string& declarations, Build build) {
  const bool plain_c = fs::path(source).extension() == ".c";
  // A sanitizer's library is found as that of g++.
  Compilation one(build != Build::fast ? gnu_compiler()
                  : plain_c            ? compiler("CC", {"cc", "gcc", "clang"})
                                       : compiler("CXX", {"c++", "g++", "clang++"}));
  // The definition of a declared function has the declared arguments, and C's way of being called,
  // or does not compile.
  one.add({plain_c ? "-std=gnu11" : "-std=gnu++2a", "-march=native", "-fopenmp", "-fPIC", "-shared",
           "-Wl,-z,defs"});
  for (const std::string& option : words_of(options_of(build))) one.add(option);
  // As our own kernels are: what a compiler may do to the arithmetic decides whether it can use
  // vectors, too.
  for (const std::string& option : words_of(BENCH_ARITHMETIC)) one.add(option);
  const std::string shown = fmt::format("{} {}", one.so_far(), source);
  one.declare(declarations);
  const fs::path vectors = one.folder() / "vectors";
  const Family family = one.family();
  if (family == Family::llvm && build != Build::fast) {
    one.add("-shared-libsan");
  } else if (family == Family::llvm) {
    one.add({"-Rpass=loop-vectorize", "-Rpass-missed=loop-vectorize"});
  } else if (family == Family::gnu && build == Build::fast) {
    one.add("-fopt-info-vec-missed-optimized=" + vectors.string());
  }
  const char* const language = plain_c ? "c" : "c++";  // also of FILE.CC
  if (build == Build::threads) {
    one.add({"-x", language});
    one.add(written_to(one.folder() / "team_edges.c", team_edges).string());
  }
  one.add({"-x", language});  // of the next file only, for g++
  one.add_source(source);
  one.add("-lm");
  if (!plain_c && makes_threads_by_tbb(source)) one.add("-ltbb");
  SharedObject object = shared_object(one, shown);
  object.warning = first_warning(one.said(), source);
  object.scalar_loop = scalar_loop(whole_file(vectors) + one.said(), source, whole_file(source));
  return object;
}

}  // namespace bench::guests

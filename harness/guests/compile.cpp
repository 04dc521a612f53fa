#include "harness/guests/compile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/signals.hpp"
#include "harness/guests/child.hpp"
#include "harness/guests/embedded.hpp"
#include "harness/guests/folder.hpp"
#include "harness/guests/translate.hpp"
#include "harness/node/cpus.hpp"
#include "harness/place/run_error.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

constexpr const char* failure = "cannot be compiled";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// What the variable names, or the first of these programs that is there; empty where none is.
std::vector<std::string> found(const char* variable, const std::vector<const char*>& programs) {
  if (const char* const named = std::getenv(variable); named != nullptr) {
    std::vector<std::string> words = words_of(named);
    if (!words.empty()) return words;
  }
  for (const char* const program : programs) {
    if (!in_path(program).empty()) return {program};
  }
  return {};
}

std::vector<std::string> compiler(const char* variable, const std::vector<const char*>& programs) {
  std::vector<std::string> words = found(variable, programs);
  if (!words.empty()) return words;
  throw RunError(
      fmt::format("cannot be compiled: no compiler found: set {}, or module load gcc", variable));
}

constexpr double patience = 120;  // seconds for a compiler

/// The processes of a command.
class Group {
 public:
  explicit Group(pid_t leader) : leader_(leader) {
    // A source of one line may ask for all of the disk, of the memory, or of the day.
    constexpr rlim_t bytes = rlim_t{1} << 30U;
    for (const auto& [what, most] : {std::pair{RLIMIT_FSIZE, bytes},
                                     {RLIMIT_DATA, 4 * bytes},
                                     {RLIMIT_CPU, static_cast<rlim_t>(patience)}}) {
      const rlimit limit = at_most(what, most);
      prlimit(leader_, what, &limit, nullptr);
    }
  }
  /// Its status, once it has ended.
  std::optional<int> status() const {
    int status = 0;
    const pid_t ended = waitpid(leader_, &status, WNOHANG);
    if (ended < 0) throw RunError("cannot be compiled: nobody knows how the compiler has ended");
    return ended == leader_ ? std::optional(status) : std::nullopt;
  }
  void end() const {
    kill(-leader_, SIGKILL);
    waitpid(leader_, nullptr, 0);
  }

 private:
  pid_t leader_;
};

/// Runs a command, its output in a file; returns its exit code.
int run(std::vector<std::string> command, const fs::path& output) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  // A group of its own, so that all of it can be ended: whoever asks us to end ends it, too.
  const HeldSignals held;
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_t with;
  posix_spawnattr_init(&with);
  posix_spawnattr_setflags(&with, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&with, &none);
  pid_t child = -1;
  const Unbound unbound;  // a compiler is not one of our threads
  const int why = posix_spawnp(&child, words[0], &files, &with, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&with);
  if (why != 0) {
    throw RunError(fmt::format("cannot be compiled: {}: {}", command.front(),
                               std::generic_category().message(why)));
  }
  const Group compiler(child);
  const Stopwatch stopwatch;
  std::optional<int> ended;
  while (!(ended = compiler.status())) {
    const bool late = stopwatch.seconds() > patience;
    const bool interrupted = HeldSignals::waiting();
    if (late || interrupted) compiler.end();
    if (interrupted) throw RunError("cannot be compiled: interrupted");
    if (late) throw RunError(fmt::format("does not compile: not within {:g} s", patience));
    usleep(1000);
  }
  const int status = *ended;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string output_of(const std::vector<std::string>& command) {
  const Folder folder(failure);
  const fs::path said = folder.path / "said";
  return run(command, said) == 0 ? last_line(text_of(said)) : "";
}

std::string in_path(const std::string& program) {
  const char* const variable = std::getenv("PATH");
  std::istringstream folders(variable == nullptr ? "" : variable);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

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

std::string first_error(const std::string& said) {
  static const std::regex error(
      R"((fatal )?error\s*:|fatal\s*:|undefined reference|multiple definition)");
  std::istringstream lines(said);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, error)) return last_line(line);
    if (first.empty()) first = last_line(line);
  }
  return first;
}

namespace {

fs::path written_to(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

/// Runs a compiler in a folder that goes afterwards.
class Compilation {
 public:
  /// `with`: what else there is to say of the compiler.
  explicit Compilation(std::vector<std::string> compiler, const char* with = "")
      : command_(std::move(compiler)), name_(command_[0] + with) {}

  const fs::path& folder() const { return folder_.path; }
  void add(const std::string& word) { command_.push_back(word); }
  void add(std::initializer_list<const char*> words) {
    for (const char* const word : words) command_.emplace_back(word);
  }
  std::string so_far() const { return fmt::format("{}", fmt::join(command_, " ")); }
  /// That header comes before what is compiled.
  void include(const fs::path& header) {
    add("-include");
    add(header.string());
  }
  /// Likewise `declarations` of what may be defined.
  void declare(const std::string& declarations) {
    include(written_to(folder_.path / "bench_kernels.h", declarations));
  }

  /// What somebody has written, which complaints shall call as they did.
  void add_source(const std::string& source) {
    source_ = source;
    add(fs::absolute(source).string());
  }

  /// The file that it makes. `shown`: the command as users may repeat it.
  fs::path finish(const char* name, const std::string& shown) {
    const fs::path object = folder_.path / name;
    const fs::path said = folder_.path / "said";
    add("-o");
    add(object.string());
    if (run(command_, said) == 0) return object;
    throw DoesNotCompile(fmt::format("{} ({})", as_named(first_error(text_of(said))), name_),
                         shown);
  }
  SharedObject shared_object(const std::string& shown) {
    return {std::make_shared<const NamelessFile>(text_of(finish("guest.so", shown))), shown};
  }

 private:
  std::string as_named(std::string error) const {
    if (source_.empty()) return error;
    const std::string whole = fs::absolute(source_);
    if (error.starts_with(whole)) error.replace(0, whole.size(), source_);
    return error;
  }

  std::vector<std::string> command_;
  std::string name_;
  std::string source_;
  Folder folder_{failure};
};

/// What a CUDA file is compiled with, in a folder.
void write_device_files(const fs::path& folder) {
  for (const EmbeddedFile& one : device_files()) written_to(folder / one.path, one.text);
}

constexpr const char* device_folder = "harness/guests/device";

constexpr const char* nvcc_variable = "CUDACXX";
const std::vector<const char*> nvcc_programs{"nvcc", "/usr/local/cuda/bin/nvcc"};

std::vector<std::string> gnu_compiler() { return compiler("CXX", {"g++", "c++"}); }

/// bench's own CUDA and the device for the host, as objects for one sanitizer: compiled once.
class CpuRuntime {
 public:
  explicit CpuRuntime(Sanitizer sanitizer) : sanitizer_(sanitizer) {
    write_device_files(folder_.path);
    // Who includes these has everything already.
    for (const char* const name :
         {"cuda_runtime.h", "cuda.h", "cuda_runtime_api.h", "device_launch_parameters.h"}) {
      written_to(folder_.path / "cuda" / name, "#pragma once\n");
    }
    // Parsing it takes longer than the kernels do.
    Compilation header(gnu_compiler());
    add_options(header, "c++-header");
    header.add(language().string());
    fs::copy_file(header.finish("language.gch", header.so_far()), language() += ".gch");
    for (const char* const source :
         {"harness/cuda/stand_in/fibers.cpp", "harness/cuda/stand_in/runtime.cpp",
          "harness/cuda/stand_in/streams.cpp", "harness/guests/device/device.cu"}) {
      Compilation one(gnu_compiler());
      one.add("-c");
      add_options(one);
      one.include(language());
      one.add((folder_.path / source).string());
      const fs::path kept = folder_.path / fs::path(source).filename().replace_extension(".o");
      fs::copy_file(one.finish("object.o", one.so_far()), kept);
      objects_.push_back(kept);
    }
  }

  const std::vector<fs::path>& objects() const { return objects_; }

  fs::path language() const { return folder_.path / device_folder / "language.h"; }

  void add_options(Compilation& one, const char* kind = "c++") const {
    // Inlined into a function that several objects may have, a kernel has no lines for sanitizers.
    one.add({"-x", kind, "-std=gnu++20", "-O1", "-fno-inline", "-g", "-w", "-fPIC",
             "-fno-omit-frame-pointer", "-ffp-contract=off", "-DBENCH_STAND_IN"});
    if (sanitizer_ == Sanitizer::address) {
      one.add({"-fsanitize=address,alignment", "-fno-sanitize-recover=all",
               "-fsanitize-sections=bench_shared"});
    } else {
      one.add("-fsanitize=thread");
    }
    one.add("-I" + folder_.path.string());
    one.add("-I" + (folder_.path / "cuda").string());
  }

 private:
  Sanitizer sanitizer_;
  Folder folder_{failure};
  std::vector<fs::path> objects_;
};

const CpuRuntime& cpu_runtime(Sanitizer sanitizer) {
  if (sanitizer == Sanitizer::address) {
    static const CpuRuntime for_address(Sanitizer::address);
    return for_address;
  }
  static const CpuRuntime for_thread(Sanitizer::thread);
  return for_thread;
}

/// Where g++ has a library of that name; empty where it has none.
std::string library(const char* name) {
  std::vector<std::string> command = gnu_compiler();
  command.push_back(fmt::format("-print-file-name={}", name));
  const std::string file = output_of(command);
  return fs::path(file).is_absolute() && fs::exists(file) ? file : "";
}

}  // namespace

void prepare_for_cpu(Sanitizer sanitizer) { cpu_runtime(sanitizer); }

const std::string& library_of(Sanitizer sanitizer) {
  static const std::string for_address = library("libasan.so");
  static const std::string for_thread = library("libtsan.so");
  return sanitizer == Sanitizer::address ? for_address : for_thread;
}

SharedObject compile_for_cpu(const std::string& source, const Texts& texts,
                             const std::string& declarations, Sanitizer sanitizer) {
  const CpuRuntime& runtime = cpu_runtime(sanitizer);
  constexpr const char* with = " with bench's own CUDA, for the CPU";
  Compilation one(gnu_compiler(), with);
  const std::string shown = fmt::format("{}{}: {}", one.so_far(), with, source);
  runtime.add_options(one);
  one.include(runtime.language());
  one.declare(declarations);
  // As the files that the user knows, line by line.
  for (const auto& [name, text] : texts) {
    written_to(one.folder() / "source" / name,
               fmt::format("#line 1 \"{}\"\n{}", name.string(), in_plain_cpp(text)));
  }
  one.add((one.folder() / "source" / fs::path(source).filename()).string());
  one.add("-I" + fs::absolute(source).parent_path().string());
  one.add({"-x", "none", "-shared", "-Wl,-Bsymbolic"});
  for (const fs::path& object : runtime.objects()) one.add(object.string());
  return one.shared_object(shown);
}

bool has_nvcc() { return !found(nvcc_variable, nvcc_programs).empty(); }

SharedObject compile_for_device(const std::string& source, const std::string& declarations) {
  Compilation one(compiler(nvcc_variable, nvcc_programs));
  one.add({"-O3", "-std=c++17", "-arch=native", "-lineinfo", "-Xcompiler", "-fPIC", "-shared", "-x",
           "cu"});
  const std::string shown = fmt::format("{} {}", one.so_far(), source);
  write_device_files(one.folder());
  one.declare(declarations);
  one.add((one.folder() / device_folder / "device.cu").string());
  one.add_source(source);
  return one.shared_object(shown);
}

SharedObject compile(const std::string& source, const std::string& declarations) {
  const bool plain_c = fs::path(source).extension() == ".c";
  Compilation one(plain_c ? compiler("CC", {"cc", "gcc", "clang"})
                          : compiler("CXX", {"c++", "g++", "clang++"}));
  // The definition of a declared function has the declared arguments, and C's way of being called,
  // or does not compile.
  one.add({plain_c ? "-std=gnu11" : "-std=gnu++2a", "-O3", "-march=native", "-fopenmp", "-fPIC",
           "-shared", "-Wl,-z,defs"});
  // As our own kernels are: what a compiler may do to the arithmetic decides whether it can use
  // vectors, too.
  for (const std::string& option : words_of(BENCH_ARITHMETIC)) one.add(option);
  const std::string shown = fmt::format("{} {}", one.so_far(), source);
  one.declare(declarations);
  one.add_source(source);
  one.add("-lm");
  return one.shared_object(shown);
}

}  // namespace bench::guests

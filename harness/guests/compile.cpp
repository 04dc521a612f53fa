#include "harness/guests/compile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <system_error>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/guests/child.hpp"
#include "harness/place/run_error.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

/// A folder that goes when this does.
class Folder {
 public:
  Folder() {
    std::error_code none;
    std::string name = fs::temp_directory_path(none) / "bench-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw RunError(fmt::format("cannot be compiled: no folder {}: {}", name,
                                 std::generic_category().message(errno)));
    }
    path = name;
  }
  ~Folder() {
    std::error_code none;
    fs::remove_all(path, none);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path path;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// What the variable names, or the first of these programs that is there.
std::vector<std::string> compiler(const char* variable, const std::vector<const char*>& programs) {
  if (const char* const named = std::getenv(variable); named != nullptr) {
    std::vector<std::string> words = words_of(named);
    if (!words.empty()) return words;
  }
  for (const char* const program : programs) {
    if (!in_path(program).empty()) return {program};
  }
  throw RunError(
      fmt::format("cannot be compiled: no compiler found: set {}, or module load gcc", variable));
}

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
  pid_t child = -1;
  const int why = posix_spawnp(&child, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (why != 0) {
    throw RunError(fmt::format("cannot be compiled: {}: {}", command.front(),
                               std::generic_category().message(why)));
  }
  int status = 0;
  constexpr double patience = 120;
  const Stopwatch stopwatch;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (stopwatch.seconds() > patience) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      throw RunError(fmt::format("does not compile: not within {:g} s", patience));
    }
    usleep(1000);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
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
  static const std::regex error("(fatal )?error:|undefined reference|multiple definition");
  std::istringstream lines(said);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, error)) return last_line(line);
    if (first.empty()) first = last_line(line);
  }
  return first;
}

SharedObject compile(const std::string& source, const std::string& declarations) {
  const bool plain_c = fs::path(source).extension() == ".c";
  std::vector<std::string> command =
      plain_c ? compiler("CC", {"cc", "gcc", "clang"}) : compiler("CXX", {"c++", "g++", "clang++"});
  const Folder folder;
  const fs::path header = folder.path / "bench_kernels.h";
  const fs::path object = folder.path / "guest.so";
  const fs::path said = folder.path / "said";
  std::ofstream(header) << declarations;
  // The definition of a declared function has the declared arguments, and C's way of being called,
  // or does not compile.
  for (const char* const option : {plain_c ? "-std=gnu11" : "-std=gnu++2a", "-O3", "-march=native",
                                   "-fopenmp", "-fPIC", "-shared", "-Wl,-z,defs"}) {
    command.emplace_back(option);
  }
  // As our own kernels are: what a compiler may do to the arithmetic decides whether it can use
  // vectors, too.
  for (const std::string& option : words_of(BENCH_ARITHMETIC)) command.push_back(option);
  const std::string shown = fmt::format("{} {}", fmt::join(command, " "), source);
  for (const std::string& word :
       {std::string("-include"), header.string(), fs::absolute(source).string(), std::string("-o"),
        object.string(), std::string("-lm")}) {
    command.push_back(word);
  }
  if (run(command, said) != 0) {
    throw RunError(fmt::format("does not compile: {} ({})", first_error(text_of(said)), shown));
  }
  return {std::make_shared<const NamelessFile>(text_of(object)), shown};
}

}  // namespace bench::guests

#include "harness/node/team.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <vector>

#include "harness/base/bare_fork.hpp"

namespace bench {
namespace {

/// Where there are more, a team has started already, and a child could not use it.
bool is_only_thread() {
  std::error_code none;
  const std::filesystem::directory_iterator tasks("/proc/self/task", none);
  return std::distance(begin(tasks), end(tasks)) == 1;
}

[[noreturn]] void start_team(int threads, int words) {
  constexpr unsigned patience_s = 20;
  alarm(patience_s);
  dup2(words, STDERR_FILENO);
  int started = 0;
#pragma omp parallel num_threads(threads) reduction(+ : started)
  ++started;
  _exit(started > 0 ? 0 : 1);
}

/// The first line of what the runtime says; empty where the team has started.
std::string words_of_failure(int threads) {
  const auto why = [] { return std::generic_category().message(errno); };
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return why();
  std::fflush(nullptr);
  const pid_t child = bare_fork();
  if (child == 0) start_team(threads, ends[1]);
  std::string no_child = child < 0 ? why() : "";
  close(ends[1]);
  std::string words;
  std::array<char, 512> piece{};
  for (ssize_t got = 0; (got = ::read(ends[0], piece.data(), piece.size())) > 0;) {
    words.append(piece.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  if (child < 0) return no_child;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status == 0) return "";
  const std::size_t begin = words.find_first_not_of('\n');  // a runtime that is killed says nothing
  if (begin == std::string::npos) return "no thread starts";
  return words.substr(begin, words.find('\n', begin) - begin);
}

}  // namespace

std::string team_obstacle(int threads, const Host& host) {
  if (threads < 2 || !is_only_thread()) return "";
  const std::string words = words_of_failure(threads);
  if (words.empty()) return "";
  std::vector<std::string> suspects;
  for (const char* const name :
       {"GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_STACKSIZE", "KMP_STACKSIZE"}) {
    if (const char* const value = host.env(name)) {
      suspects.push_back(fmt::format("{}={}", name, value));
    }
  }
  return fmt::format("OpenMP cannot start {} threads ({}): {}", threads, words,
                     suspects.empty() ? "raise the limit of processes (ulimit -u, pids.max) or of "
                                        "memory (ulimit -v), or set OMP_NUM_THREADS=1"
                                      : fmt::format("unset {}", fmt::join(suspects, " and ")));
}

bool openmp_is_of_llvm() { return dlsym(RTLD_DEFAULT, "kmp_get_library") != nullptr; }

}  // namespace bench

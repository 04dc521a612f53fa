#include "harness/node/spawn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <system_error>

#include "harness/node/cpus.hpp"
#include "harness/node/own_environment.hpp"

namespace bench {

pid_t spawn(const std::filesystem::path& program, std::vector<std::string> words,
            const std::string& output, const std::string& messages, const std::vector<int>& cpus) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int writing = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), writing, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages.c_str(), writing, 0600);
  posix_spawnattr_t with;
  posix_spawnattr_init(&with);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setflags(&with, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&with, &none);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = -1;
  give_up_own_environment();
  const Unbound unbound;
  if (!cpus.empty()) bind_thread(cpus);
  const int why = posix_spawn(&child, program.c_str(), &files, &with, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&with);
  if (why == 0) return child;
  throw std::runtime_error(
      fmt::format("cannot start {}: {}", words.front(), std::generic_category().message(why)));
}

}  // namespace bench

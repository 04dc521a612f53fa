#include "harness/command/interrupt.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "harness/base/exit.hpp"
#include "harness/base/signals.hpp"
#include "harness/guests/folder.hpp"

namespace bench {
namespace {

std::function<void()>& words_before_exit() {
  static std::function<void()> words;
  return words;
}

void leave_in_the_middle() {
  if (!words_before_exit()) return;
  try {
    std::exchange(words_before_exit(), nullptr)();
  } catch (const std::exception&) {
    // The file written before stays; there is nothing better to do on the way out.
  }
  guests::remove_folders();
  _exit(EXIT_FAILURE);
}

/// Where the soft limit of processor time (ulimit -t) is also the hard one, the kernel kills
/// without SIGXCPU first.
void ask_for_warning_of_time_limit() {
  constexpr rlim_t enough_s = 2;
  rlimit limit{};
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  if (limit.rlim_cur < limit.rlim_max || limit.rlim_cur <= enough_s) return;
  limit.rlim_cur -= enough_s;
  setrlimit(RLIMIT_CPU, &limit);
}

}  // namespace

void block_interrupts() {
  ask_for_warning_of_time_limit();
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

void on_interrupt(std::function<int(int signal)> last_words) {
  static std::mutex mutex;
  static std::function<int(int)> words;
  const std::lock_guard lock(mutex);
  const bool waiting = words != nullptr;
  words = std::move(last_words);
  if (waiting) return;
  std::thread([] {
    const sigset_t set = ending_signals();
    int signal = 0;
    if (sigwait(&set, &signal) != 0) return;
    int code = Exit::by(signal);
    try {
      const std::lock_guard held(mutex);
      code = words(signal);
    } catch (const std::exception&) {
      // As above.
    }
    guests::remove_folders();
    _exit(code);
  }).detach();
}

UnlessDone::UnlessDone(std::function<void()> last_words) {
  words_before_exit() = std::move(last_words);
  [[maybe_unused]] static const int registered = std::atexit(leave_in_the_middle);
}

UnlessDone::~UnlessDone() { words_before_exit() = nullptr; }

}  // namespace bench

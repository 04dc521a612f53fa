#include "harness/command/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>

namespace bench {
namespace {

struct Signal {
  int number;
  const char* name;
};
constexpr std::array<Signal, 6> ends{{{SIGINT, "SIGINT"},
                                      {SIGTERM, "SIGTERM"},
                                      {SIGHUP, "SIGHUP"},
                                      {SIGXCPU, "SIGXCPU"},
                                      {SIGUSR1, "SIGUSR1"},
                                      {SIGUSR2, "SIGUSR2"}}};

/// A blocked signal would reach sigwait even where the caller wants it ignored.
bool ignored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  for (const Signal& one : ends) {
    if (!ignored(one.number)) sigaddset(&set, one.number);
  }
  return set;
}

const char* name_of(int number) {
  for (const Signal& one : ends) {
    if (one.number == number) return one.name;
  }
  return "a signal";
}

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
  _exit(EXIT_FAILURE);
}

}  // namespace

void block_interrupts() {
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

void on_interrupt(std::function<void(const char* signal)> last_words) {
  std::thread([last_words = std::move(last_words)] {
    const sigset_t set = interrupts();
    int signal = 0;
    if (sigwait(&set, &signal) != 0) return;
    try {
      last_words(name_of(signal));
    } catch (const std::exception&) {
      // As above.
    }
    _exit(128 + signal);
  }).detach();
}

UnlessDone::UnlessDone(std::function<void()> last_words) {
  words_before_exit() = std::move(last_words);
  [[maybe_unused]] static const int registered = std::atexit(leave_in_the_middle);
}

UnlessDone::~UnlessDone() { words_before_exit() = nullptr; }

}  // namespace bench

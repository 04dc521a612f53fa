#include "harness/base/signals.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>

namespace bench {
namespace {

struct Signal {
  int number;
  const char* name;
};
constexpr std::array<Signal, 8> ends{{{SIGINT, "SIGINT"},
                                      {SIGTERM, "SIGTERM"},
                                      {SIGHUP, "SIGHUP"},
                                      {SIGQUIT, "SIGQUIT"},
                                      {SIGXCPU, "SIGXCPU"},
                                      {SIGALRM, "SIGALRM"},
                                      {SIGUSR1, "SIGUSR1"},
                                      {SIGUSR2, "SIGUSR2"}}};

bool ignored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// The signals to hold, SIGPIPE among them: a pipe that nobody reads would end this process before
/// what that has started.
sigset_t held_signals() {
  sigset_t set = ending_signals();
  if (!ignored(SIGPIPE)) sigaddset(&set, SIGPIPE);
  return set;
}

}  // namespace

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const Signal& one : ends) {
    if (!ignored(one.number)) sigaddset(&set, one.number);
  }
  return set;
}

const char* name_of_signal(int number) {
  for (const Signal& one : ends) {
    if (one.number == number) return one.name;
  }
  return "a signal";
}

HeldSignals::HeldSignals() {
  const sigset_t set = held_signals();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool HeldSignals::waiting() {
  sigset_t there;
  sigpending(&there);
  const sigset_t held = held_signals();
  const auto waits = [&](int number) {
    return sigismember(&held, number) == 1 && sigismember(&there, number) == 1;
  };
  return waits(SIGPIPE) || std::any_of(ends.begin(), ends.end(),
                                       [&](const Signal& one) { return waits(one.number); });
}

}  // namespace bench

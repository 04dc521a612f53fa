#include "harness/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <thread>
#include <utility>

namespace bench {
namespace {

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

void block_interrupts() {
  const sigset_t set = interrupts();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void on_interrupt(std::function<void(const char* signal)> last_words) {
  std::thread([last_words = std::move(last_words)] {
    const sigset_t set = interrupts();
    int signal = 0;
    if (sigwait(&set, &signal) != 0) return;
    try {
      last_words(signal == SIGINT ? "SIGINT" : "SIGTERM");
    } catch (const std::exception&) {
      // The file written before stays; there is nothing better to do on the way out.
    }
    _exit(128 + signal);
  }).detach();
}

}  // namespace bench

#pragma once

#include <functional>

namespace bench {

/// Blocks the signals that ask a run to end, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGALRM,
/// SIGUSR1 and SIGUSR2, in the calling thread and all that it starts later; what the caller ignores
/// (nohup) stays ignored. Call it before any thread exists: a sample cannot be aborted, so another
/// thread must take the signals. A file that may not grow further (SIGXFSZ) becomes an error of
/// writing.
void block_interrupts();

/// Starts the thread that waits for those signals. When one comes it calls `last_words` and leaves
/// the process with what they return. Another call replaces the words.
void on_interrupt(std::function<int(int signal)> last_words);

/// While this lives, a call of exit() (by a variant, say) does not end it as usual: it calls
/// `last_words` and leaves the process with 1.
class UnlessDone {
 public:
  explicit UnlessDone(std::function<void()> last_words);
  ~UnlessDone();
  UnlessDone(const UnlessDone&) = delete;
  UnlessDone& operator=(const UnlessDone&) = delete;
};

}  // namespace bench

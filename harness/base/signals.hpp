// Signals that end a program: the terminal's, the system's, and those of a time limit.
#pragma once

#include <csignal>

namespace bench {

/// All of them that are not ignored: a blocked one would wait to be taken even where the caller
/// wants it ignored.
sigset_t ending_signals();
/// The name of one of them: `SIGTERM`.
const char* name_of_signal(int number);

/// While this lives, they wait, for the calling thread and those that it starts meanwhile.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// True where one has come.
  static bool waiting();

 private:
  sigset_t before_;
};

}  // namespace bench

// A process of its own for somebody else's code: what happens to it happens to nobody else.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/node/preemption.hpp"

namespace bench::guests {

/// Variables of the environment, over those that are there.
using Variables = std::vector<std::pair<std::string, std::string>>;

class Sandbox;

/// What the process may take; nothing: as much as this one.
struct Limits {
  std::vector<int> cpus;              ///< that it may run on; empty: those of the calling thread
  std::optional<std::size_t> memory;  ///< bytes of its own
  std::optional<unsigned> processor_seconds;  ///< of all of its threads, until it is ended
  bool fixed_addresses = false;               ///< as ThreadSanitizer needs them
  std::vector<int> inherited;                 ///< descriptors: there those from first_inherited on
  const Sandbox* sandbox = nullptr;           ///< that it starts in
};

/// The limit of this process (RLIMIT_…), or `most` where that is less: nobody gets more than we
/// have.
rlimit at_most(int resource, rlim_t most);
/// The same; first it is only told so, by a signal that says of what it had too much.
rlimit soon_at_most(int resource, rlim_t most);

constexpr int first_inherited = 4;
/// How the process itself finds the i-th of those.
std::string inherited_path(std::size_t i);

/// It was waited for in vain, or has taken all of the processor time that it was given.
struct NoAnswer : RunError {
  using RunError::RunError;
};
/// The same where others had the processors, so that nobody knows what it would have said.
struct NotJudged : Unavailable {
  using Unavailable::Unavailable;
};

class Child {
 public:
  /// Starts `command`, whose first word is a file, in a process group of its own, talking by
  /// lines over the socket that control_variable names. Nothing else is open there but what is
  /// inherited, and what it prints, which is kept for complaints. It is killed where this process
  /// ends. Throws RunError.
  Child(const std::vector<std::string>& command, const Variables& variables, const Limits& limits);
  /// Kills it, and what it has started in its group.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  /// What all of its threads have had of the processors; 0 where nobody knows.
  double processor_seconds() const;
  /// Memory of its own, in bytes; 0 where nobody knows.
  std::size_t own_memory() const;
  /// It gets no more than that from now on, as long as it does not object.
  void limit_memory(std::size_t bytes) const;

  /// Nothing of its group runs until the next send(): what it has not done by now is not done.
  /// Throws RunError where it does not stop.
  void freeze();
  /// Frozen, these threads of it are woken by the next send() on a processor each, the first on
  /// another one than this thread's, and may go anywhere then. Linux might put two that have slept
  /// for long on one processor, and leave them there for milliseconds.
  void spread(const ThreadSeconds& threads);
  /// Throws RunError, with what became of the process, where it has ended.
  void send(const std::string& line);
  /// Its next line. Throws RunError where none comes within `seconds`, or no more, and NotJudged
  /// where it has waited for a processor most of a longer time.
  std::string receive(double seconds, const Reason& suspicion = said<reasons::an_endless_loop>());

 private:
  /// What it had of the processors, and how long it waited for them.
  struct Had {
    double worked;  ///< all threads together
    ThreadTimes threads;
  };

  Had had() const;
  void wake();
  void refuse_late(double seconds, double passed, const Had& before, const Reason& suspicion) const;
  [[noreturn]] void ended();
  void refuse_unasked();
  void hear();
  Reason with_last_words(const Reason& end);

  pid_t pid_ = -1;
  std::optional<unsigned> processor_seconds_;  ///< as in Limits
  int control_ = -1;
  int output_ = -1;
  bool frozen_ = false;
  std::vector<int> cpus_;     ///< as in Limits
  std::vector<pid_t> apart_;  ///< threads that are bound until they are woken
  bool mute_ = false;         ///< it has closed stdout and stderr
  std::string unread_;        ///< of its lines
  std::string printed_;       ///< the end of what it wrote on stdout and stderr
};

/// The last line of a text that says anything, so that it fits into a table.
std::string last_line(const std::string& text);

}  // namespace bench::guests

// This program again, in a process of its own: with other addresses, another stack, another
// length of its environment, and perhaps on other cores.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/command/run_request.hpp"
#include "harness/document/document.hpp"

namespace bench {

/// True where this process is such an execution. It does what the same words asked the first
/// process to do several times, once, and its result file is all that it prints.
bool one_of_several();

/// Such an execution is killed where the first process ends.
void end_with_parent();

/// Which part of the node an execution measures: a GPU, or the processors of a socket.
struct Part {
  std::string kind;          ///< the parameter that names it
  std::size_t number = 0;    ///< of a GPU as CUDA counts them
  std::size_t together = 1;  ///< on how many there are executions at the same time
  std::vector<int> cpus{};   ///< that the execution may use; empty: those of this process
};

/// What an execution wants of what its words ask for: as many samples as keep the result file of
/// all of them small, and nothing for people.
RunRequest of_execution(RunRequest request);

struct Execution {
  std::optional<Document> document;  ///< nothing where it was ended before it had begun
  /// The signal that was to end this process meanwhile: it was handed on, and ended the execution.
  std::optional<int> signal;
};

/// Runs this program with the same words. From now on signals wait to be handed on. Throws with its
/// last words where it leaves no result file by itself: UsageError where it refuses the words, else
/// std::runtime_error.
Execution execute_again(const std::vector<std::string>& argv);

/// The same on each of these parts at the same time; nothing for one: where its words say.
std::vector<Execution> execute_again(const std::vector<std::string>& argv,
                                     const std::vector<std::optional<Part>>& parts);

/// What this program prints with these words. Its process ends with this one. Throws
/// std::runtime_error where that takes longer than `patience` seconds.
std::string printed_by(const std::vector<std::string>& argv, double patience);

}  // namespace bench

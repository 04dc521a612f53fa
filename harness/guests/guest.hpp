// A file of somebody else's as a process that offers variants.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/arrays/memory.hpp"
#include "harness/guests/child.hpp"
#include "harness/guests/compile.hpp"
#include "harness/guests/folder.hpp"
#include "harness/guests/protocol.hpp"

namespace bench::guests {

/// What user kernels are given.
struct Means {
  int threads = 1;
  std::optional<int> gpu;  ///< the number of that to use; nothing: by the task's rank on the node
  std::vector<int> cpus;   ///< as in Limits
  std::function<std::optional<std::size_t>()> memory;  ///< as in Limits, when one is started
  double patience = 30;                                ///< seconds for an answer
  bool compiles_late = false;        ///< as it starts, and in the first call of each variant
  bool peers = false;                ///< they are bench's own
  bool graded = false;               ///< nothing is trusted, see Guest::run() and Sandbox
  std::vector<std::string> sizes{};  ///< that are asked for, as a command has them
  std::vector<std::size_t> bins{};   ///< the same
  std::string workload{};            ///< of a file that names none; empty: that of others
  std::function<void(const std::string&)> looks_at{};  ///< called with each file before; or null
  Variables variables{};                               ///< next to those of variables_for()
  std::shared_ptr<ArrayFiles> arrays{};                ///< that it inherits
  std::optional<unsigned> processor_seconds{};         ///< as in Limits
  bool fixed_addresses = false;                        ///< as in Limits
  std::filesystem::path writable{};  ///< the folder of whom is graded; empty: one of its own
};

class Guest {
 public:
  /// `command` starts it. Where there is a `program`, a file that it refers to, it finds that as
  /// inherited_path(0).
  Guest(std::vector<std::string> command, std::shared_ptr<const NamelessFile> program, Means means);

  /// The path by which it opens a file of this process: one that it has inherited, or any other
  /// where nothing is between us.
  std::string path_of(int descriptor) const;

  /// Starts it and does not wait until it is there: others may start next to it. Throws RunError.
  void launch();
  /// What it offers, once it is there. Throws RunError.
  const std::vector<Offer>& offers();

  /// Names and versions of the packages with which it said that it computes.
  const std::map<std::string, std::string>& packages() const { return packages_; }

  /// The time of `calls` calls of the variant with this number among offers(), on the arrays of
  /// `problem`, with that number of threads: by the user kernel's clock, or, graded, from the
  /// request until it has stopped after its answer, less what asking takes: it believes nothing
  /// that a user kernel says of itself. What has ended is started again. Throws RunError, and
  /// Unavailable where the node lacks what it needs.
  Ran run(const Open& problem, const RunCalls& calls);
  /// What comes before a run and is not timed: its threads may wake, its arrays come to a device.
  /// Graded, it is stopped afterwards, as it is after all other answers.
  void get_ready(const Open& problem, const Ready& ready);
  /// The result of the last run comes from the device into the host's array.
  void fetch(const Open& problem, const Fetch& wanted);
  /// The resolution of run() in seconds, where the clock is ours.
  double floor() const { return floor_; }
  bool graded() const { return means_.graded; }
  /// Whether it has the arrays of `problem`, and what is on a device of them.
  bool has(const Open& problem) const;
  /// Seconds of the processors, in all of its runs so far.
  double processor_seconds() const { return processor_seconds_; }
  /// It gives back the arrays of `problem`, if it has them.
  void close(const Open& problem);

 private:
  void greet();
  void limit_memory(const Open& problem);
  void end_one_that_leaks();
  Json answer(bool compiles);
  void open(const Open& problem);
  void measure_asking();
  void refuse_large_files();
  Json ask(const char* what, const Json& message, bool compiles = false);

  std::vector<int> inherited() const;

  std::vector<std::string> command_;
  std::shared_ptr<const NamelessFile> program_;
  Means means_;
  std::unique_ptr<const Folder> scratch_;  ///< the only place where it may write, if it has one
  std::optional<Child> child_;
  bool greeted_ = false;          ///< what it says first was waited for
  std::set<std::size_t> called_;  ///< variants that have answered
  std::vector<Offer> offers_;
  std::map<std::string, std::string> packages_;
  Json opened_;        ///< null: nothing is
  double passed_ = 0;  ///< seconds from the last request to its answer, or until it has stopped
  std::size_t memory_ = 0;       ///< that it had when it was opened
  std::size_t most_memory_ = 0;  ///< that it may have
  double asking_ = 0;            ///< what is taken off each sample, in seconds
  double floor_ = 0;
  double processor_seconds_ = 0;
};

/// Variables that tell the runtimes of many languages how many threads there are, and our Python
/// module which GPU is meant.
Variables variables_for(const Means& means);

}  // namespace bench::guests

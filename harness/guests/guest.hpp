// A file of somebody else's as a process that offers variants.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/guests/child.hpp"
#include "harness/guests/protocol.hpp"
#include "harness/measure/guest_variant.hpp"

namespace bench::guests {

/// What guests are given.
struct Means {
  int threads = 1;
  std::vector<int> cpus;                               ///< as in Limits
  std::function<std::optional<std::size_t>()> memory;  ///< likewise, when one is started
  double patience = 30;                                ///< seconds for an answer
  bool graded = false;  ///< its clock is not trusted, see Guest::run()
};

class Guest {
 public:
  /// `command` starts it; `name` is what its variants are called that have no name of their own.
  Guest(std::string name, GuestFile file, std::vector<std::string> command, Means means);

  /// Starts it and reads what it offers. Throws RunError.
  const std::vector<Offer>& offers();

  /// The time of so many calls of the variant with this number among offers(), on the arrays of
  /// `problem`, with so many threads: by the guest's clock, or, graded, from the request to the
  /// answer, less the floor. The guest is frozen then. What has ended is started again. Throws
  /// RunError.
  Ran run(const Open& problem, const RunCalls& calls);
  /// What comes before a run and is not timed: its threads may wake.
  void get_ready(const Open& problem, const RunCalls& calls);
  /// What run() shows for nothing, where the clock is ours.
  double floor() const { return floor_; }
  /// It gives back the arrays of `problem`, if it has them.
  void close(const Open& problem);

  const std::string& name() const { return name_; }
  const GuestFile& file() const { return file_; }

 private:
  void start();
  void open(const Open& problem);
  double measured_floor();
  Json ask(const char* what, const Json& message);

  std::string name_;
  GuestFile file_;
  std::vector<std::string> command_;
  Means means_;
  std::optional<Child> child_;
  std::vector<Offer> offers_;
  Json opened_;  ///< null: nothing is
  double floor_ = 0;
};

/// Variables that tell the runtimes of many languages how many threads there are.
Variables variables_for(int threads);

}  // namespace bench::guests

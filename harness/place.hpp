// Where a case runs: its memory, its caches, its clock.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "harness/workload.hpp"

namespace bench {

/// A variant bound to a problem; it is given the arrays of its place.
using Run = std::function<void(const Arrays&)>;

constexpr const char* wrote_into_input = "wrote into its input";

class Place {
 public:
  Place() = default;
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  virtual ~Place() = default;

  /// Calls `run` so many times and returns the seconds of all calls by the clock of the place, once
  /// the last result is complete. Throws what `run` throws, or what the device reports.
  virtual double seconds(const Run& run, std::size_t calls) = 0;
  /// What seconds() shows for nothing, in seconds.
  virtual double clock_floor() const = 0;
  /// How long a batch of calls must last for the clock to be negligible.
  virtual double batch_seconds() const = 0;

  virtual void poison_output() = 0;
  virtual void empty_caches() = 0;
  /// The last thing before a sample that is not measured.
  virtual void get_ready() {}

  /// Brings the result to where the referee finds it: into the host's array.
  virtual void fetch() {}
  /// What was written outside of the arrays since the last call; the guard bands are whole again.
  virtual std::optional<std::string> repair_guards() = 0;
  /// What is wrong with the inputs after a run; they are right again.
  virtual std::optional<std::string> repair_inputs() = 0;
};

}  // namespace bench

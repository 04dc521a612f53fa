// Where a case runs: its memory, its caches, its clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/workload/workload.hpp"

namespace bench {

/// A variant bound to a problem; it is given the arrays of its place.
using Run = std::function<void(const Arrays&)>;

/// Some bytes of an array.
struct Piece {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// The byte of an array at this offset.
inline unsigned char* at(void* data, std::size_t offset) {
  return static_cast<unsigned char*>(data) + offset;
}

/// A piece of an input.
struct Spot {
  std::size_t input = 0;
  Piece piece;
};

/// Poison in a piece of the result of arrays in host memory.
void poison(const Arrays& arrays, const Piece& piece);

/// The pieces that elements of an array take: a single one for all of them.
std::vector<Piece> pieces(const ArraySpec& extent, const Elements& elements);

class Place {
 public:
  Place() = default;
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  virtual ~Place() = default;

  /// Calls `run` `calls` times and returns the seconds of all calls by the clock of the place, once
  /// the last result is complete. Throws what `run` throws, or what the device reports.
  virtual double seconds(const Run& run, std::size_t calls) = 0;
  /// What seconds() shows for nothing, in seconds.
  virtual double clock_floor() const = 0;
  /// How long a batch of calls must last for the clock to be negligible.
  virtual double batch_seconds() const = 0;
  /// Seconds that its threads have been ready to run but waited for a processor, so far; nothing
  /// where the kernel does not say.
  virtual std::optional<double> waited() const = 0;
  /// What the clock of the place does not see of `run`; nothing where it sees all of it.
  virtual std::optional<Reason> off_the_clock(const Run& /*run*/) { return {}; }

  /// Seconds until a call of `run` returns, where its work continues: what a clock shows that
  /// does not wait. Nothing where calls return when all is done.
  virtual std::optional<double> seconds_to_return(const Run& /*run*/) { return {}; }

  /// What its runs have had of the processors so far, where another process runs them.
  virtual std::optional<double> processor_seconds() const { return {}; }

  /// What the busiest thread had of a processor in the last seconds(): the time without what others
  /// took. Nothing where nobody needs it, or the kernel does not say.
  virtual std::optional<double> busiest() const { return {}; }

  /// Fills the output with the poison, past all caches.
  virtual void poison_output() = 0;
  /// The same for a few pieces of it, in the caches.
  virtual void poison_output(const std::vector<Piece>& some) = 0;
  /// What a variant must bring itself is no longer where it computes.
  virtual void poison_inputs() {}
  /// The host's inputs have changed here; they change where variants read them, unless a variant
  /// must bring them itself.
  virtual void perturbed(const std::vector<Spot>& /*spots*/) {}
  /// They are again as they were, everywhere.
  virtual void restored(const std::vector<Spot>& /*spots*/) {}
  /// Right after poison_output().
  virtual void empty_caches() = 0;
  /// Whether runs that follow each other find nothing of use in the caches anyway.
  virtual bool beyond_caches() const { return false; }
  /// Before the inputs change for a sample: a kernel that may see them only once the clock runs
  /// gets ready here, and not by get_ready().
  virtual void settle() {}
  /// The last thing before a sample that is not measured.
  virtual void get_ready() {}

  /// A digest of the whole result where variants write it: another one where any byte is another.
  /// Nothing where that is the host's array.
  virtual std::optional<std::uint64_t> output_digest() { return {}; }
  /// Brings pieces of the result to where the referee finds them: into the host's array.
  virtual void fetch(const std::vector<Piece>& /*some*/) {}
  /// What was written outside of the arrays since the last call; the guard bands are whole again.
  virtual std::optional<Reason> repair_guards() = 0;
  /// What is wrong with the inputs after a run; they are right again.
  virtual std::optional<Reason> repair_inputs() = 0;
};

}  // namespace bench

// What the processors count while the threads compute: perf_event_open, without a library.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/node/host.hpp"

namespace bench {

/// Totals of the code of all threads, the kernel's left out. Nothing where an event is not counted.
struct EventCounts {
  std::optional<double> cycles;
  std::optional<double> instructions;
  std::optional<double> cache_misses;   ///< of the last level
  std::optional<double> branch_misses;  ///< branches that went another way than predicted
  std::optional<double> tlb_misses;     ///< loads whose page was not in the first TLB
  /// The events took turns on the processor: totals are extrapolated.
  bool scaled = false;
  std::size_t runs = 0;  ///< that the totals are divided by
};

/// Its figures.
constexpr std::optional<double> EventCounts::*event_figures[] = {
    &EventCounts::cycles, &EventCounts::instructions, &EventCounts::cache_misses,
    &EventCounts::branch_misses, &EventCounts::tlb_misses};

/// Counts the events of all threads that this process has when it is made.
class EventCounter {
 public:
  /// Never fails: see reason().
  explicit EventCounter(const Host& host = {});
  ~EventCounter();
  EventCounter(const EventCounter&) = delete;
  EventCounter& operator=(const EventCounter&) = delete;

  /// Empty, or why nothing is counted, in a sentence with its remedy.
  const Reason& reason() const { return reason_; }
  /// What is counted, by names as people read them: `cycles`, `cache misses`.
  std::vector<std::string> events() const;

  /// Counts are added up between each start() and the stop() that follows.
  void start() const;
  void stop() const;
  /// The counts so far; the events of a thread that they never reached are not reported.
  EventCounts totals() const;

 private:
  struct Event;
  struct Group;

  static const std::vector<std::vector<Event>>& sets();
  /// 0, or the number of the error after which there is no going on.
  int open_all(const Host& host);
  int open_set(const std::vector<Event>& set, int thread, const OpenEvent& open);
  void close_all();

  std::vector<Group> groups_;
  Reason reason_;
};

}  // namespace bench

#include "harness/command/measuring.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/signals.hpp"
#include "harness/command/devices.hpp"
#include "harness/command/executions.hpp"
#include "harness/command/interrupt.hpp"
#include "harness/command/progress.hpp"
#include "harness/command/result_file.hpp"
#include "harness/command/streams.hpp"
#include "harness/measure/runner.hpp"
#include "harness/measure/stop_rule.hpp"
#include "harness/measure/time_needed.hpp"
#include "harness/node/job.hpp"
#include "harness/plan/memory_room.hpp"

namespace bench {
namespace {

std::string name_of(const PlannedGroup& group) {
  return fmt::format("{} {} {}", group.workload, name_of(group.dtype), group.size);
}

/// Measures group after group, as long as there is time.
class Measuring {
 public:
  Measuring(const Settings& settings, const Session& session, std::size_t groups, bool tells)
      : settings_(settings),
        rehearsal_(session.suite.workloads, settings),
        left_(groups),
        tells_(tells) {}

  Group next(const PlannedGroup& group, const Progress& progress) {
    constexpr double margin = 1.25;
    Settings settings = settings_;
    const auto& budget = settings.budget;
    if (budget && budget->left() <= 0) return skipped(group, budget->used_up());
    if (budget || rehearsal_.may_take_long(group)) {
      const TimeNeeded needed = rehearsal_.time_needed(group);
      if (budget && margin * needed.least > budget->left()) {
        --left_;
        return skipped(group, budget->too_small(needed.least));
      }
      if (budget) share(settings, needed);
      if (!budget) warn(group, needed.expected);
    }
    --left_;
    return measure(group, settings, progress);
  }

 private:
  /// Each of those that are left gets as much time as the others.
  void share(Settings& settings, const TimeNeeded& needed) const {
    const double time = settings.budget->left() / static_cast<double>(left_);
    const double before_and_after = needed.least - needed.least_rounds;
    settings.max_seconds = std::clamp(time - before_and_after, 0.0, settings.max_seconds);
    settings.min_seconds = std::min(settings.min_seconds, settings.max_seconds);
  }

  void warn(const PlannedGroup& group, double seconds) const {
    constexpr double long_time = 60;
    if (!tells_ || seconds < long_time + settings_.max_seconds) return;
    tell(fmt::format("{}: about {}; --budget 1m, or a smaller --size, takes less", name_of(group),
                     rough_duration(seconds)));
  }

  Settings settings_;
  Rehearsal rehearsal_;
  std::size_t left_;
  bool tells_;
};

using Flag = std::shared_ptr<std::atomic<bool>>;

/// Leaves the group time to end whose rounds have samples, until it is `kept`. It ends at once
/// where another signal comes.
void let_group_end(const Flag& kept) {
  constexpr double patience = 20;  // seconds
  constexpr timespec for_a_moment{0, 10'000'000};
  if (!end_rounds()) return;
  tell("the samples until now are verified and kept; interrupt again to end at once");
  const sigset_t signals = ending_signals();
  const Stopwatch stopwatch;
  while (!*kept && stopwatch.seconds() < patience) {
    if (sigtimedwait(&signals, nullptr, &for_a_moment) > 0) return;
  }
}

/// `all`: groups, with those of an earlier run. `kept` is set where a signal has ended the rounds,
/// and the process soon.
void measure_all(const Prepared& prepared, const Session& session, Report& report, std::size_t all,
                 const Flag& kept) {
  const RunRequest& request = prepared.request;
  const Settings& settings = prepared.settings;
  const auto& groups = prepared.groups;
  const bool tells = !request.quiet && task_rank() == 0;
  Measuring measuring(settings, session, groups.size(), tells);
  ProgressLine line(request.progress && tells, expected_shares(groups, settings),
                    all - groups.size());
  for (const PlannedGroup& group : groups) {
    line.next_group();
    const Group result = measuring.next(
        group, [&](const std::string& what, double share) { line.show(what, share); });
    try {
      report.add(result);
    } catch (const std::runtime_error&) {
      // A full disk may have room again later; the result stays in memory until the last write.
    }
    *kept = rounds_ended();
    while (*kept) pause();
  }
  line.clear();
}

Measured measure_here(Prepared prepared, const Session& session, const LastWords& last_words) {
  const std::size_t all = prepared.groups.size();
  const auto report = begin(prepared.request, prepared.context, prepared.groups);
  const auto end = [report, all, last_words](const char* by, std::optional<int> signal) {
    const bool complete = report->groups() == all;  // it was to be concluded anyway
    const auto [first, unwritten] = finish(*report, complete ? "" : by);
    return last_words({report, all, by, signal, first, unwritten});
  };
  const auto kept = std::make_shared<std::atomic<bool>>(false);
  // Another process may wait for what is written to stdout.
  const bool patient = prepared.request.writes_file();
  on_interrupt([end, kept, patient](int signal) {
    if (signal == SIGINT && patient) let_group_end(kept);
    return end(name_of_signal(signal), signal);
  });
  const UnlessDone guard([end] { end("exit()", {}); });
  measure_all(prepared, session, *report, all, kept);
  const std::string unwritten = finish(*report, "").unwritten;
  return {report, exit_code(report->document()), unwritten, {}};
}

}  // namespace

Measured measure(Prepared prepared, const Session& session, const LastWords& last_words) {
  const RunRequest& request = prepared.request;
  if (request.executions > 1) return measure_several(request, prepared.context, session);
  if (!prepared.parts.empty()) {
    return measure_parts(prepared.parts, request, prepared.context, session);
  }
  return measure_here(std::move(prepared), session, last_words);
}

int measure_and_print(Prepared prepared, const Session& session, const Print& print) {
  const RunRequest request = prepared.request;
  const bool all_usable = prepared.all_usable;
  const auto last_words = [request, print](const Ended& ended) {
    return conclude(request, ended, print);
  };
  const Measured measured = measure(std::move(prepared), session, last_words);
  const int code = conclude(request, measured, print);
  return all_usable ? code : Exit::wrong;
}

void print_plan(const Prepared& prepared, const Session& session) {
  const Settings& settings = prepared.settings;
  const auto& groups = prepared.groups;
  const Rehearsal rehearsal(session.suite.workloads, settings);
  double all = 0;
  for (const PlannedGroup& group : groups) {
    const double seconds = rehearsal.expected(group);
    all += seconds;
    print(fmt::format("{}: {} cases, {}, about {}\n", name_of(group), group.cases.size(),
                      bytes_text(bytes_needed(group)), rough_duration(seconds)));
  }
  if (groups.size() > 1) print(fmt::format("in all about {} on this node\n", rough_duration(all)));
}

}  // namespace bench

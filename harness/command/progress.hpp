// What a terminal shows while a run lasts: what is measured now, how far that is, how long it will
// still take.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/plan/plan.hpp"

namespace bench {

/// How long each group will take, relative to the others. One that does not fit into memory is
/// skipped and takes no time.
std::vector<double> expected_shares(const std::vector<PlannedGroup>& groups,
                                    const Settings& settings);

/// How far a run is. It does not look at a clock: it is given the seconds since the beginning.
class Pace {
 public:
  explicit Pace(std::vector<double> weights);

  /// The first or next group begins.
  void next_group(double now);
  /// The share of the whole that is done when this share of the current group is.
  double done(double share_of_group) const;
  /// Seconds that are left, by what the groups before took; nothing while they are few. Between two
  /// groups it only counts down.
  std::optional<double> left(double now) const;

 private:
  std::vector<double> weights_;
  double total_;
  double before_ = 0;         ///< weight of the groups that are done
  std::size_t begun_ = 0;     ///< groups
  double current_began_ = 0;  ///< when
};

/// `about 40 s left`: no more digits than such a guess has.
std::string time_left(double seconds);

/// The text cut to `columns`, between two characters.
std::string shortened(const std::string& text, std::size_t columns);

/// One line of at most `width` columns. What does not fit is cut from `what`.
std::string progress_text(const std::string& head, const std::string& what, const std::string& tail,
                          std::size_t width);

/// The line of progress on stderr, written again and again from the third second on, even where the
/// first thing takes longer; nothing where stderr is not a terminal, or if it is switched off.
class ProgressLine {
 public:
  /// `passed` groups were measured by an earlier run.
  ProgressLine(bool wanted, std::vector<double> weights, std::size_t passed = 0);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void next_group();
  void show(const std::string& what, double share_of_group);
  void clear();

 private:
  void print(const std::string& text);
  void show_first(const std::stop_token& stop);

  bool wanted_;
  bool shown_ = false;
  std::size_t number_;
  std::size_t groups_;
  Pace pace_;
  Stopwatch run_;
  Stopwatch since_shown_;
  std::string early_;  ///< said before it is time
  std::mutex lock_;    ///< of what is printed
  std::condition_variable_any ended_;
  std::jthread first_;  ///< sleeps until it is time
};

}  // namespace bench

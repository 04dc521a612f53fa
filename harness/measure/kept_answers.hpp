// A kernel that returns cached results needs longer where all of its input is new.
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace bench {

/// What a run took. A node that is busy makes it wait, but gives it no more work.
struct Effort {
  double seconds = 0;
  double worked = 0;                ///< by all threads together; 0 where nobody knows
  double waited = 0;                ///< for a processor, all threads together
  std::optional<double> busiest{};  ///< what the busiest thread had of a processor
};

class KeptAnswers {
 public:
  /// A sample: of its inputs few elements are others than before, except after new ones.
  void usual(const Effort& effort) {
    if (!std::exchange(after_new_, false)) usual_.push_back(effort);
  }
  void on_new_inputs(const Effort& effort) {
    on_new_.push_back(effort);
    after_new_ = true;
  }

  /// How many times as long it takes on new inputs, at least.
  double times() const { return longer().times; }
  /// It takes longer by so little that the processor explains it.
  bool is_too_short() const;
  /// Some of its runs on new inputs waited for no processor, or had it for long enough to know what
  /// they had of it. Where all have waited, nothing is known: others may be the cause, or the file
  /// itself.
  bool is_certain() const;
  /// It takes longer on new inputs, as far as is known.
  bool seems_slow() const;

 private:
  /// What it takes more on new inputs: a factor, and seconds.
  struct Longer {
    double times = 0;
    double seconds = 0;
  };
  Longer longer() const;

  std::vector<Effort> usual_;
  std::vector<Effort> on_new_;
  bool after_new_ = false;
};

}  // namespace bench

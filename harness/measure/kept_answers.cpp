#include "harness/measure/kept_answers.hpp"

#include <algorithm>

#include "harness/base/statistics.hpp"

namespace bench {
namespace {

/// Its time, without what others took where that is known.
double alone(const Effort& one) { return one.busiest.value_or(one.seconds); }
double worked(const Effort& one) { return one.worked; }

std::vector<double> all_of(const std::vector<Effort>& efforts, double (*figure)(const Effort&)) {
  std::vector<double> all;
  for (const Effort& one : efforts) all.push_back(figure(one));
  return all;
}

}  // namespace

KeptAnswers::Longer KeptAnswers::longer() const {
  Longer most;
  if (usual_.empty() || on_new_.empty()) return most;
  for (const auto figure : {alone, worked}) {
    // A sound file has one time only. One of its runs on new inputs is as fast as the slowest of
    // the fastest quarter, however busy the node is, if only there are enough of them. A file that
    // returns cached results has none, even if it computes honestly in half of its calls.
    const double usual = quantile(all_of(usual_, figure), 0.25);
    const std::vector<double> on_new = all_of(on_new_, figure);
    const double least = *std::min_element(on_new.begin(), on_new.end());
    if (usual > 0 && least / usual > most.times) most = {least / usual, least - usual};
  }
  return most;
}

bool KeptAnswers::seems_slow() const {
  constexpr double tolerable = 1.15;  // what is faster by less gains little
  return times() >= tolerable;
}

bool KeptAnswers::is_too_short() const {
  // Cold caches of a busy node, and branches of some ten thousand elements that a processor has
  // learnt: energy takes 1.4 times as long on 10 000 new ones, 100 µs.
  constexpr double of_the_processor = 2e-4;  // seconds
  return longer().seconds < of_the_processor;
}

bool KeptAnswers::is_certain() const {
  constexpr double tolerable = 0.05;
  constexpr int enough = 3;
  // Others leave cold caches, which cost a short run a large part of its processor time, too.
  constexpr double is_long = 1e-4;
  return std::count_if(on_new_.begin(), on_new_.end(), [](const Effort& one) {
           return one.busiest.value_or(0) >= is_long || one.waited <= tolerable * one.seconds;
         }) >= enough;
}

}  // namespace bench

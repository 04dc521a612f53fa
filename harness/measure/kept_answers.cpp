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

double KeptAnswers::times() const {
  if (usual_.empty() || anew_.empty()) return 0;
  double most = 0;
  for (const auto figure : {alone, worked}) {
    // A sound file has one time only. One of its runs on new inputs is as fast as the slowest of
    // the fastest quarter, however busy the node is, if only there are enough of them. A file that
    // returns cached results has none, even if it computes honestly in half of its calls.
    const double usual = quantile(all_of(usual_, figure), 0.25);
    const std::vector<double> anew = all_of(anew_, figure);
    if (usual > 0) most = std::max(most, *std::min_element(anew.begin(), anew.end()) / usual);
  }
  return most;
}

bool KeptAnswers::seems_slow() const {
  constexpr double tolerable = 1.15;  // what is faster by less gains little
  return times() >= tolerable;
}

bool KeptAnswers::is_certain() const {
  constexpr double tolerable = 0.05;
  constexpr int enough = 3;
  // Others leave cold caches, which cost a short run a large part of its processor time, too.
  constexpr double is_long = 1e-4;
  return std::count_if(anew_.begin(), anew_.end(), [](const Effort& one) {
           return one.busiest.value_or(0) >= is_long || one.waited <= tolerable * one.seconds;
         }) >= enough;
}

}  // namespace bench

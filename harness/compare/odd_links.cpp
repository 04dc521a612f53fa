#include "harness/compare/odd_links.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "harness/compare/node_run.hpp"

namespace bench {
namespace {

constexpr std::size_t least_links = 3;

/// A link by its median, whose interval is by its own samples.
struct Judged {
  const LinkTimes* link;
  Estimate time;
};
using Links = std::vector<Judged>;

std::vector<double> each(const Links& links, const std::function<double(const Judged&)>& of) {
  std::vector<double> all;
  for (const Judged& one : links) all.push_back(of(one));
  return all;
}

double median_of(const Links& links, const std::function<double(const Judged&)>& of) {
  return median(each(links, of));
}

double value(const Judged& one) { return one.time.value; }
double low(const Judged& one) { return one.time.ci95.low; }
double high(const Judged& one) { return one.time.ci95.high; }

/// The median time of links that others are compared with, and the factor of their scatter.
struct Middle {
  Estimate time;
  double reach;
};

/// `z`: how many deviations count.
Middle middle_of(const Links& links, double z) {
  constexpr std::size_t many = 5;
  return {{median_of(links, value), {median_of(links, low), median_of(links, high)}},
          links.size() < many ? 1 : std::exp(z * spread(each(links, value)))};
}

/// The time of some links over that of others.
Estimate time_ratio(const Links& some, const Middle& others) {
  const auto& [value_of_others, ci95] = others.time;
  return {median_of(some, value) / value_of_others,
          {median_of(some, low) / ci95.high / others.reach,
           median_of(some, high) / ci95.low * others.reach}};
}

Estimate as_speed(const Estimate& time) {
  return {1 / time.value, {1 / time.ci95.high, 1 / time.ci95.low}};
}

class JudgedWay {
 public:
  JudgedWay(Way way, Links links, double threshold)
      : way_(way), left_(std::move(links)), least_(1 + threshold), z_(joint_95(left_.size())) {}

  std::vector<OddLink> odd() && {
    while (take_slowest_end()) {
    }
    take_slow_links();
    return std::move(found_);
  }

 private:
  /// Names the node or device whose links are slowest, if they are slow, and leaves them out.
  bool take_slowest_end() {
    if (left_.size() < least_links) return false;
    std::map<std::string, Links> ends;
    for (const Judged& one : left_) {
      ends[one.link->from].push_back(one);
      if (!one.link->to.empty()) ends[one.link->to].push_back(one);
    }
    // No median of others is below: the links of one of five nodes are 4 of 10.
    const double quick = quantile(each(left_, value), ends.size() < 5 ? 0 : 0.25);
    OddLink slowest{way_, {}, {}, {}};
    double most = least_;
    for (const auto& [end, its] : ends) {
      if (median_of(its, low) <= most * quick) continue;
      const bool pairs = !its.front().link->to.empty();
      if (pairs && its.size() < 2) continue;
      const Middle others = middle_of(without(end), z_);
      // A slow link of two is that of the other end, too.
      const bool both = its.size() > 2 || quickest(its) > least_ * others.time.value;
      const Estimate time = time_ratio(its, others);
      if ((pairs && !both) || time.ci95.low <= most) continue;
      most = time.ci95.low;
      slowest.from = end;
      slowest.speed = as_speed(time);
    }
    if (slowest.from.empty()) return false;
    left_ = without(slowest.from);
    found_.push_back(std::move(slowest));
    return true;
  }

  Links without(const std::string& end) const {
    Links others;
    std::copy_if(left_.begin(), left_.end(), std::back_inserter(others),
                 [&](const Judged& one) { return one.link->from != end && one.link->to != end; });
    return others;
  }

  static double quickest(const Links& links) {
    const std::vector<double> all = each(links, value);
    return *std::min_element(all.begin(), all.end());
  }

  void take_slow_links() {
    if (left_.size() < least_links) return;
    const Middle all = middle_of(left_, z_);
    std::vector<OddLink> slow;
    for (const Judged& one : left_) {
      if (one.link->to.empty()) continue;
      const Estimate time = time_ratio({one}, all);
      if (time.ci95.low <= least_) continue;
      slow.push_back({way_, one.link->from, one.link->to, as_speed(time)});
    }
    std::sort(slow.begin(), slow.end(),
              [](const OddLink& a, const OddLink& b) { return a.speed.value < b.speed.value; });
    found_.insert(found_.end(), slow.begin(), slow.end());
  }

  Way way_;
  Links left_;
  double least_;
  double z_;
  std::vector<OddLink> found_{};
};

}  // namespace

LinkVerdicts odd_links(const std::vector<LinkTimes>& all, double threshold) {
  LinkVerdicts found;
  for (const auto& [way, name] : NamesOf<Way>::all) {
    Links links;
    for (const LinkTimes& one : all) {
      if (one.way == way) links.push_back({&one, median_estimate(one.seconds)});
    }
    if (links.empty()) continue;
    const std::vector<double> times = each(links, value);
    const auto [quickest, slowest] = std::minmax_element(times.begin(), times.end());
    found.ways.push_back(
        {way, links.size(), links.front().link->bytes, median(times), *quickest, *slowest});
    if (links.size() < least_links) continue;
    for (OddLink& one : JudgedWay(way, std::move(links), threshold).odd()) {
      found.odd.push_back(std::move(one));
    }
  }
  return found;
}

int exit_code(const LinkVerdicts& found) {
  if (!found.odd.empty()) return Exit::slower;
  const bool judged = std::any_of(found.ways.begin(), found.ways.end(),
                                  [](const WayTimes& one) { return one.links >= least_links; });
  return judged ? Exit::fine : Exit::unclear;
}

}  // namespace bench

#include "harness/command/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "harness/base/text.hpp"
#include "harness/base/utf8.hpp"
#include "harness/command/terminal.hpp"

namespace bench {
namespace {

constexpr double seconds_before = 2;  // shorter runs need no progress

}  // namespace

std::vector<double> expected_shares(const std::vector<PlannedGroup>& groups,
                                    const Settings& settings) {
  // A case takes as long as its data are large; a small one as long as what is done around a
  // sample, which is above all to empty the caches.
  constexpr double small = 64e6;
  const auto allowance = settings.memory_allowance ? settings.memory_allowance() : std::nullopt;
  std::vector<double> shares;
  for (const PlannedGroup& group : groups) {
    const std::size_t bytes = bytes_needed(group);
    const bool fits = !allowance || bytes <= allowance->bytes;
    const auto cases = std::count_if(group.cases.begin(), group.cases.end(),
                                     [](const auto& one) { return !one.identity.status; });
    const double each = 1 + static_cast<double>(bytes) / small;
    shares.push_back(fits ? static_cast<double>(cases) * each : 0);
  }
  return shares;
}

Pace::Pace(std::vector<double> weights)
    : weights_(std::move(weights)),
      total_(std::accumulate(weights_.begin(), weights_.end(), 0.0)) {}

void Pace::next_group(double now) {
  if (begun_ > 0) before_ += weights_.at(begun_ - 1);
  ++begun_;
  current_began_ = now;
}

double Pace::done(double share_of_group) const {
  if (begun_ == 0 || total_ <= 0) return 0;
  return std::min(1.0, (before_ + share_of_group * weights_.at(begun_ - 1)) / total_);
}

std::optional<double> Pace::left(double now) const {
  constexpr double few = 0.1;  // of all
  if (begun_ == 0 || before_ < few * total_ || before_ <= 0) return std::nullopt;
  const double seconds_per_weight = current_began_ / before_;
  const double current = seconds_per_weight * weights_.at(begun_ - 1);
  const double after = seconds_per_weight * (total_ - before_ - weights_.at(begun_ - 1));
  return std::max(0.0, current_began_ + current - now) + std::max(0.0, after);
}

std::string time_left(double seconds) {
  if (seconds < 7.5) return "a few seconds left";
  return fmt::format("about {} left", rough_duration(5 * std::round(seconds / 5)));
}

std::string shortened(const std::string& text, std::size_t columns_wanted) {
  if (columns(text) <= columns_wanted) return text;
  if (columns_wanted == 0) return "";
  std::string cut;
  std::size_t used = 0;
  for (const char byte : text) {
    if (!continues_character(byte) && ++used == columns_wanted) break;
    cut += byte;
  }
  return cut + "…";
}

std::string progress_text(const std::string& head, const std::string& what, const std::string& tail,
                          std::size_t width) {
  constexpr std::size_t least = 12;  // columns of `what`, or the tail has to go
  const std::size_t both = columns(head) + columns(tail);
  if (both + std::min(least, columns(what)) <= width) {
    return head + shortened(what, width - both) + tail;
  }
  return shortened(head + what, width);
}

ProgressLine::ProgressLine(bool wanted, std::vector<double> weights, std::size_t passed)
    : wanted_(wanted && can_rewrite_lines(STDERR_FILENO)),
      number_(passed),
      groups_(passed + weights.size()),
      pace_(std::move(weights)) {
  if (wanted_) first_ = std::jthread([this](const std::stop_token& stop) { show_first(stop); });
}

void ProgressLine::next_group() {
  ++number_;
  pace_.next_group(run_.seconds());
}

void ProgressLine::show(const std::string& what, double share_of_group) {
  constexpr double seconds_between = 0.1;
  if (!wanted_) return;
  const double now = run_.seconds();
  const std::lock_guard lock(lock_);
  if (shown_ && since_shown_.seconds() < seconds_between) return;
  const auto left = pace_.left(now);
  const std::string head =
      fmt::format("[{}/{}] {:2.0f} % ", number_, groups_, 100 * pace_.done(share_of_group));
  const std::string tail = left ? " · " + time_left(*left) : "";
  // The last column stays free: some terminals begin a new line when it is written.
  const std::string text = progress_text(head, what, tail, terminal_width(STDERR_FILENO) - 1);
  if (now < seconds_before) {
    early_ = text;
  } else {
    print(text);
  }
}

void ProgressLine::print(const std::string& text) {
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  since_shown_ = {};
  shown_ = true;
}

void ProgressLine::show_first(const std::stop_token& stop) {
  // The C library of wheels waits by no other clock.
  constexpr std::chrono::milliseconds before{static_cast<int>(1000 * seconds_before)};
  const auto then = std::chrono::system_clock::now() + before;
  std::unique_lock lock(lock_);
  ended_.wait_until(lock, stop, then, [] { return false; });
  if (!stop.stop_requested() && !shown_ && !early_.empty()) print(early_);
}

void ProgressLine::clear() {
  const std::lock_guard lock(lock_);
  early_.clear();
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace bench

#include "harness/base/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <numbers>
#include <numeric>
#include <random>

namespace bench {
namespace {

constexpr int resamples = 2000;
constexpr double normal_95 =
    1.96;  // half the 95 % interval of a normal distribution, in deviations

/// Median of values that may be reordered.
double median_in_place(std::vector<double>& values) {
  const std::size_t half = values.size() / 2;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

/// How often each sample was picked.
using Picked = std::span<const std::uint32_t>;

/// n picks out of n, with repetition. The modulo's bias is n/2^64.
void pick_again(std::span<std::uint32_t> picked, std::mt19937_64& random) {
  std::fill(picked.begin(), picked.end(), 0);
  const std::size_t n = picked.size();
  for (std::size_t i = 0; i < n; ++i) ++picked[random() % n];
}

/// Samples of one run, or of two that are resampled apart.
struct Counts {
  std::uint64_t seed;
  std::size_t n;
  std::size_t m = 0;

  auto operator<=>(const Counts&) const = default;
  std::size_t all() const { return n + m; }
};

/// One resample after the other, each the picks of the first run and of the second.
class Resamples {
 public:
  explicit Resamples(const Counts& of) : of_(of), random_(of.seed), picked_(of.all()) {}

  Picked next() {
    const std::span<std::uint32_t> all(picked_);
    pick_again(all.first(of_.n), random_);
    pick_again(all.subspan(of_.n), random_);
    return picked_;
  }

 private:
  Counts of_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> picked_;
};

/// All of them. Picking takes longer than what is done with the picks, which are the same wherever
/// there are as many samples, as in most rows of a table: they are kept.
const std::vector<std::uint32_t>& kept_resamples(const Counts& of) {
  constexpr std::size_t most_kept = 16;
  thread_local std::map<Counts, std::vector<std::uint32_t>> kept;
  if (const auto found = kept.find(of); found != kept.end()) return found->second;
  if (kept.size() >= most_kept) kept.clear();
  std::vector<std::uint32_t>& all = kept[of];
  Resamples resample(of);
  for (int i = 0; i < resamples; ++i) {
    const Picked picked = resample.next();
    all.insert(all.end(), picked.begin(), picked.end());
  }
  return all;
}

/// Samples that are sorted once, so that the median of each resample is found by counting.
class Sorted {
 public:
  explicit Sorted(std::span<const double> values)
      : values_(values.begin(), values.end()), order_(values.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    for (std::size_t i = 0; i < order_.size(); ++i) values_[i] = values[order_[i]];
  }

  double median_of(Picked picked) const {
    const std::size_t half = order_.size() / 2;
    std::size_t passed = 0;
    std::size_t i = 0;
    const auto advance_to = [&](std::size_t rank) {
      while (passed + picked[order_[i]] <= rank) passed += picked[order_[i++]];
      return values_[i];
    };
    if (order_.size() % 2 == 1) return advance_to(half);
    const double below = advance_to(half - 1);
    return below + (advance_to(half) - below) / 2;
  }

 private:
  std::vector<double> values_;
  std::vector<std::size_t> order_;
};

/// 95 % percentile interval of what `replicate(picked)` returns.
template <class Replicate>
Interval bootstrap(const Counts& of, Replicate replicate) {
  constexpr std::size_t most_samples = 256;  // 2 MB of picks
  std::vector<double> replicates(resamples);
  if (of.all() <= most_samples) {
    Picked left = kept_resamples(of);
    for (double& value : replicates) {
      value = replicate(left.first(of.all()));
      left = left.subspan(of.all());
    }
  } else {
    Resamples resample(of);
    for (double& value : replicates) value = replicate(resample.next());
  }
  std::sort(replicates.begin(), replicates.end());
  return {replicates[resamples * 25 / 1000], replicates[resamples * 975 / 1000]};
}

/// The mean of the logarithms of positive figures.
double log_mean(std::span<const double> figures) {
  double sum = 0;
  for (const double figure : figures) sum += std::log(figure);
  return sum / static_cast<double>(figures.size());
}

/// The standard deviation of that.
double log_error(std::span<const double> figures) {
  return relative_deviation(figures) / std::sqrt(static_cast<double>(figures.size()));
}

Interval around(double mean, double reach) {
  return {std::exp(mean - reach), std::exp(mean + reach)};
}

}  // namespace

double quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double position = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return values[below] + fraction * (values[above] - values[below]);
}

double normal_quantile(double p) {
  constexpr double widest = 40;  // beyond this the distribution is 0 or 1 in double precision
  double low = -widest;
  double high = widest;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    const double below = std::erfc(-middle / std::numbers::sqrt2) / 2;
    (below < p ? low : high) = middle;
  }
  return low;
}

double joint_95(std::size_t intervals) {
  return normal_quantile(1 - 0.025 / static_cast<double>(std::max<std::size_t>(intervals, 1)));
}

double deviation_of(const Interval& ci95) { return (ci95.high - ci95.low) / 2 / normal_95; }

double median(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

std::vector<std::size_t> outliers(std::span<const double> values) {
  if (values.empty()) return {};
  const std::vector<double> copy(values.begin(), values.end());
  const double q1 = quantile(copy, 0.25);
  const double q3 = quantile(copy, 0.75);
  const double reach = 3 * (q3 - q1);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < q1 - reach || values[i] > q3 + reach) found.push_back(i);
  }
  return found;
}

Interval quick_median_interval(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  // Fewer than this number below the median are one chance in forty: 1.96 standard deviations of a
  // binomial with p = ½, and half a step since it has whole numbers only.
  const auto outside = static_cast<std::size_t>(std::max(0.0, n / 2 - 0.98 * std::sqrt(n) - 0.5));
  return {sorted[outside], sorted[sorted.size() - 1 - outside]};
}

double relative_noise(std::span<const double> values) {
  const double middle = median(values);
  if (middle == 0) return 0;
  const Interval interval = quick_median_interval(values);
  return (interval.high - interval.low) / 2 / middle;
}

Estimate bootstrap_median(std::span<const double> values, std::uint64_t seed) {
  const Sorted sorted(values);
  const auto replicate = [&](Picked picked) { return sorted.median_of(picked); };
  return {median(values), bootstrap({seed, values.size()}, replicate)};
}

Estimate bootstrap_ratio(std::span<const double> numerator, std::span<const double> denominator,
                         std::uint64_t seed) {
  const Sorted above(numerator);
  const Sorted below(denominator);
  const auto replicate = [&](Picked pairs) {
    return above.median_of(pairs) / below.median_of(pairs);
  };
  return {median(numerator) / median(denominator), bootstrap({seed, numerator.size()}, replicate)};
}

double drift(std::span<const double> values) { return drift(values, bootstrap_median(values)); }

double drift(std::span<const double> values, const Estimate& all) {
  constexpr std::size_t blocks = 5;
  if (values.size() < 2 * blocks) return 0;
  double scatter = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * values.size() / blocks;
    const std::size_t end = (block + 1) * values.size() / blocks;
    const double away = median(values.subspan(begin, end - begin)) - all.value;
    scatter += away * away / (blocks - 1);
  }
  const double deviation = deviation_of(all.ci95);
  const double expected = blocks * deviation * deviation;
  return std::sqrt(std::max(0.0, scatter - expected)) / all.value;
}

Estimate drifting_ratio(std::span<const double> numerator, std::span<const double> denominator,
                        std::uint64_t seed) {
  const Sorted above(numerator);
  const Sorted below(denominator);
  const std::size_t n = numerator.size();
  const auto replicate = [&](Picked picked) {
    return above.median_of(picked.first(n)) / below.median_of(picked.subspan(n));
  };
  Interval interval = bootstrap({seed, n, denominator.size()}, replicate);
  const double widening = 1 + normal_95 * std::hypot(drift(numerator), drift(denominator));
  return {median(numerator) / median(denominator),
          {interval.low / widening, interval.high * widening}};
}

double student_95(std::size_t n) {
  // Abramowitz and Stegun, table 26.10, for 1, 2, … degrees of freedom; beyond them within 0.1 %.
  constexpr std::array<double, 20> table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                                         2.306,  2.262, 2.228, 2.201, 2.179, 2.160, 2.145,
                                         2.131,  2.120, 2.110, 2.101, 2.093, 2.086};
  const std::size_t degrees = n - 1;
  if (degrees <= table.size()) return table.at(degrees - 1);
  // The first terms of its expansion by the normal distribution (26.7.5).
  const double z = normal_95;
  const double cube = z * z * z;
  const double inverse = 1 / static_cast<double>(degrees);
  return z + (cube + z) * inverse / 4 +
         (5 * cube * z * z + 16 * cube + 3 * z) * inverse * inverse / 96;
}

double relative_deviation(std::span<const double> figures) {
  const double mean = log_mean(figures);
  double squares = 0;
  for (const double figure : figures) squares += std::pow(std::log(figure) - mean, 2);
  return std::sqrt(squares / static_cast<double>(figures.size() - 1));
}

Estimate with_interval(double value, const Interval& interval) {
  return {value, {std::min(interval.low, value), std::max(interval.high, value)}};
}

Interval interval_over_executions(std::span<const double> figures) {
  return around(log_mean(figures), student_95(figures.size()) * log_error(figures));
}

Interval interval_over_executions(std::span<const double> numerators,
                                  std::span<const double> denominators) {
  const double t = student_95(std::min(numerators.size(), denominators.size()));
  return around(log_mean(numerators) - log_mean(denominators),
                t * std::hypot(log_error(numerators), log_error(denominators)));
}

}  // namespace bench

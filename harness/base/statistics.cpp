#include "harness/base/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace bench {
namespace {

constexpr double normal_95 =
    1.96;  // half the 95 % interval of a normal distribution, in deviations

constexpr double independent = 1;  // as unlike() has it

/// Median of values that may be reordered.
double median_in_place(std::vector<double>& values) {
  const std::size_t half = values.size() / 2;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

/// How many of n sorted samples are below the interval of their median, and as many above. Fewer
/// than these below the true median are one chance in forty: 1.96 standard deviations of a binomial
/// with p = ½, and half a step since it has whole numbers only.
std::size_t outside_of_interval(std::size_t n) {
  const auto all = static_cast<double>(n);
  const double outside = all / 2 - normal_95 / 2 * std::sqrt(all) - 0.5;
  return static_cast<std::size_t>(std::max(0.0, outside));
}

/// The standard deviation of a median of n samples with this interval, which covers at least 95 %.
double deviation_of_median(const Interval& ci95, std::size_t n) {
  const auto all = static_cast<double>(n);
  const double within = all - 1 - 2 * static_cast<double>(outside_of_interval(n));
  return (ci95.high - ci95.low) / 2 / (within / std::sqrt(all));
}

/// The variance of a median of n samples is to that of another number as the inverse of these:
/// exact for normal samples where n is odd, within 1 %.
constexpr double samples_worth(double n) { return n + std::numbers::pi / 2 - 1; }

/// The logarithm of a median, and how far below and above it its interval ends.
struct LogMedian {
  double value;
  double down;
  double up;
};

double log_of(double sample) {
  return std::log(std::max(sample, std::numeric_limits<double>::min()));
}

LogMedian log_median(std::span<const double> samples) {
  const Estimate middle = median_estimate(samples);
  const double value = log_of(middle.value);
  return {value, value - log_of(middle.ci95.low), log_of(middle.ci95.high) - value};
}

/// The samples relative to their median, as a vector of length 1; of length 0 where they do not
/// vary. One beyond the interval counts as its end: how far it is outside does not move the median.
std::vector<double> direction(std::span<const double> samples, const LogMedian& of) {
  std::vector<double> away;
  double squares = 0;
  for (const double sample : samples) {
    away.push_back(std::clamp(log_of(sample) - of.value, -of.down, of.up));
    squares += away.back() * away.back();
  }
  for (double& one : away) one /= squares > 0 ? std::sqrt(squares) : 1;
  return away;
}

/// 1 − the correlation: 0 of two that rise and fall together, 1 of independent ones. Not by way of
/// the correlation, whose last digits are lost next to 1.
double unlike(const std::vector<double>& a, const std::vector<double>& b) {
  double apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) apart += (a[i] - b[i]) * (a[i] - b[i]) / 2;
  return apart;
}

/// How far beyond a difference its interval ends: one value is `first` off and the other one
/// `second` to the other side, or, as far as they are alike, both to the same side, which leaves
/// `together`.
double reach(double first, double second, double together, double unlike) {
  const double alike = std::max(0.0, 1 - unlike);
  const double against = std::max(0.0, unlike - 1);
  return std::sqrt(std::min(unlike, 1.0) * (first * first + second * second) +
                   alike * together * together + 2 * against * first * second);
}

/// The interval of above/below, which is `value`.
Interval of_ratio(double value, const LogMedian& above, const LogMedian& below, double unlike) {
  const double less = std::max({0.0, above.down - below.down, below.up - above.up});
  const double more = std::max({0.0, above.up - below.up, below.down - above.down});
  return {value / std::exp(reach(above.down, below.up, less, unlike)),
          value * std::exp(reach(above.up, below.down, more, unlike))};
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

Estimate median_estimate(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t outside = outside_of_interval(sorted.size());
  const std::size_t last = sorted.size() - 1;
  const double below = sorted[last / 2];
  const double middle = below + (sorted[sorted.size() / 2] - below) / 2;
  return {middle, {sorted[outside], sorted[last - outside]}};
}

double relative_noise(std::span<const double> values) {
  const auto [middle, ci95] = median_estimate(values);
  return middle == 0 ? 0 : (ci95.high - ci95.low) / 2 / middle;
}

Estimate paired_ratio(std::span<const double> numerator, std::span<const double> denominator) {
  if (numerator.size() != denominator.size()) return drifting_ratio(numerator, denominator);
  const LogMedian above = log_median(numerator);
  const LogMedian below = log_median(denominator);
  const double apart = unlike(direction(numerator, above), direction(denominator, below));
  const double value = median(numerator) / median(denominator);
  return {value, of_ratio(value, above, below, apart)};
}

double drift(std::span<const double> values) { return drift(values, median_estimate(values)); }

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
  const double deviation = deviation_of_median(all.ci95, values.size());
  const double n = static_cast<double>(values.size());
  const double expected = samples_worth(n) / samples_worth(n / blocks) * deviation * deviation;
  return std::sqrt(std::max(0.0, scatter - expected)) / all.value;
}

Estimate drifting_ratio(std::span<const double> numerator, std::span<const double> denominator) {
  const double value = median(numerator) / median(denominator);
  const Interval interval =
      of_ratio(value, log_median(numerator), log_median(denominator), independent);
  const double widening = 1 + normal_95 * std::hypot(drift(numerator), drift(denominator));
  return {value, {interval.low / widening, interval.high * widening}};
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

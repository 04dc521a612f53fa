// Robust statistics of samples: nothing here assumes a normal distribution, nothing is removed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bench {

struct Interval {
  double low = 0;
  double high = 0;
};

/// True where one number may stand for the interval: its ends are less than a factor of 1.5 apart.
/// That of a quiet node is ten times narrower.
constexpr bool narrow(const Interval& ci95) { return ci95.high < 1.5 * ci95.low; }

struct Estimate {
  double value = 0;
  Interval ci95;
};

/// The p-quantile (0 ≤ p ≤ 1) with linear interpolation between order statistics, as NumPy's
/// default (Hyndman and Fan 1996, type 7). `values` must not be empty.
double quantile(std::vector<double> values, double p);
double median(std::span<const double> values);

/// The z below which a standard normal variable is with probability p (0 < p < 1).
double normal_quantile(double p);

/// Half the width, in deviations, of intervals of normal variables that hold together
/// with 95 % (Bonferroni).
double joint_95(std::size_t intervals);

/// The standard deviation that such an interval of one variable implies.
double deviation_of(const Interval& ci95);

/// The indices of values more than three interquartile ranges outside of the quartiles (Tukey's
/// outer fences). They are flagged, never removed.
std::vector<std::size_t> outliers(std::span<const double> values);

/// The median with its 95 % confidence interval: two order statistics of equal rank from both ends.
/// They hold the true median of independent samples of any distribution in at least 95 % of all
/// repetitions, by the binomial argument (Conover 1999, 3.2). Fewer than six samples have no such
/// interval: [least, greatest] holds it in 1 − 2 · 0.5ⁿ of all (94 % of five, 75 % of three).
Estimate median_estimate(std::span<const double> values);

/// Half the width of that interval relative to the median; 0 for a median of 0.
double relative_noise(std::span<const double> values);

/// median(numerator)/median(denominator) of positive samples with its 95 % interval, from the
/// intervals of both medians (Zou and Donner 2008). The i-th samples of both come from one round,
/// and as far as they rise and fall together, so do both ends of the intervals: drift common to
/// both cancels. Where one has more samples than the other, nothing is paired: drifting_ratio().
Estimate paired_ratio(std::span<const double> numerator, std::span<const double> denominator);

/// The standard deviation of a slow drift, relative to the median: how much more the medians of
/// five consecutive blocks scatter than blocks of independent samples would. What chance
/// does follows from the interval of the median of all. 0 for fewer than ten samples.
double drift(std::span<const double> values);
/// The same where the median is known, with its interval.
double drift(std::span<const double> values, const Estimate& all);

/// median(numerator)/median(denominator) for two separate runs, with an interval that allows for
/// drift: that of independent samples, widened on both sides by what the medians of consecutive
/// blocks of each run scatter beyond chance. Samples that follow each other in time are more alike
/// than independent ones, and two runs are further apart in time than two blocks.
Estimate drifting_ratio(std::span<const double> numerator, std::span<const double> denominator);

/// The factor by which the 95 % interval of a mean of `n` ≥ 2 figures is wider than their standard
/// deviation / √n: Student's t for n − 1 degrees of freedom.
double student_95(std::size_t n);

/// 95 % interval of the typical one of some positive figures, one per execution of a program, which
/// are independent of each other: Student's on their logarithms (Kalibera and Jones 2013, for a
/// single level). At least two.
Interval interval_over_executions(std::span<const double> figures);

/// The same for the ratio of two kinds of such figures, the executions of both independent of each
/// other: both deviations added in squares, the degrees of freedom those of the fewer figures.
Interval interval_over_executions(std::span<const double> numerators,
                                  std::span<const double> denominators);

/// A value with such an interval: with few executions the typical one may differ from the median
/// of all samples.
Estimate with_interval(double value, const Interval& interval);

/// The deviation of the logarithms, which makes it relative; at least two positive figures.
double relative_deviation(std::span<const double> figures);

}  // namespace bench

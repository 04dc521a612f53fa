"""Robust statistics of samples, by the rules of harness/base/statistics.cpp. Nothing is removed."""

import math

import numpy as np

RESAMPLES = 2000
NORMAL_95 = 1.96  # half the 95 % interval of a normal distribution, in deviations


def quantile(values, p):
    return float(np.quantile(values, p))  # linear between order statistics


def median(values):
    return float(np.median(values))


def outliers(values):
    """Indices of values more than three interquartile ranges outside of the quartiles."""
    q1, q3 = quantile(values, 0.25), quantile(values, 0.75)
    reach = 3 * (q3 - q1)
    return [i for i, value in enumerate(values) if not q1 - reach <= value <= q3 + reach]


def relative_noise(values):
    """Half the width of the median's interval from order statistics alone, relative."""
    ordered, n = sorted(values), len(values)
    reach = 0.98 * math.sqrt(n)  # 1.96 standard deviations of a binomial with p = ½
    low = max(0, math.floor(n / 2 - reach))
    high = min(n - 1, math.ceil(n / 2 + reach))
    middle = median(values)
    return (ordered[high] - ordered[low]) / 2 / middle if middle else 0.0


def percentile_interval(replicates):
    ordered = np.sort(replicates)
    return [float(ordered[RESAMPLES * 25 // 1000]), float(ordered[RESAMPLES * 975 // 1000])]


def resamples(n):
    """Indices of the bootstrap's resamples, a row each; always the same ones."""
    return np.random.default_rng(1).integers(0, n, (RESAMPLES, n))


def bootstrap_median(values):
    """The 95 % percentile bootstrap interval of the median."""
    values = np.asarray(values)
    return percentile_interval(np.median(values[resamples(values.size)], axis=1))


def bootstrap_ratio(numerator, denominator):
    """The ratio of two medians with its interval; whole rounds are resampled: samples are pairs."""
    numerator, denominator = np.asarray(numerator), np.asarray(denominator)
    rounds = resamples(numerator.size)
    ratios = np.median(numerator[rounds], axis=1) / np.median(denominator[rounds], axis=1)
    return median(numerator) / median(denominator), percentile_interval(ratios)


def drift(values, ci95):
    """The standard deviation of a slow drift, relative: how much more the medians of five
    consecutive blocks scatter than blocks of independent samples would."""
    blocks, n = 5, len(values)
    if n < 2 * blocks:
        return 0.0
    middle = median(values)
    parts = [values[block * n // blocks : (block + 1) * n // blocks] for block in range(blocks)]
    scatter = sum((median(part) - middle) ** 2 for part in parts) / (blocks - 1)
    deviation = (ci95[1] - ci95[0]) / 2 / NORMAL_95
    return math.sqrt(max(0.0, scatter - blocks * deviation**2)) / middle

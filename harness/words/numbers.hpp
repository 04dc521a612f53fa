// Numbers for reading: few digits, the unit that fits, the decimal sign of the language.
#pragma once

#include <string>

#include "harness/words/language.hpp"

namespace bench {

/// The unit in which a duration has at least one digit before the point.
struct TimeUnit {
  double seconds;
  const char* name;
};
TimeUnit unit_of(double seconds);

/// Four digits, or all before the point, of a number whose unit was chosen: 163.2, 0.980.
std::string four_digits(double value, Language language = Language::en);

/// Four significant digits, or all before the point, without an exponent: 0.000002301.
std::string four_significant(double value, Language language = Language::en);

/// Two significant digits, of what is known roughly: 0.78, 32, 1200.
std::string rough(double value, Language language = Language::en);

/// A duration with four digits and its unit, like `163.2 ms`.
std::string duration(double seconds, Language language = Language::en);

/// An energy with three digits and its unit, like `12.3 mJ`.
std::string energy(double joules, Language language = Language::en);

/// What there is of something per element, with three digits: 1.25, 0.0312, 4.1e-05.
std::string per_element(double value, Language language = Language::en);

/// A number per second with three digits: `3.12 G/s`, `40.2 M/s`.
std::string rate(double per_second, Language language = Language::en);

/// A factor in a sentence: 0.003, 0.37, 1.93, 4.2, 180.
std::string factor(double value, Language language = Language::en);

/// A factor in a column: two digits after the point, none from 100 on, below 0.01 as many as show
/// one: 0.003.
std::string ratio(double value, Language language = Language::en);

/// A share in a column: 5.3 %, 42 %; 42% in Portuguese.
std::string percent(double share, Language language = Language::en);

/// A share in a sentence: 42 %; 0.5 %.
std::string whole_percent(double share, Language language = Language::en);

/// `[1.31, 1.44]`, or `[1,31; 1,44]` where the comma is the decimal sign.
std::string bracketed(const std::string& low, const std::string& high,
                      Language language = Language::en);

/// `2026-11-21 09:34` of an ISO date-time; whatever else as it is.
std::string date_and_time(const std::string& iso);

/// Its day: `2026-11-21`.
std::string day(const std::string& iso);

/// `09:34`; empty where it is not a date and time.
std::string time_of_day(const std::string& iso);

}  // namespace bench

#include "harness/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace bench {
namespace {

std::string with_decimals(double value, int decimals, Language language) {
  return localised(fmt::format("{:.{}f}", value, decimals), language);
}

/// Or all before the point.
std::string three_digits(double value, Language language) {
  return with_decimals(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, language);
}

/// `digits` significant digits, or all before the point, without an exponent.
std::string significant(double value, int digits, Language language) {
  constexpr int most_decimals = 18;
  // The exponent after rounding: 9.9996 has two digits before the point.
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = value > 0 ? std::stoi(scientific.substr(scientific.find('e') + 1)) : 0;
  return with_decimals(value, std::clamp(digits - 1 - exponent, 0, most_decimals), language);
}

/// Two decimals or fewer; below 0.01 as many as show a digit.
std::string with_a_digit(double value, int decimals, Language language) {
  constexpr double little = 0.01;
  return value > 0 && value < little ? significant(value, 1, language)
                                     : with_decimals(value, decimals, language);
}

}  // namespace

TimeUnit unit_of(double seconds) {
  constexpr std::array<TimeUnit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  for (const TimeUnit& unit : units) {
    if (seconds >= unit.seconds) return unit;
  }
  return units.back();
}

std::string four_digits(double value, Language language) {
  int decimals = 3;
  if (value >= 9.9995) decimals = 2;
  if (value >= 99.995) decimals = 1;
  if (value >= 999.95) decimals = 0;
  return with_decimals(value, decimals, language);
}

std::string four_significant(double value, Language language) {
  return significant(value, 4, language);
}

std::string rough(double value, Language language) {
  return significant(std::stod(fmt::format("{:.1e}", value)), 2, language);
}

std::string duration(double seconds, Language language) {
  const TimeUnit unit = unit_of(seconds);
  return four_digits(seconds / unit.seconds, language) + no_break_space + unit.name;
}

std::string energy(double joules, Language language) {
  // With the prefixes of seconds.
  const TimeUnit unit = unit_of(joules);
  std::string name = unit.name;
  name.back() = 'J';
  return three_digits(joules / unit.seconds, language) + no_break_space + name;
}

std::string per_element(double value, Language language) {
  constexpr double little = 1e-3;
  if (value >= little) return localised(fmt::format("{:#.3g}", value), language);
  return value > 0 ? localised(fmt::format("{:.1e}", value), language) : "0";
}

std::string rate(double per_second, Language language) {
  constexpr std::array<std::pair<double, const char*>, 4> units{
      {{1e9, "G/s"}, {1e6, "M/s"}, {1e3, "k/s"}, {1, "/s"}}};
  const auto* const unit = std::find_if(units.begin(), units.end() - 1, [&](const auto& one) {
    return per_second >= 0.9995 * one.first;
  });
  return three_digits(per_second / unit->first, language) + no_break_space + unit->second;
}

std::string factor(double value, Language language) {
  return with_a_digit(value, value < 1.95 ? 2 : value < 9.95 ? 1 : 0, language);
}

std::string ratio(double value, Language language) {
  return with_a_digit(value, value < 99.95 ? 2 : 0, language);
}

namespace {

/// Brazil writes it without a space.
const char* percent_sign(Language language) { return language == Language::pt ? "%" : "\u00A0%"; }

}  // namespace

std::string percent(double share, Language language) {
  const double value = 100 * share;
  return with_decimals(value, value < 9.95 ? 1 : 0, language) + percent_sign(language);
}

std::string whole_percent(double share, Language language) {
  constexpr double least = 0.00995;
  if (share > 0 && share < least) return percent(share, language);  // not 0 %
  return fmt::format("{:.0f}{}", 100 * share, percent_sign(language));
}

std::string bracketed(const std::string& low, const std::string& high, Language language) {
  const char* const between = language == Language::en   ? ","
                              : language == Language::fr ? "\u00A0;"
                                                         : ";";
  return fmt::format("[{}{} {}]", low, between, high);
}

namespace {

constexpr std::size_t end_of_day = 10;
constexpr std::size_t end_of_minute = 16;

bool date_time(const std::string& iso) {
  return iso.size() >= end_of_minute && iso[end_of_day] == 'T';
}

}  // namespace

std::string day(const std::string& iso) { return date_time(iso) ? iso.substr(0, end_of_day) : iso; }

std::string time_of_day(const std::string& iso) {
  return date_time(iso) ? iso.substr(end_of_day + 1, end_of_minute - end_of_day - 1) : "";
}

std::string date_and_time(const std::string& iso) {
  return date_time(iso) ? day(iso) + no_break_space + time_of_day(iso) : iso;
}

}  // namespace bench

#include "harness/document/contradiction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "harness/base/statistics.hpp"

namespace bench {
namespace {

// More than rounding, and less than a real difference.
constexpr double tolerable = 1e-6;

bool agree(double a, double b) {
  return std::abs(a - b) <= tolerable * std::max(std::abs(a), std::abs(b));
}

void require(bool right, const Where& where, const char* what) {
  if (!right) throw Misfit(where, what);
}

/// The size as names have it.
std::string size_of(const CaseRecord& one) {
  const auto count = one.bins ? one.bins : one.steps;
  return fmt::format("{}{}", fmt::join(one.shape, "x"), count ? fmt::format(":{}", *count) : "");
}

void check_identity(const CaseRecord& one, const RunRecord& run, const Where& where) {
  require(!one.imported() || run.imported || run.merged, Where(where, "dtype"),
          "is null, but another program's file is not what this one is made of");
  require(one.name == one.name_with(one.parameters), Where(where, "name"),
          "does not say what the other keys say");
  require(one.size == size_of(one), Where(where, "size"),
          "does not say what shape, bins and steps say");
  const std::size_t elements = one.shape_of_problem().elements();
  require(one.elements == elements, Where(where, "elements"), "is not what the shape holds");
  require(one.cache == run.cache, Where(where, "cache"), "is not that of the run");
  const auto asked = one.parameters.find("threads");
  const int most = asked == one.parameters.end() ? run.threads : std::atoi(asked->second.c_str());
  const bool sane = one.threads.value_or(1) <= std::max(1, most);
  require(sane, Where(where, "threads"), "is more than the run had");
  const bool known =
      !one.guest || std::any_of(run.guests.begin(), run.guests.end(),
                                [&](const GuestFile& file) { return file.path == *one.guest; });
  require(known, Where(where, "guest"), "is not one of the files in /context/run/guests");
}

void check_run(const RunRecord& run, const Where& where) {
  require(is_time(run.started) || (run.imported && run.started.empty()), Where(where, "started"),
          "is not a date and time");
  const bool graded = run.selection && run.selection->graded;
  require(graded == run.sandbox.has_value(), Where(where, "sandbox"),
          graded ? "is missing, but user kernels were graded" : "is there, but nothing was graded");
}

/// A case of several runs in one result file says of which it is.
void check_origin(const CaseRecord& one, const std::optional<std::vector<Origin>>& merged,
                  const Where& where) {
  const bool known = merged ? one.origin && *one.origin < merged->size() : !one.origin;
  require(known, Where(where, "origin"), "is none of the runs in /context/run/merged");
}

/// Few executions bear an interval that reaches beyond all of their samples.
void check_executions(const ExecutionsRecord& executions, std::size_t samples, const Where& where) {
  std::size_t all = 0;
  bool empty = false;
  for (const std::size_t count : executions.samples) {
    empty = empty || count == 0 || count > samples;
    all += count;
  }
  require(executions.samples.size() > 1 && !empty && all == samples, Where(where, "samples"),
          "are not all samples, by execution");
}

void check_samples(const CaseRecord& one, const Where& where) {
  const TimesRecord& times = *one.seconds;
  const std::vector<double>& samples = times.samples;
  require(samples.size() <= most_samples_of_case, Where(where, "samples"), "are too many");
  const auto of_samples = [&](const char* key, double recorded, double computed) {
    require(agree(recorded, computed), Where(where, key), "is not that of the samples");
  };
  of_samples("median", times.median, median(samples));
  of_samples("q1", times.q1, quantile(samples, 0.25));
  of_samples("q3", times.q3, quantile(samples, 0.75));
  of_samples("min", times.min, *std::min_element(samples.begin(), samples.end()));
  if (times.executions) {
    check_executions(*times.executions, samples.size(), Where(where, "executions"));
  }
  require(times.preempted.value_or(0) <= samples.size(), Where(where, "preempted"),
          "counts more than there are");
  require(!times.busiest || times.busiest->size() == samples.size(), Where(where, "busiest"),
          "is not of each sample");
  require(times.too_short <= samples.size(), Where(where, "too_short"),
          "counts more than there are");
}

void check_energy(const CaseRecord& one, const Where& where) {
  const EnergyRecord& energy = *one.energy;
  require(agree(energy.joules, median(energy.samples)), Where(where, "joules"),
          "is not that of the samples");
  const double all = energy.joules_per_element.value_or(0) * static_cast<double>(one.elements);
  require(!energy.joules_per_element || agree(all, energy.joules),
          Where(where, "joules_per_element"), "is not that of the elements");
}

void check_counters(const EventCounts& counts, const Where& where) {
  for (const auto figure : event_figures) {
    require((counts.*figure).value_or(0) >= 0, where, "counts less than nothing");
  }
}

void check_verification(const CaseRecord& one, const Where& where) {
  require(one.verification.has_value(), where, "is missing");
  const VerificationRecord& verification = *one.verification;
  const bool right = verification.passed && verification.max_error &&
                     *verification.max_error <= verification.tolerance;
  require(right, where, "did not pass, but the case was measured");
}

void check_measured(const CaseRecord& one, const Where& where) {
  require(one.seconds.has_value(), Where(where, "seconds"), "is missing");
  require(one.rounds.has_value(), Where(where, "rounds"), "is missing");
  if (!one.imported()) check_verification(one, Where(where, "verification"));
  check_samples(one, Where(where, "seconds"));
  require(*one.rounds == one.seconds->samples.size(), Where(where, "rounds"),
          "is not the number of samples");
  const double bandwidth = static_cast<double>(one.bytes) / one.seconds->median / 1e9;
  require(one.gb_per_s.has_value() == one.memory_bound, Where(where, "gb_per_s"),
          one.memory_bound ? "is missing" : "is there, but memory does not limit it");
  require(!one.gb_per_s || agree(*one.gb_per_s, bandwidth), Where(where, "gb_per_s"),
          "is not bytes over the median time");
  if (one.energy) check_energy(one, Where(where, "energy"));
  if (one.counters) check_counters(*one.counters, Where(where, "counters"));
}

void check_not_measured(const CaseRecord& one, const Where& where) {
  require(one.reason.has_value(), Where(where, "reason"), "is missing");
  require(!one.seconds && !one.gb_per_s && !one.bound && !one.energy && !one.counters,
          Where(where, "status"), "says not measured, but there are times");
}

}  // namespace

bool is_time(const std::string& text) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  const int found = std::sscanf(text.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u", &year, &month, &day, &hour,
                                &minute, &second);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  return found == 6 && date.ok() && hour < 24 && minute < 60 && second <= 60;
}

void require_sound(const Document& document) {
  const Where root;
  const Where context(root, "context");
  require(
      is_time(document.context.date()) || document.context.date() == document.context.run.started,
      Where(context, "date"), "is not a date and time");
  check_run(document.context.run, Where(context, "run"));
  const Where cases(root, "cases");
  std::set<std::string> names;
  for (std::size_t i = 0; i < document.cases.size(); ++i) {
    const CaseRecord& one = document.cases[i];
    require(names.insert(one.name).second, Where(Where(cases, i), "name"), "is there twice");
    check_identity(one, document.context.run, Where(cases, i));
    check_origin(one, document.context.run.merged, Where(cases, i));
    if (one.measured()) {
      check_measured(one, Where(cases, i));
    } else {
      check_not_measured(one, Where(cases, i));
    }
  }
}

}  // namespace bench

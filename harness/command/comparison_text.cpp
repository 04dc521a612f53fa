#include "harness/command/comparison_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/document/doubt.hpp"
#include "harness/words/labelled.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

constexpr double percent = 100;

/// `5`: what a change has to be beyond.
std::string within(double threshold, Language language) {
  return localised(figure(percent * threshold, 3), language);
}

/// `[0.98, 1.03]`; an end that nothing can be read from is `< 0.01` or `> 100`.
std::string interval_text(const Interval& interval, Language language) {
  constexpr double least = 0.01;
  constexpr double most = 100;
  const std::string low = interval.low < least ? "< 0.01" : fmt::format("{:.3f}", interval.low);
  const std::string high = interval.high > most ? "> 100" : fmt::format("{:.3f}", interval.high);
  return bracketed(localised(low, language), localised(high, language), language);
}

/// `seed: 42 and 7`
std::vector<std::string> lines_of(const std::vector<DifferingFact>& differences,
                                  Language language) {
  std::vector<std::string> lines;
  for (const auto& [fact, first, second] : differences) {
    const std::string name = translated(fact, language);
    const bool valued = !first.empty() || !second.empty();
    lines.push_back(valued ? say(language, phrases::because, name,
                                 say(language, phrases::this_and_that, first, second))
                           : name);
  }
  return lines;
}

std::vector<std::string> lines_of(const std::vector<NotMeasured>& cases, Language language) {
  std::vector<std::string> lines;
  for (const auto& [name, reason] : cases) {
    lines.push_back(say(language, phrases::because, name, translated(reason, language)));
  }
  return lines;
}

/// The cases that one of two runs alone was asked for.
std::vector<std::string> lines_of_one(const Comparisons& comparisons, Language language) {
  std::vector<std::string> lines;
  for (const auto& [names, run] : {std::pair{&comparisons.only_in_first, &phrases::of_first_run},
                                   {&comparisons.only_in_second, &phrases::of_second_run}}) {
    for (const std::string& name : *names) lines.push_back(say(language, *run, name));
  }
  return lines;
}

/// What two runs differ in as a whole.
std::vector<std::string> lines_of(const std::array<Measurements, 2>& selected, Language language) {
  using Facts = std::set<std::string> Measurements::*;
  constexpr std::pair<const Phrase*, Facts> all[] = {{&phrases::workload, &Measurements::workloads},
                                                     {&phrases::dtype, &Measurements::dtypes},
                                                     {&phrases::size, &Measurements::sizes},
                                                     {&phrases::backend, &Measurements::backends}};
  std::vector<std::string> lines;
  for (const auto& [name, facts] : all) {
    const auto& first = selected[0].*facts;
    const auto& second = selected[1].*facts;
    if (first == second || first.empty() || second.empty()) continue;
    lines.push_back(
        say(language, phrases::because, name->in(language),
            say(language, phrases::first_and_second, fmt::format("{}", fmt::join(first, ", ")),
                fmt::format("{}", fmt::join(second, ", ")))));
  }
  return lines;
}

const Phrase& phrase_of(Change change) {
  switch (change) {
    case Change::faster:
      return phrases::faster;
    case Change::slower:
      return phrases::slower;
    case Change::unclear:
      return phrases::unclear;
    case Change::same:
      break;
  }
  return phrases::same;
}

std::string said_of(Doubt doubt, Language language) {
  if (doubt == Doubt::few_samples) {
    return say(language, phrases::too_few_samples, std::to_string(least_samples));
  }
  return say(language, doubt == Doubt::node ? phrases::node : phrases::busy);
}

std::string verdict(const Comparison& one, Language language) {
  const std::string change = say(language, phrase_of(one.change));
  return one.doubt == Doubt::none
             ? change
             : say(language, phrases::because, change, said_of(one.doubt, language));
}

/// The worst first: `3× energy/serial/naive/f32/10000000/kernel`.
std::string worst(const FalseAlarms& alarms) {
  constexpr std::size_t most_named = 5;
  std::vector<std::pair<std::size_t, std::string>> names;
  for (const auto& [name, times] : alarms.names) names.emplace_back(times, name);
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) {
    text += fmt::format("  {}× {}\n", names[i].first, names[i].second);
  }
  return text;
}

const Phrase& phrase_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return phrases::holds;
    case Outcome::refuted:
      return phrases::does_not_hold;
    case Outcome::failed:
      return phrases::failed_here;
    case Outcome::untold:
      break;
  }
  return phrases::not_told_here;
}

std::string reason(const Claim& one, Language language) {
  switch (one.untold) {
    case Untold::not_here:
      return say(language, phrases::not_measured_here);
    case Untold::few_samples:
      return say(language, phrases::too_few_samples, std::to_string(least_samples));
    case Untold::busy:
      return say(language, phrases::busy);
    case Untold::none:
      break;
  }
  return translated(one.reason, language);
}

std::string verdict(const Claim& one, Language language) {
  const std::string outcome = say(language, phrase_of(one.outcome));
  const std::string why = reason(one, language);
  return why.empty() ? outcome : say(language, phrases::because, outcome, why);
}

std::string line(const Claim& one, std::size_t width, Language language) {
  const std::string recorded = ratio(one.recorded.value, language) + "×";
  if (!one.change) {
    return fmt::format("  {:{}}  {:>8}  {}\n", one.name, width, recorded, verdict(one, language));
  }
  return fmt::format("  {:{}}  {:>8}  {:>8}  {}  {}\n", one.name, width, recorded,
                     ratio(one.here->value, language) + "×",
                     interval_text(one.change->ci95, language), verdict(one, language));
}

}  // namespace

std::string text(const Comparisons& comparisons, double threshold, Language language) {
  const auto number = [language](const char* format, double value) {
    return localised(fmt::format(fmt::runtime(format), value), language);
  };
  std::string text =
      wrapped(say(language, phrases::time_of_second, within(threshold, language)), page_width, 0) +
      "\n\n";
  std::size_t width = 0;
  for (const Comparison& one : comparisons.cases) width = std::max(width, one.name.size());
  for (const Comparison& one : comparisons.cases) {
    text +=
        fmt::format("  {:{}}  {}  {}  {}\n", one.name, width, number("{:6.3f}", one.ratio.value),
                    interval_text(one.ratio.ci95, language), verdict(one, language));
  }
  const auto list = [&](const Phrase& title, const std::vector<std::string>& lines) {
    text += each_labelled(title.in(language), lines, 10, language);
  };
  if (comparisons.cases.empty()) text += "  " + say(language, phrases::not_in_both) + "\n";
  const auto explain = [&](Doubt doubt, const Phrase& why) {
    const auto there = [doubt](const Comparison& one) { return one.doubt == doubt; };
    if (std::none_of(comparisons.cases.begin(), comparisons.cases.end(), there)) return;
    text += "\n" +
            wrapped(say(language, phrases::because, said_of(doubt, language), why.in(language)),
                    page_width, 0) +
            "\n";
  };
  explain(Doubt::node, phrases::node_changed);
  explain(Doubt::busy, phrases::others_measured_too);
  explain(Doubt::few_samples, phrases::mean_without_spread);
  text += '\n';
  list(phrases::differs, lines_of(comparisons.selected, language));
  list(phrases::failed_in_second, lines_of(comparisons.failed, language));
  list(phrases::absent_in_second, lines_of(comparisons.absent, language));
  list(phrases::nodes_unlike, lines_of(comparisons.unlike, language));
  list(phrases::differs, lines_of(comparisons.differences, language));
  list(phrases::only_in_one, lines_of_one(comparisons, language));
  return with_plain_blanks(text);
}

std::string text(const FalseAlarms& alarms, Language language) {
  const auto line = [](const std::string& sentence) {
    return wrapped(sentence, page_width, 2) + "\n";
  };
  std::string text = line(say(language, phrases::aa_head, alarms.runs, alarms.pairs,
                              within(alarms.threshold, language))) +
                     "\n" +
                     line(say(language, phrases::aa_pairs, alarms.pairs_with_alarm, alarms.pairs)) +
                     line(say(language, phrases::aa_cases, alarms.alarms, alarms.cases)) +
                     line(say(language, phrases::aa_unclear, alarms.unclear, alarms.cases,
                              alarms.busy, alarms.node_changed));
  text += worst(alarms);
  text += "\n" + line(say(language, phrases::aa_pairs_share));
  return with_plain_blanks(text);
}

std::string text(const Reproduction& reproduction, Language language) {
  std::string text = wrapped(say(language, phrases::claims_again, reproduction.recorded,
                                 within(reproduction.threshold, language)),
                             page_width, 0) +
                     "\n\n";
  std::size_t width = 0;
  for (const Claim& one : reproduction.claims) width = std::max(width, one.name.size());
  for (const Claim& one : reproduction.claims) text += line(one, width, language);
  text += "\n" +
          say(language, phrases::claims_counted, reproduction.count(Outcome::holds),
              reproduction.count(Outcome::refuted), reproduction.count(Outcome::untold),
              reproduction.count(Outcome::failed)) +
          "\n";
  text += each_labelled(phrases::differs.in(language), lines_of(reproduction.differences, language),
                        reproduction.differences.size(), language);
  return with_plain_blanks(text);
}

}  // namespace bench

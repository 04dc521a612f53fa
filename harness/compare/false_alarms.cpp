#include "harness/compare/false_alarms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/exit.hpp"
#include "harness/base/text.hpp"
#include "harness/compare/run_comparison.hpp"
#include "harness/words/labelled.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

bool is_alarm(Change change) { return change == Change::slower || change == Change::faster; }

void count(const Comparison& one, FalseAlarms& alarms) {
  ++alarms.cases;
  if (one.change == Change::unclear) ++alarms.unclear;
  if (one.doubt == Doubt::busy) ++alarms.busy;
  if (one.doubt == Doubt::node) ++alarms.node_changed;
  if (!is_alarm(one.change)) return;
  ++alarms.alarms;
  ++alarms.names[one.name];
}

void count(const Comparisons& pair, FalseAlarms& alarms) {
  ++alarms.pairs;
  const std::size_t before = alarms.alarms;
  for (const Comparison& one : pair.cases) count(one, alarms);
  if (alarms.alarms > before) ++alarms.pairs_with_alarm;
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

}  // namespace

FalseAlarms false_alarms(const std::vector<Document>& documents, double threshold,
                         Language language) {
  FalseAlarms alarms;
  alarms.language = language;
  alarms.threshold = threshold;
  alarms.runs = documents.size();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (std::size_t j = i + 1; j < documents.size(); ++j) {
      count(compare(documents[i], documents[j], threshold), alarms);
    }
  }
  return alarms;
}

int exit_code(const FalseAlarms& alarms) { return alarms.alarms > 0 ? Exit::slower : Exit::fine; }

std::string text(const FalseAlarms& alarms) {
  const Language language = alarms.language;
  const std::string within = localised(figure(100 * alarms.threshold, 3), language);
  const auto line = [](const std::string& sentence) {
    return wrapped(sentence, page_width, 2) + "\n";
  };
  std::string text = line(say(language, phrases::aa_head, alarms.runs, alarms.pairs, within)) +
                     "\n" +
                     line(say(language, phrases::aa_pairs, alarms.pairs_with_alarm, alarms.pairs)) +
                     line(say(language, phrases::aa_cases, alarms.alarms, alarms.cases)) +
                     line(say(language, phrases::aa_unclear, alarms.unclear, alarms.cases,
                              alarms.busy, alarms.node_changed));
  text += worst(alarms);
  text += "\n" + line(say(language, phrases::aa_pairs_share));
  return with_plain_blanks(text);
}

}  // namespace bench

#include "harness/compare/run_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/exit.hpp"
#include "harness/base/text.hpp"
#include "harness/compare/differences.hpp"
#include "harness/document/doubt.hpp"
#include "harness/words/labelled.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

/// A case, and the fastest copy in the same rounds (perhaps none).
struct Measured {
  const CaseRecord* one = nullptr;
  const CaseRecord* copy = nullptr;
};

/// The measured cases by name, references left out.
std::map<std::string, Measured> measured(const Document& document) {
  const auto references = reference_bandwidths(document.cases);
  std::map<std::string, Measured> cases;
  for (const CaseRecord& one : document.cases) {
    if (!one.measured() || one.reference) continue;
    const auto copy = references.find(reference_key(one, plain_reference));
    cases[one.name] = {&one, copy == references.end() ? nullptr : copy->second};
  }
  return cases;
}

/// What the measured cases of a run are of, fact by fact.
std::vector<std::pair<const Phrase*, std::set<std::string>>> selected(
    const std::map<std::string, Measured>& cases) {
  std::set<std::string> workloads;
  std::set<std::string> dtypes;
  std::set<std::string> sizes;
  std::set<std::string> backends;
  for (const auto& [name, measured] : cases) {
    const CaseRecord& one = *measured.one;
    workloads.insert(one.workload);
    dtypes.emplace(name_of(one.dtype));
    sizes.insert(one.size);
    backends.insert(one.backend);
  }
  return {{&phrases::workload, workloads},
          {&phrases::dtype, dtypes},
          {&phrases::size, sizes},
          {&phrases::backend, backends}};
}

/// The selections in which two runs differ as a whole, as lines.
std::vector<std::string> selected_otherwise(const std::map<std::string, Measured>& before,
                                            const std::map<std::string, Measured>& after,
                                            Language language) {
  std::vector<std::string> lines;
  const auto first = selected(before);
  const auto second = selected(after);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto& [fact, values] = first[i];
    if (values == second[i].second || values.empty() || second[i].second.empty()) continue;
    lines.push_back(
        say(language, phrases::because, fact->in(language),
            say(language, phrases::first_and_second, fmt::format("{}", fmt::join(values, ", ")),
                fmt::format("{}", fmt::join(second[i].second, ", ")))));
  }
  return lines;
}

/// The same of all samples of a run.
double waited_share(const Document& document) {
  double all = 0;
  double disturbed = 0;
  for (const CaseRecord& one : document.cases) {
    if (!one.measured() || !one.seconds->preempted) continue;
    all += static_cast<double>(one.seconds->samples.size());
    disturbed += static_cast<double>(*one.seconds->preempted);
  }
  return all > 0 ? disturbed / all : 0;
}

/// True where the copy measured with a case took another time in the second run. Its median alone
/// is asked: the warning is enough, and a node that changes within a run has wide intervals.
bool node_changed(const Measured& before, const Measured& after, double threshold) {
  if (before.copy == nullptr || after.copy == nullptr) return false;
  const double ratio = after.copy->seconds->median / before.copy->seconds->median;
  return judge({ratio, ratio}, threshold) != Change::same;
}

/// Compares the cases of two runs, of which one or both may have been disturbed as a whole.
class RunJudge {
 public:
  RunJudge(const Document& first, const Document& second, std::size_t cases, double threshold)
      : busy_(std::max(waited_share(first), waited_share(second)) > disturbed_share),
        cases_(cases),
        threshold_(threshold) {}

  Comparison compare(const std::string& name, const Measured& before, const Measured& after) const {
    Comparison result{name, ratio_of_runs(*after.one->seconds, *before.one->seconds)};
    result.change = few_samples(*before.one) || few_samples(*after.one)
                        ? Change::unclear
                        : judge_among(cases_, result.ratio, threshold_);
    if (result.change != Change::slower && result.change != Change::faster) return result;
    if (busy_ || busy(*before.one) || busy(*after.one)) {
      result.doubt = Doubt::busy;
    } else if (node_changed(before, after, threshold_)) {
      result.doubt = Doubt::node;
    }
    if (result.doubt != Doubt::none) result.change = Change::unclear;
    return result;
  }

 private:
  bool busy_;
  std::size_t cases_;
  double threshold_;
};

const Phrase& name(Change change) {
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

const Phrase& name(Doubt doubt) { return doubt == Doubt::node ? phrases::node : phrases::busy; }

std::string verdict(const Comparison& one, Language language) {
  const std::string change = say(language, name(one.change));
  return one.doubt == Doubt::none
             ? change
             : say(language, phrases::because, change, name(one.doubt).in(language));
}

}  // namespace

Comparisons compare(const Document& first, const Document& second, double threshold,
                    Language language) {
  Comparisons result;
  result.language = language;
  result.unlike = unlike_settings(first.context, second.context, language);
  result.differences = differing(first.context, second.context, language);
  const auto before = measured(first);
  const auto after = measured(second);
  result.selected = selected_otherwise(before, after, language);
  std::set<std::string> accounted;
  for (const CaseRecord& one : second.cases) {
    const std::string line =
        say(language, phrases::because, one.name, translated(one.reason.value_or("?"), language));
    if (one.status == Status::failed) result.failed.push_back(line);
    if (one.measured() || !before.contains(one.name)) continue;
    if (one.status != Status::failed) result.absent.push_back(line);
    accounted.insert(one.name);
  }
  const RunJudge judge(first, second, before.size(), threshold);
  for (const auto& [name, one] : before) {
    const auto found = after.find(name);
    if (accounted.contains(name)) continue;
    if (found == after.end()) {
      result.only_in_one.push_back(say(language, phrases::of_first_run, name));
    } else {
      result.cases.push_back(judge.compare(name, one, found->second));
    }
  }
  for (const auto& [name, one] : after) {
    if (before.contains(name)) continue;
    result.only_in_one.push_back(say(language, phrases::of_second_run, name));
  }
  return result;
}

std::string ratio_interval_text(const Interval& interval, Language language) {
  constexpr double least = 0.01;
  constexpr double most = 100;
  const std::string low = interval.low < least ? "< 0.01" : fmt::format("{:.3f}", interval.low);
  const std::string high = interval.high > most ? "> 100" : fmt::format("{:.3f}", interval.high);
  return bracketed(localised(low, language), localised(high, language), language);
}

int exit_code(const Comparisons& comparisons, bool forced) {
  const auto any = [&](Change change) {
    return std::any_of(comparisons.cases.begin(), comparisons.cases.end(),
                       [change](const Comparison& one) { return one.change == change; });
  };
  if (!forced && (!comparisons.unlike.empty() || comparisons.cases.empty())) return Exit::unlike;
  if (!comparisons.failed.empty()) return Exit::wrong;
  if (any(Change::slower)) return Exit::slower;
  const bool unclear =
      comparisons.cases.empty() || any(Change::unclear) || !comparisons.absent.empty();
  return unclear ? Exit::unclear : Exit::fine;
}

std::string text(const Comparisons& comparisons, double threshold) {
  const Language language = comparisons.language;
  const auto number = [language](const char* format, double value) {
    return localised(fmt::format(fmt::runtime(format), value), language);
  };
  std::string text = wrapped(say(language, phrases::time_of_second,
                                 localised(figure(100 * threshold, 3), language)),
                             page_width, 0) +
                     "\n\n";
  std::size_t width = 0;
  for (const Comparison& one : comparisons.cases) width = std::max(width, one.name.size());
  for (const Comparison& one : comparisons.cases) {
    text +=
        fmt::format("  {:{}}  {}  {}  {}\n", one.name, width, number("{:6.3f}", one.ratio.value),
                    ratio_interval_text(one.ratio.ci95, language), verdict(one, language));
  }
  const auto list = [&](const Phrase& title, const std::vector<std::string>& lines) {
    text += each_labelled(title.in(language), lines, 10, language);
  };
  if (comparisons.cases.empty()) text += "  " + say(language, phrases::not_in_both) + "\n";
  const auto explain = [&](Doubt doubt, const Phrase& why) {
    const auto there = [doubt](const Comparison& one) { return one.doubt == doubt; };
    if (std::none_of(comparisons.cases.begin(), comparisons.cases.end(), there)) return;
    text += "\n" +
            wrapped(say(language, phrases::because, name(doubt).in(language), why.in(language)),
                    page_width, 0) +
            "\n";
  };
  explain(Doubt::node, phrases::node_changed);
  explain(Doubt::busy, phrases::others_measured_too);
  text += '\n';
  list(phrases::differs, comparisons.selected);
  list(phrases::failed_in_second, comparisons.failed);
  list(phrases::absent_in_second, comparisons.absent);
  list(phrases::nodes_unlike, comparisons.unlike);
  list(phrases::differs, comparisons.differences);
  list(phrases::only_in_one, comparisons.only_in_one);
  return with_plain_blanks(text);
}

}  // namespace bench

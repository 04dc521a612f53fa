#include "harness/compare/run_comparison.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/exit.hpp"
#include "harness/document/doubt.hpp"

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

Measurements selected(const std::map<std::string, Measured>& cases) {
  Measurements all;
  for (const auto& [name, measured] : cases) {
    const CaseRecord& one = *measured.one;
    all.workloads.insert(one.workload);
    all.dtypes.emplace(name_of(one.dtype));
    all.sizes.insert(one.size);
    all.backends.insert(one.backend);
  }
  return all;
}

/// The share of all samples of a run that waited for a processor.
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
    if (few_samples(*before.one) || few_samples(*after.one)) {
      result.change = Change::unclear;
      result.doubt = Doubt::few_samples;
      return result;
    }
    result.change = judge_among(cases_, result.ratio, threshold_);
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

}  // namespace

Comparisons compare(const Document& first, const Document& second, double threshold) {
  Comparisons result;
  result.unlike = unlike_settings(first.context, second.context);
  result.differences = differing(first.context, second.context);
  const auto before = measured(first);
  const auto after = measured(second);
  result.selected = {selected(before), selected(after)};
  std::set<std::string> accounted;
  for (const CaseRecord& one : second.cases) {
    const NotMeasured without{one.name, one.reason.value_or("?")};
    if (one.status == Status::failed) result.failed.push_back(without);
    if (one.measured() || !before.contains(one.name)) continue;
    if (one.status != Status::failed) result.absent.push_back(without);
    accounted.insert(one.name);
  }
  const RunJudge judge(first, second, before.size(), threshold);
  for (const auto& [name, one] : before) {
    const auto found = after.find(name);
    if (accounted.contains(name)) continue;
    if (found == after.end()) {
      result.only_in_first.push_back(name);
    } else {
      result.cases.push_back(judge.compare(name, one, found->second));
    }
  }
  for (const auto& [name, one] : after) {
    if (!before.contains(name)) result.only_in_second.push_back(name);
  }
  return result;
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

}  // namespace bench

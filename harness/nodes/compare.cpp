#include "harness/nodes/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/text.hpp"
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
    const auto copy = references.find(reference_key(one, "copy"));
    cases[one.name] = {&one, copy == references.end() ? nullptr : copy->second};
  }
  return cases;
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

/// True where the copy beside a case took another time in the second run. Its median alone is
/// asked: the doubt is enough, and a node that changes within a run has wide intervals.
bool node_changed(const Measured& before, const Measured& after, double threshold) {
  if (before.copy == nullptr || after.copy == nullptr) return false;
  const double ratio = after.copy->seconds->median / before.copy->seconds->median;
  return judge({ratio, ratio}, threshold) != Change::same;
}

/// Compares the cases of two runs, of which one or both may have been disturbed as a whole.
class Judge {
 public:
  Judge(const Document& first, const Document& second, double threshold)
      : busy_(std::max(waited_share(first), waited_share(second)) > disturbed_share),
        threshold_(threshold) {}

  Comparison compare(const std::string& name, const Measured& before, const Measured& after) const {
    Comparison result{name,
                      drifting_ratio(after.one->seconds->samples, before.one->seconds->samples)};
    result.change = judge(result.ratio.ci95, threshold_);
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
  double threshold_;
};

const char* name(const Comparison& comparison) {
  if (comparison.doubt == Doubt::node) return "unclear: node";
  if (comparison.doubt == Doubt::busy) return "unclear: busy";
  switch (comparison.change) {
    case Change::faster:
      return "faster";
    case Change::slower:
      return "SLOWER";
    case Change::unclear:
      return "unclear";
    case Change::same:
      break;
  }
  return "same";
}

/// Facts of two runs, and which of them differ.
class Differences {
 public:
  Differences(const Context& first, const Context& second) : first_(first), second_(second) {}

  template <class Fact>
  Differences& of(const char* name, Fact fact) {
    const Json a = written(fact(first_));
    const Json b = written(fact(second_));
    if (a != b) found_.push_back(fmt::format("{}: {} and {}", name, shown(a), shown(b)));
    return *this;
  }
  std::vector<std::string> found() const { return found_; }

 private:
  static std::string shown(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  const Context& first_;
  const Context& second_;
  std::vector<std::string> found_;
};

/// What makes ratios meaningless: settings, and inputs of the same workload, precision and size.
std::vector<std::string> unlike(const Context& first, const Context& second) {
  std::vector<std::string> found =
      Differences(first, second)
          .of("seed", [](const Context& of) { return of.run.seed; })
          .of("cache", [](const Context& of) { return of.run.cache; })
          .of("threads", [](const Context& of) { return of.run.threads; })
          .of("isa", [](const Context& of) { return of.run.isa; })
          .found();
  for (const auto& [workload, hashes] : first.run.input_hash) {
    const auto others = second.run.input_hash.find(workload);
    if (others == second.run.input_hash.end()) continue;
    for (const auto& [size, hash] : hashes) {
      const auto other = others->second.find(size);
      if (other != others->second.end() && other->second != hash) {
        found.push_back(fmt::format("inputs of {}/{}", workload, size));
      }
    }
  }
  return found;
}

std::vector<std::string> differing(const Context& first, const Context& second) {
  Differences differences(first, second);
  differences.of("node", [](const Context& of) { return of.run.node; });
  for (const char* key : {"cpu_model", "governor", "cpuset", "kernel", "omp"}) {
    differences.of(key, [key](const Context& of) { return at(of.machine, key); });
  }
  return differences.of("cpus of the threads", [](const Context& of) { return of.run.thread_cpus; })
      .of("revision", [](const Context& of) { return of.build.revision; })
      .of("dirty", [](const Context& of) { return of.build.dirty; })
      .of("compiler", [](const Context& of) { return of.build.compiler; })
      .of("flags", [](const Context& of) { return of.build.flags; })
      .found();
}

}  // namespace

Comparisons compare(const Document& first, const Document& second, double threshold) {
  Comparisons result;
  result.unlike = unlike(first.context, second.context);
  result.differences = differing(first.context, second.context);
  const auto before = measured(first);
  const auto after = measured(second);
  std::set<std::string> accounted;
  for (const CaseRecord& one : second.cases) {
    const std::string line = fmt::format("{}: {}", one.name, one.reason.value_or("?"));
    if (one.status == Status::failed) result.failed.push_back(line);
    if (one.measured() || !before.contains(one.name)) continue;
    if (one.status == Status::skipped) result.absent.push_back(line);
    accounted.insert(one.name);
  }
  const Judge judge(first, second, threshold);
  for (const auto& [name, one] : before) {
    const auto found = after.find(name);
    if (accounted.contains(name)) continue;
    if (found == after.end()) {
      result.only_in_one.push_back(name + " (first run)");
    } else {
      result.cases.push_back(judge.compare(name, one, found->second));
    }
  }
  for (const auto& [name, one] : after) {
    if (!before.contains(name)) result.only_in_one.push_back(name + " (second run)");
  }
  return result;
}

std::string ratio_interval_text(const Interval& interval) {
  constexpr double least = 0.01;
  constexpr double most = 100;
  return fmt::format("[{}, {}]",
                     interval.low < least ? "< 0.01" : fmt::format("{:.3f}", interval.low),
                     interval.high > most ? "> 100" : fmt::format("{:.3f}", interval.high));
}

int exit_code(const Comparisons& comparisons, bool forced) {
  const auto any = [&](Change change) {
    return std::any_of(comparisons.cases.begin(), comparisons.cases.end(),
                       [change](const Comparison& one) { return one.change == change; });
  };
  constexpr int wrong = 1;
  constexpr int slower = 3;
  constexpr int inconclusive = 4;
  constexpr int unlike = 5;
  if (!forced && (!comparisons.unlike.empty() || comparisons.cases.empty())) return unlike;
  if (!comparisons.failed.empty()) return wrong;
  if (any(Change::slower)) return slower;
  return any(Change::unclear) || !comparisons.absent.empty() ? inconclusive : 0;
}

std::string text(const Comparisons& comparisons, double threshold) {
  std::string text = fmt::format(
      "time of the second run ÷ time of the first, with its 95 % interval; same means\n"
      "within {:.3g} %, faster or slower that the whole interval lies beyond\n\n",
      100 * threshold);
  std::size_t width = 0;
  for (const Comparison& one : comparisons.cases) width = std::max(width, one.name.size());
  for (const Comparison& one : comparisons.cases) {
    text += fmt::format("  {:{}}  {:6.3f}  {}  {}\n", one.name, width, one.ratio.value,
                        ratio_interval_text(one.ratio.ci95), name(one));
  }
  const auto list = [&text](const char* title, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      text += wrapped(fmt::format("{}: {}", title, line), 80, 2) + "\n";
    }
  };
  if (comparisons.cases.empty()) text += "  no case was measured in both runs\n";
  const auto any = [&](Doubt doubt) {
    return std::any_of(comparisons.cases.begin(), comparisons.cases.end(),
                       [doubt](const Comparison& one) { return one.doubt == doubt; });
  };
  if (any(Doubt::node)) {
    text +=
        "\nnode: the fastest copy, measured in the same rounds, took another time as well, so\n"
        "the node was not the same (clock, neighbours, a migrated virtual machine)\n";
  }
  if (any(Doubt::busy)) {
    text +=
        "\nbusy: more than a fifth of the samples waited for a processor, so others were\n"
        "measured too: measure again with the node alone (--exclusive)\n";
  }
  text += "\n";
  list("failed in the second run", comparisons.failed);
  list("absent in the second run", comparisons.absent);
  list("not comparable", comparisons.unlike);
  list("differs", comparisons.differences);
  list("only in one", comparisons.only_in_one);
  return text;
}

}  // namespace bench

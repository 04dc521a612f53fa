#include "harness/compare/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/base/exit.hpp"
#include "harness/base/text.hpp"
#include "harness/compare/differences.hpp"
#include "harness/compare/run_comparison.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/words/labelled.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

/// What makes a case of two runs the same work by as many threads. Names say threads and
/// instruction set where they are not a node's default; the set is a difference of the nodes.
using Key = std::pair<std::string, std::optional<int>>;
using Cases = std::map<Key, const CaseRecord*>;
using ByName = std::map<std::string, const CaseRecord*>;

Key key(const CaseRecord& one) {
  Parameters parameters = one.parameters;
  parameters.erase("threads");
  parameters.erase("isa");
  parameters.erase(device_parameter);
  parameters.erase(socket_parameter);
  return {one.name_with(parameters), one.threads};
}

Cases by_key(const std::vector<CaseRecord>& cases) {
  Cases all;
  for (const CaseRecord& one : cases) {
    if (!one.reference) all.emplace(key(one), &one);
  }
  return all;
}

ByName by_name(const std::vector<CaseRecord>& cases) {
  ByName all;
  for (const CaseRecord& one : cases) all[one.name] = &one;
  return all;
}

/// True of a case, or of what its ratio is over.
bool either(const CaseRecord& one, const ByName& cases, bool (*is)(const CaseRecord&)) {
  const auto baseline = cases.find(one.over_serial->baseline.value_or(""));
  return is(one) || (baseline != cases.end() && is(*baseline->second));
}

/// The quotient of two independent ratios with intervals that are not symmetric.
Estimate quotient(const RatioRecord& above, const RatioRecord& below) {
  const double value = above.value / below.value;
  const auto error = [](double far, double near) { return std::log(far / near); };
  const double down =
      std::hypot(error(above.value, above.ci95.low), error(below.ci95.high, below.value));
  const double up =
      std::hypot(error(above.ci95.high, above.value), error(below.value, below.ci95.low));
  return {value, {value * std::exp(-down), value * std::exp(up)}};
}

class ClaimJudge {
 public:
  ClaimJudge(const Document& recorded, const Document& here, std::size_t claims, double threshold,
             Language language)
      : cases_(by_key(here.cases)),
        recorded_(by_name(recorded.cases)),
        here_(by_name(here.cases)),
        claims_(claims),
        threshold_(threshold),
        language_(language) {}

  Claim claim(const CaseRecord& recorded) const {
    Claim claim{recorded.name, *recorded.over_serial, {}, {}, Outcome::untold, ""};
    const auto found = cases_.find(key(recorded));
    if (found == cases_.end()) {
      claim.reason = phrases::not_measured_here.in(language_);
    } else {
      judge(recorded, *found->second, claim);
    }
    return claim;
  }

 private:
  void judge(const CaseRecord& recorded, const CaseRecord& one, Claim& claim) const {
    if (one.status == Status::failed) claim.outcome = Outcome::failed;
    if (!one.measured() || !one.over_serial) {
      claim.reason = translated(one.reason.value_or(one.no_ratio.value_or("?")), language_);
      return;
    }
    claim.here = one.over_serial;
    claim.change = quotient(*claim.here, claim.recorded);
    const Change change = judge_among(claims_, *claim.change, threshold_);
    if (either(recorded, recorded_, few_samples) || either(one, here_, few_samples)) {
      claim.reason = say(language_, phrases::too_few_samples, std::to_string(least_samples));
    } else if (change == Change::same) {
      claim.outcome = Outcome::holds;
    } else if (either(one, here_, busy) || either(recorded, recorded_, busy)) {
      claim.reason = phrases::busy.in(language_);
    } else if (change != Change::unclear) {
      claim.outcome = Outcome::refuted;
    }
  }

  Cases cases_;
  ByName recorded_;
  ByName here_;
  std::size_t claims_;
  double threshold_;
  Language language_;
};

std::size_t count(const Reproduction& reproduction, Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(reproduction.claims.begin(), reproduction.claims.end(),
                    [outcome](const Claim& one) { return one.outcome == outcome; }));
}

const Phrase& name(Outcome outcome) {
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

std::string verdict(const Claim& one, Language language) {
  const std::string outcome = say(language, name(one.outcome));
  return one.reason.empty() ? outcome : say(language, phrases::because, outcome, one.reason);
}

std::string line(const Claim& one, std::size_t width, Language language) {
  const std::string recorded = ratio(one.recorded.value, language) + "×";
  if (!one.change) {
    return fmt::format("  {:{}}  {:>8}  {}\n", one.name, width, recorded, verdict(one, language));
  }
  return fmt::format("  {:{}}  {:>8}  {:>8}  {}  {}\n", one.name, width, recorded,
                     ratio(one.here->value, language) + "×",
                     ratio_interval_text(one.change->ci95, language), verdict(one, language));
}

}  // namespace

std::vector<const CaseRecord*> claims_of(const Document& recorded) {
  std::vector<const CaseRecord*> claims;
  for (const CaseRecord& one : recorded.cases) {
    const bool baseline = one.over_serial && one.over_serial->baseline == one.name;
    if (one.measured() && !one.reference && one.over_serial && !baseline) claims.push_back(&one);
  }
  return claims;
}

Reproduction reproduce(const Document& recorded, const Document& here, double threshold,
                       Language language) {
  Reproduction result{
      language,
      threshold,
      fmt::format("{}, {}", recorded.context.run.node, day(recorded.context.date())),
      {},
      unlike_settings(recorded.context, here.context, language)};
  const auto others = differing(recorded.context, here.context, language);
  result.differences.insert(result.differences.end(), others.begin(), others.end());
  const auto claims = claims_of(recorded);
  const ClaimJudge judge(recorded, here, claims.size(), threshold, language);
  for (const CaseRecord* const one : claims) result.claims.push_back(judge.claim(*one));
  return result;
}

int exit_code(const Reproduction& reproduction) {
  if (count(reproduction, Outcome::failed) > 0) return Exit::wrong;
  if (count(reproduction, Outcome::refuted) > 0) return Exit::slower;
  return count(reproduction, Outcome::untold) > 0 ? Exit::unclear : Exit::fine;
}

std::string text(const Reproduction& reproduction) {
  const Language language = reproduction.language;
  const std::string within = localised(figure(100 * reproduction.threshold, 3), language);
  std::string text =
      wrapped(say(language, phrases::claims_again, reproduction.recorded, within), page_width, 0) +
      "\n\n";
  std::size_t width = 0;
  for (const Claim& one : reproduction.claims) width = std::max(width, one.name.size());
  for (const Claim& one : reproduction.claims) text += line(one, width, language);
  text += "\n" +
          say(language, phrases::claims_counted, count(reproduction, Outcome::holds),
              count(reproduction, Outcome::refuted), count(reproduction, Outcome::untold),
              count(reproduction, Outcome::failed)) +
          "\n";
  text += each_labelled(phrases::differs.in(language), reproduction.differences,
                        reproduction.differences.size(), language);
  return with_plain_blanks(text);
}

}  // namespace bench

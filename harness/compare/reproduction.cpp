#include "harness/compare/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/base/exit.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/words/numbers.hpp"

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
  ClaimJudge(const Document& recorded, const Document& here, std::size_t claims, double threshold)
      : cases_(by_key(here.cases)),
        recorded_(by_name(recorded.cases)),
        here_(by_name(here.cases)),
        claims_(claims),
        threshold_(threshold) {}

  Claim claim(const CaseRecord& recorded) const {
    Claim claim{recorded.name, *recorded.over_serial, {}, {}, Outcome::untold, Untold::none, {}};
    const auto found = cases_.find(key(recorded));
    if (found == cases_.end()) {
      claim.untold = Untold::not_here;
    } else {
      judge(recorded, *found->second, claim);
    }
    return claim;
  }

 private:
  void judge(const CaseRecord& recorded, const CaseRecord& one, Claim& claim) const {
    if (one.status == Status::failed) claim.outcome = Outcome::failed;
    if (!one.measured() || !one.over_serial) {
      claim.reason = one.reason.value_or(one.no_ratio.value_or("?"));
      return;
    }
    claim.here = one.over_serial;
    claim.change = quotient(*claim.here, claim.recorded);
    const Change change = judge_among(claims_, *claim.change, threshold_);
    if (either(recorded, recorded_, few_samples) || either(one, here_, few_samples)) {
      claim.untold = Untold::few_samples;
    } else if (change == Change::same) {
      claim.outcome = Outcome::holds;
    } else if (either(one, here_, busy) || either(recorded, recorded_, busy)) {
      claim.untold = Untold::busy;
    } else if (change != Change::unclear) {
      claim.outcome = Outcome::refuted;
    }
  }

  Cases cases_;
  ByName recorded_;
  ByName here_;
  std::size_t claims_;
  double threshold_;
};

}  // namespace

std::vector<const CaseRecord*> claims_of(const Document& recorded) {
  std::vector<const CaseRecord*> claims;
  for (const CaseRecord& one : recorded.cases) {
    const bool baseline = one.over_serial && one.over_serial->baseline == one.name;
    if (one.measured() && !one.reference && one.over_serial && !baseline) claims.push_back(&one);
  }
  return claims;
}

Reproduction reproduce(const Document& recorded, const Document& here, double threshold) {
  Reproduction result{
      threshold,
      fmt::format("{}, {}", recorded.context.run.node, day(recorded.context.date())),
      {},
      unlike_settings(recorded.context, here.context)};
  const auto others = differing(recorded.context, here.context);
  result.differences.insert(result.differences.end(), others.begin(), others.end());
  const auto claims = claims_of(recorded);
  const ClaimJudge judge(recorded, here, claims.size(), threshold);
  for (const CaseRecord* const one : claims) result.claims.push_back(judge.claim(*one));
  return result;
}

std::size_t Reproduction::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(claims.begin(), claims.end(),
                    [outcome](const Claim& one) { return one.outcome == outcome; }));
}

int exit_code(const Reproduction& reproduction) {
  if (reproduction.count(Outcome::failed) > 0) return Exit::wrong;
  if (reproduction.count(Outcome::refuted) > 0) return Exit::slower;
  return reproduction.count(Outcome::untold) > 0 ? Exit::unclear : Exit::fine;
}

}  // namespace bench

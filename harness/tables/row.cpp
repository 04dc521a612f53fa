#include "harness/tables/row.hpp"

#include <algorithm>

namespace bench {

const CaseRecord* baseline_of(const Row& row, const RatioRecord& ratio) {
  const auto& cases = row.document->cases;
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const CaseRecord& one) {
    return one.name == ratio.baseline;
  });
  return found == cases.end() ? nullptr : &*found;
}

bool doubtful(const Row& row, const RatioRecord& ratio) {
  if (ratio.baseline == row.result->name) return false;
  const CaseRecord* const baseline = baseline_of(row, ratio);
  return inconclusive(*row.result) || (baseline != nullptr && inconclusive(*baseline)) ||
         !narrow(ratio.ci95);
}

std::optional<Estimate> energy_over_naive(const Row& row) {
  const auto& mine = row.result->energy;
  const auto& ratio = row.result->over_serial;
  const CaseRecord* const naive = ratio ? baseline_of(row, *ratio) : nullptr;
  if (!mine || naive == nullptr || !naive->energy || naive->energy->of != mine->of) return {};
  const auto [least, most] = std::minmax_element(mine->samples.begin(), mine->samples.end());
  const auto& theirs = naive->energy->samples;
  const auto [low, high] = std::minmax_element(theirs.begin(), theirs.end());
  return Estimate{naive->energy->joules / mine->joules, {*low / *most, *high / *least}};
}

}  // namespace bench

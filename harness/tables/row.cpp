#include "harness/tables/row.hpp"

#include <algorithm>

#include "harness/document/doubt.hpp"

namespace bench {

bool doubtful(const CaseRecord& one) {
  const TimesRecord& times = *one.seconds;
  return times.too_short > 0 || busy(one) || !narrow(times.ci95);
}

bool doubtful(const Row& row, const RatioRecord& ratio) {
  if (ratio.baseline == row.result->name) return false;
  const auto& cases = row.document->cases;
  const auto baseline = std::find_if(cases.begin(), cases.end(), [&](const CaseRecord& one) {
    return one.name == ratio.baseline;
  });
  const bool disturbed = busy(*row.result) || (baseline != cases.end() && busy(*baseline));
  return disturbed || !narrow(ratio.ci95);
}

}  // namespace bench

#include "harness/verify.hpp"

#include <fmt/format.h>

namespace bench {

Verdict judge(const Findings& findings, const Elements& elements, const char* metric,
              double tolerance, const std::function<std::string(std::size_t)>& describe) {
  Verdict verdict{.passed = false,
                  .metric = metric,
                  .max_error = findings.max_error,
                  .tolerance = tolerance,
                  .reason = {}};
  const std::size_t n = elements.size();
  const char* const looked_at = elements.all() ? "" : " looked at";
  if (findings.unwritten == n && n > 0) {
    verdict.reason = "wrote nothing: the output still holds the poison";
  } else if (findings.unwritten > 0) {
    verdict.reason = fmt::format("left out {} of {} elements{}, the first at index {}",
                                 findings.unwritten, n, looked_at, findings.first_unwritten);
  } else if (findings.wrong > 0) {
    verdict.reason =
        fmt::format("{} of {} elements{} are wrong, the first at index {}: {}", findings.wrong, n,
                    looked_at, findings.first_wrong, describe(findings.first_wrong));
  } else {
    verdict.passed = true;
  }
  return verdict;
}

std::string describe_difference(double got, double want) {
  if (std::isnan(got)) return fmt::format("NaN instead of {:.9g}", want);
  return fmt::format("{:.9g} instead of {:.9g}", got, want);
}

Verdict check_counts(const std::uint32_t* output, const std::vector<std::uint32_t>& expected) {
  Findings findings;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (is_poison(output[i]) && !is_poison(expected[i])) {
      findings.note_unwritten(i);
    } else {
      const double error = std::abs(static_cast<double>(output[i]) - expected[i]);
      findings.note(i, error, 0);
    }
  }
  return judge(findings, expected.size(), "count", 0, [&](std::size_t i) {
    return fmt::format("{} instead of {}", output[i], expected[i]);
  });
}

}  // namespace bench

#include "harness/workload/verify.hpp"

#include <fmt/format.h>

#include "harness/base/text.hpp"

namespace bench {

Verdict judge(const Findings& findings, const Elements& elements, const char* metric,
              double tolerance, const std::function<std::string(std::size_t)>& describe) {
  Verdict verdict{.passed = false,
                  .metric = metric,
                  .max_error = findings.max_error,
                  .tolerance = tolerance,
                  .reason = {},
                  .left_out = findings.unwritten};
  const std::size_t n = elements.size();
  const char* const looked_at = elements.are_all() ? "" : " looked at";
  if (findings.unwritten == n && n > 0) {
    verdict.unwritten = Unwritten::all;
    verdict.reason = "wrote nothing, or added to what was there: the output is not zero at first";
  } else if (findings.unwritten > 0) {
    verdict.unwritten = Unwritten::some;
    verdict.reason = fmt::format("left out {} of {} elements{}, the first at index {}",
                                 findings.unwritten, n, looked_at, findings.first_unwritten);
  } else if (findings.wrong > 0) {
    const std::string where =
        n == 1 && elements.are_all()
            ? "the result is wrong"
            : fmt::format("{} of {} elements{} are wrong, the first at index {}", findings.wrong, n,
                          looked_at, findings.first_wrong);
    verdict.reason = where + ": " + describe(findings.first_wrong);
  } else {
    verdict.passed = true;
  }
  return verdict;
}

std::string describe_difference(double got, double want, int digits, double error,
                                const char* metric, double tolerance) {
  const std::string wanted = fmt::format("instead of {:.{}g}", want, digits);
  if (std::isnan(got)) return "NaN " + wanted;
  constexpr double still_says_something = 1e6;
  if (error > still_says_something) return fmt::format("{:.{}g} {}", got, digits, wanted);
  return fmt::format("{:.{}g} {} (error {} {}, tolerance {})", got, digits, wanted,
                     figure(error, 3), metric, figure(tolerance, 3));
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
  return judge(findings, Elements::all(expected.size()), "count", 0, [&](std::size_t i) {
    return fmt::format("{} instead of {}", output[i], expected[i]);
  });
}

}  // namespace bench

#include "harness/workload/verify.hpp"

#include <fmt/format.h>

#include "harness/base/reasons.hpp"
#include "harness/base/text.hpp"

namespace bench {

Verdict judge(const Findings& findings, const Elements& elements, const char* metric,
              double tolerance, const std::function<Reason(std::size_t)>& describe) {
  Verdict verdict{.passed = false,
                  .metric = metric,
                  .max_error = findings.max_error,
                  .tolerance = tolerance,
                  .reason = {},
                  .left_out = findings.unwritten};
  const std::size_t n = elements.size();
  if (findings.unwritten == n && n > 0) {
    verdict.unwritten = Unwritten::all;
    verdict.reason = said<reasons::wrote_nothing>();
  } else if (findings.unwritten > 0) {
    verdict.unwritten = Unwritten::some;
    const std::size_t first = findings.first_unwritten;
    verdict.reason = elements.are_all()
                         ? said<reasons::left_out_elements>(findings.unwritten, n, first)
                         : said<reasons::left_out_looked_at>(findings.unwritten, n, first);
  } else if (findings.wrong > 0) {
    const std::size_t first = findings.first_wrong;
    const Reason what = describe(first);
    verdict.reason = !elements.are_all()
                         ? said<reasons::wrong_elements_looked_at>(findings.wrong, n, first, what)
                     : n == 1 ? said<reasons::wrong_result>(what)
                              : said<reasons::wrong_elements>(findings.wrong, n, first, what);
  } else {
    verdict.passed = true;
  }
  return verdict;
}

Reason describe_difference(double got, double want, int digits, double error, const char* metric,
                           double tolerance) {
  const std::string found = std::isnan(got) ? "NaN" : fmt::format("{:.{}g}", got, digits);
  const std::string wanted = fmt::format("{:.{}g}", want, digits);
  constexpr double still_says_something = 1e6;
  if (std::isnan(got) || error > still_says_something) {
    return said<reasons::instead_of>(found, wanted);
  }
  return said<reasons::instead_of_by>(found, wanted, fmt::format("{} {}", figure(error, 3), metric),
                                      figure(tolerance, 3));
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
  return judge(findings, Elements::all(expected.size()), "count", 0,
               [&](std::size_t i) { return said<reasons::instead_of>(output[i], expected[i]); });
}

}  // namespace bench

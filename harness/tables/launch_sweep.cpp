#include "harness/tables/launch_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/document/ratios.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

using Cases = std::vector<const CaseRecord*>;

/// `block=128 grid=2`
std::string launch_of(const CaseRecord& one) {
  std::string text;
  for (const char* key : {"block", "grid"}) {
    const auto found = one.parameters.find(key);
    if (found == one.parameters.end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, found->second);
  }
  return text;
}

std::string line(const Cases& launches, Language language) {
  const CaseRecord& fastest = **std::min_element(
      launches.begin(), launches.end(),
      [](const auto* a, const auto* b) { return a->seconds->median < b->seconds->median; });
  std::vector<std::string> speeds;
  std::vector<std::string> alike;
  for (const CaseRecord* one : launches) {
    const RatioRecord speed = ratio_over(fastest, *one);
    speeds.push_back(
        say(language, phrases::speed_with, ratio(speed.value, language), launch_of(*one)));
    if (one != &fastest && speed.ci95.high >= 1 - indistinguishable)
      alike.push_back(launch_of(*one));
  }
  std::string text = fmt::format("{}", fmt::join(speeds, ", "));
  if (!alike.empty()) {
    text += say(language, phrases::like_the_fastest, fmt::format("{}", fmt::join(alike, ", ")));
  }
  return say(language, phrases::speed_by_launch, fastest.rung(), text);
}

}  // namespace

std::vector<std::string> launch_sweep_texts(const std::vector<Row>& rows, Language language) {
  Cases chosen;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.measured() || launch_of(one).empty() || one.seconds->samples.empty()) continue;
    chosen.push_back(&one);
  }
  std::vector<std::string> lines;
  for (const Series& series : series_over({"block", "grid"}, chosen)) {
    lines.push_back(line(series.cases, language));
  }
  return lines;
}

}  // namespace bench

#include "harness/tables/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "harness/base/reasons.hpp"
#include "harness/document/ratios.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

/// True where a row is shown rather than another: measured ones before the others, too slow for a
/// size last, larger sizes before smaller ones.
bool shows_more(const Row& a, const Row& b) {
  const auto rank = [](const Row& row) {
    const bool too_slow = row.result->reason.value_or("").is(reasons::too_slow);
    return std::tuple{row.result->measured(), !too_slow, row.result->elements};
  };
  return rank(a) > rank(b);
}

bool faster(const Row& a, const Row& b) {
  if (shows_more(a, b) || shows_more(b, a)) return shows_more(a, b);
  return a.result->measured() && a.result->seconds->median < b.result->seconds->median;
}

std::string fastest_of(const std::vector<const Row*>& rows) {
  const auto best = std::min_element(rows.begin(), rows.end(),
                                     [](const Row* a, const Row* b) { return faster(*a, *b); });
  return (*best)->result->variant;
}

std::vector<const Row*> rows_of(const Step& step, const std::vector<Row>& rows, Scope scope) {
  std::vector<const Row*> found;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    const bool of_step = one.backend == step.backend && one.scope == scope;
    if (of_step && !one.library && !one.wrong_on_purpose()) found.push_back(&row);
  }
  return found;
}

std::string chosen_variant(const Step& step, const std::vector<Row>& rows) {
  const auto of_backend = rows_of(step, rows, Scope::kernel);
  if (of_backend.empty()) return "";
  if (step.variants.empty()) return fastest_of(of_backend);
  std::vector<std::string> variants;
  for (const Row* row : of_backend) variants.push_back(row->result->variant);
  return std::string(variant_of(step, variants));
}

/// The kernel alone, and with the transfers, each once.
std::vector<Row> rows_of(const Step& step, const std::vector<Row>& rows) {
  const std::string variant = chosen_variant(step, rows);
  std::vector<Row> all;
  for (const Scope scope : {Scope::kernel, Scope::end_to_end}) {
    auto found = rows_of(step, rows, scope);
    std::erase_if(found, [&](const Row* row) { return row->result->variant != variant; });
    const auto most = std::min_element(
        found.begin(), found.end(), [](const Row* a, const Row* b) { return shows_more(*a, *b); });
    if (most == found.end()) continue;
    all.push_back(**most);
    all.back().step = &step;
  }
  return all;
}

/// The factor that makes a ratio of times one of the times per element.
double per_element(const CaseRecord& first, const CaseRecord& one) {
  return static_cast<double>(one.elements) / static_cast<double>(first.elements);
}

RatioRecord scaled(RatioRecord ratio, double factor) {
  ratio.value *= factor;
  ratio.ci95.low *= factor;
  ratio.ci95.high *= factor;
  return ratio;
}

/// The row that the others are compared with; null where it has no time.
const Row* first_of(const std::vector<Row>& rows) {
  const auto first = std::find_if(rows.begin(), rows.end(), [](const Row& row) {
    return row.step == all_steps().data() && row.result->measured();
  });
  return first == rows.end() ? nullptr : &*first;
}

void compare_with(const CaseRecord& first, std::vector<Row>& rows) {
  for (Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.measured()) continue;
    row.over_baseline = scaled(ratio_over(first, one), per_element(first, one));
  }
}

/// Compiled in Python: `Numba, compiled 0.11 s`, what the first call of each takes longer. It does
/// not grow with the size.
std::vector<std::string> compilations(const std::vector<Row>& rows, Language language) {
  std::vector<std::string> found;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    const bool compiles = one.backend == "numba" && one.scope == Scope::kernel;
    if (!compiles || !one.measured()) continue;
    const double longer = one.first_use_s.value_or(0) - one.seconds->median;
    if (longer <= 0) continue;
    found.push_back(
        fmt::format("{} {}{}s", step_name(row, language), rough(longer, language), no_break_space));
  }
  return found;
}

}  // namespace

std::span<const Step> all_steps() {
  static const std::vector<Step> steps{
      {phrases::step_python, "python", {"comprehension", "random", "naive", "bubble"}},
      {phrases::step_numba, "numba", {"njit_scalar", "random", "njit", "guvectorize"}},
      {phrases::step_numba_threads, "numba", {"prange_random", "prange", "guvectorize_parallel"}},
      {phrases::step_numba_cuda, "numba", {"cuda", "ufunc_device"}},
      {phrases::step_serial, backends::serial.name, {"naive"}, true},
      {phrases::step_openmp, backends::openmp.name, {}, true},
      {phrases::step_cuda, backends::cuda.name, {}, true}};
  return steps;
}

std::string_view variant_of(const Step& step, const std::vector<std::string>& variants) {
  for (const std::string_view wanted : step.variants) {
    if (std::find(variants.begin(), variants.end(), wanted) != variants.end()) return wanted;
  }
  // The one row of a package that is not installed.
  constexpr std::string_view none = "*";
  const bool missing = std::find(variants.begin(), variants.end(), none) != variants.end();
  return missing ? none : std::string_view{};
}

bool stands_for_all(const Row& row) {
  return row.step != nullptr && row.step->variants.empty() && !row.result->measured();
}

std::string step_name(const Row& row, Language language) {
  if (row.step == nullptr) return "";
  std::string name = say(language, row.step->name);
  const bool fastest = row.step->variants.empty() && row.result->measured();
  return fastest ? say(language, phrases::step_fastest, name) : name;
}

std::vector<Row> rows_of_steps(const std::vector<Row>& rows) {
  std::vector<Row> all;
  for (const Step& step : all_steps()) {
    for (Row& row : rows_of(step, rows)) {
      row.over_baseline.reset();
      all.push_back(std::move(row));
    }
  }
  if (const Row* const first = first_of(all)) compare_with(*first->result, all);
  std::stable_sort(all.begin(), all.end(), [](const Row& a, const Row& b) {
    if (!a.over_baseline || !b.over_baseline) return a.over_baseline.has_value();
    return a.over_baseline->value < b.over_baseline->value;
  });
  return all;
}

std::string text_of_steps(const std::vector<Row>& rows, Language language) {
  const Row* const first = first_of(rows);
  if (first == nullptr) return say(language, phrases::steps_without_python);
  std::vector<std::string> sentences{
      say(language, phrases::steps_baseline, step_name(*first, language))};
  std::set<std::size_t> sizes;
  for (const Row& row : rows) {
    if (row.result->measured()) sizes.insert(row.result->elements);
  }
  if (sizes.size() > 1) sentences.push_back(say(language, phrases::steps_per_element));
  const auto compiled = compilations(rows, language);
  if (!compiled.empty()) {
    sentences.push_back(
        say(language, phrases::steps_first_call, fmt::format("{}", fmt::join(compiled, "; "))));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace bench

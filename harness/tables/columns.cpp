#include "harness/tables/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/suggest.hpp"
#include "harness/base/text.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/plan/hash.hpp"
#include "harness/tables/steps.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

constexpr const char* nothing = "–";

/// A value of a row as JSON, null where there is none: a member of its case, or a function of the
/// row.
template <auto value>
Json json_of(const Row& row) {
  if constexpr (std::is_member_pointer_v<decltype(value)>) {
    return written(row.result->*value);
  } else {
    return value(row);
  }
}

/// Text as it is, a number as JSON writes it, a dash for nothing.
std::string plain(const Json& value) {
  if (value.is_null()) return nothing;
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A value for programs, for people.
template <auto value>
std::string shown(const Row& row, Language /*language*/) {
  return plain(json_of<value>(row));
}

/// The same of what is recorded in English.
std::string translated_idea(const Row& row, Language language) {
  return translated(row.result->idea, language);
}
std::string translated_reason(const Row& row, Language language) {
  return translated(row.result->reason.value_or(nothing), language);
}

/// The same of a number, as `show` writes it.
template <auto value, auto show>
std::string number_cell(const Row& row, Language language) {
  const Json number = json_of<value>(row);
  return number.is_null() ? nothing : show(number.template get<double>(), language);
}

/// A fact of a part of the case that it may not have.
template <auto part, auto fact>
Json of_part(const Row& row) {
  const auto& found = row.result->*part;
  return found ? written((*found).*fact) : Json();
}

Json cpu_model(const Row& row) { return written(row.document->context.machine.cpu_model); }

Json gpu(const Row& row) { return written(gpu_name(row.document->context.machine)); }

/// A fact of the run that the case is from, where several were merged.
template <std::string Origin::*fact>
Json of_run(const Row& row) {
  const std::string& text = row.origin->*fact;
  return text.empty() ? Json() : Json(text);
}

Json variant_or_all(const Row& row) {
  return stands_for_all(row) ? Json("*") : Json(row.result->variant);
}

/// No single number would be certain.
std::string marked(bool doubtful, const std::string& figure) {
  return (doubtful ? "~" : "") + figure;
}

// Ratios over each of the baselines.
using Ratio = std::optional<RatioRecord>;
const Ratio& naive(const Row& row) { return row.result->over_serial; }
const Ratio& best_cpu(const Row& row) { return row.result->over_best_cpu; }
const Ratio& chosen(const Row& row) { return row.over_baseline; }
/// The same as a share: of the fastest variant of the ladder where a model runs.
const Ratio& ladder(const Row& row) { return row.result->model_share; }

std::optional<Estimate> bound_share(const Row& row) {
  const auto& bound = row.result->bound;
  return bound ? std::optional(bound->share) : std::nullopt;
}

template <auto over>
Json ratio_of(const Row& row) {
  return over(row) ? Json(over(row)->value) : Json();
}
/// The step in English, as all that programs read.
Json step_of(const Row& row) {
  return row.step == nullptr ? Json() : Json(step_name(row, Language::en));
}
std::string step_cell(const Row& row, Language language) {
  return row.step == nullptr ? nothing : step_name(row, language);
}

template <auto over>
Json low_of(const Row& row) {
  return over(row) ? Json(over(row)->ci95.low) : Json();
}
template <auto over>
Json high_of(const Row& row) {
  return over(row) ? Json(over(row)->ci95.high) : Json();
}
template <auto over>
Json baseline_of(const Row& row) {
  return over(row) ? written(over(row)->baseline) : Json();
}

template <auto over>
bool doubtful_ratio(const Row& row) {
  return over(row) && doubtful(row, *over(row));
}

template <auto over>
std::string ratio_cell(const Row& row, Language language) {
  const Ratio& found = over(row);
  if (!found) return nothing;
  const bool doubtful = doubtful_ratio<over>(row);
  if (row.step == nullptr) return marked(doubtful, ratio(found->value, language));
  // In the table of bench course nothing else says what kind of figure it is.
  return marked(doubtful, (doubtful ? rough : ratio)(found->value, language) + "×");
}

std::string model_share_cell(const Row& row, Language language) {
  const Ratio& found = ladder(row);
  if (!found) return nothing;
  return marked(doubtful_ratio<ladder>(row), percent(found->value, language));
}

std::string ratio_interval_cell(const Row& row, Language language) {
  if (!row.over_baseline) return nothing;
  const Interval& ci95 = row.over_baseline->ci95;
  return bracketed(ratio(ci95.low, language), ratio(ci95.high, language), language);
}

bool doubtful_time(const Row& row) { return doubtful(*row.result); }

std::string time_cell(const Row& row, Language language) {
  return marked(doubtful_time(row), duration(row.result->seconds->median, language));
}

std::string interval_cell(const Row& row, Language language) {
  const TimesRecord& times = *row.result->seconds;
  if (row.result->rounds == 1) return nothing;  // a single one has no spread
  const double unit = unit_of(times.median).seconds;
  return bracketed(four_digits(times.ci95.low / unit, language),
                   four_digits(times.ci95.high / unit, language), language);
}

/// The rank of a user kernel among the user kernels, and the fastest built-in variant that is
/// slower.
Json rank_of(const Row& row) {
  const auto& standing = row.result->standing;
  // Earlier result files have ranks of which nothing can be said.
  return standing && standing->rank && !unranked(*row.result) ? Json(*standing->rank) : Json();
}
Json no_rank_because(const Row& row) {
  const CaseRecord& one = *row.result;
  if (!one.standing || !submitted(one) || !rank_of(row).is_null()) return {};
  if (incredible(one)) return "incredible";
  return too_short(one) ? "too short" : "measure again";
}
Json passed_by(const Row& row) {
  const auto& standing = row.result->standing;
  return standing && standing->faster_than ? written(standing->faster_than->baseline) : Json();
}
Json hash_of_guest(const Row& row) {
  const GuestFile* const file = file_of(row);
  return file == nullptr ? Json() : Json(file->hash);
}

/// The first file before the row's that has the same text, or the same code in another layout.
struct Twin {
  const GuestFile* file = nullptr;
  bool same_text = false;
};
Twin twin_of(const Row& row) {
  static const std::string of_nothing = hash_text("", 0);
  const GuestFile* const mine = file_of(row);
  if (mine == nullptr) return {};
  for (const GuestFile& other : row.document->context.run.guests) {
    if (&other == mine) break;
    const bool same_text = other.hash == mine->hash && mine->hash != of_nothing;
    const bool same_code = other.code_hash == mine->code_hash && !mine->code_hash.empty();
    if (same_text || same_code) return {&other, same_text};
  }
  return {};
}
Json same_as(const Row& row) {
  const Twin twin = twin_of(row);
  return twin.file == nullptr ? Json() : Json(twin.file->path);
}
Json same_in(const Row& row) {
  const Twin twin = twin_of(row);
  return twin.file == nullptr ? Json() : Json(twin.same_text ? "text" : "code");
}

constexpr auto median_seconds = of_part<&CaseRecord::seconds, &TimesRecord::median>;

/// The share of the case's samples that waited for a processor.
Json waited(const Row& row) {
  return row.result->measured() ? Json(waited_share(*row.result)) : Json();
}
/// Some case of the run was disturbed so much that the run warns.
Json busy_node(const Row& row) {
  const auto& cases = row.document->cases;
  return std::any_of(cases.begin(), cases.end(), [&](const CaseRecord& one) {
    return one.origin == row.result->origin && one.measured() && busy(one);
  });
}
Json earliest(const Row& row) {
  return row.result->seconds ? Json(row.result->seconds->ci95.low) : Json();
}
Json latest(const Row& row) {
  return row.result->seconds ? Json(row.result->seconds->ci95.high) : Json();
}

/// The time that `percent` % of the samples do not exceed. Nothing where not even one sample
/// is beyond it.
template <std::size_t percent>
Json tail(const Row& row) {
  const auto& times = row.result->seconds;
  if (!times || times->samples.size() * (100 - percent) < 100) return {};
  return quantile(times->samples, percent / 100.0);
}

Json nanoseconds_per_element(const Row& row) {
  const CaseRecord& one = *row.result;
  if (!one.seconds || one.elements == 0) return {};
  return one.seconds->median * 1e9 / static_cast<double>(one.elements);
}

Json elements_per_second(const Row& row) {
  const CaseRecord& one = *row.result;
  if (!one.seconds || one.elements == 0) return {};
  return static_cast<double>(one.elements) / one.seconds->median;
}

std::string billions(double value, Language language) {
  return localised(value < 9.995 ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value),
                   language);
}

/// Where memory is not the limit, elements per second say more than bytes.
std::string bandwidth_cell(const Row& row, Language language) {
  const auto& gb_per_s = row.result->gb_per_s;
  return gb_per_s ? billions(*gb_per_s, language)
                  : number_cell<elements_per_second, rate>(row, language);
}

/// 10⁹ operations of the formula per second; nothing for workloads without any.
Json gflop_per_s(const Row& row) {
  const CaseRecord& one = *row.result;
  if (!one.seconds || one.flops == 0) return {};
  return static_cast<double>(one.flops) / one.seconds->median / 1e9;
}

Json launches_of(const Row& row) {
  const auto& launch = row.result->launch;
  return launch && launch->launches > 0 ? Json(launch->launches) : Json();
}

bool doubtful_share(const Row& row) {
  const ReferenceShare share = nearest_share(*row.result);
  return share.value && (inconclusive(*row.result) || (share.ci95 && !narrow(*share.ci95)));
}

std::string share_cell(const Row& row, Language language) {
  const ReferenceShare share = nearest_share(*row.result);
  if (share.reference.empty()) return "";
  return share.value ? marked(doubtful_share(row), percent(*share.value, language)) : nothing;
}

Json share_of(const Row& row) { return written(nearest_share(*row.result).value); }

Json share_end(const Row& row, double Interval::*end) {
  const auto ci95 = nearest_share(*row.result).ci95;
  return ci95 ? Json((*ci95).*end) : Json();
}

bool doubtful_bound(const Row& row) {
  const auto& bound = row.result->bound;
  return bound && (inconclusive(*row.result) || !narrow(bound->share.ci95));
}

/// `memory 94 %`: what takes longer of what was measured, and its share of the time.
std::string bound_cell(const Row& row, Language language) {
  const auto& bound = row.result->bound;
  if (!bound) return nothing;
  return say(language, bound->by == Limit::memory ? phrases::memory : phrases::in_cache) +
         no_break_space + marked(doubtful_bound(row), percent(bound->share.value, language));
}

bool doubtful_energy(const Row& row) {
  const auto& use = row.result->energy;
  if (!use) return false;
  const auto [least, most] = std::minmax_element(use->samples.begin(), use->samples.end());
  return inconclusive(*row.result) || !narrow({*least, *most});
}

std::string energy_cell(const Row& row, Language language) {
  const auto& use = row.result->energy;
  return use ? marked(doubtful_energy(row), energy(use->joules, language)) : nothing;
}

bool doubtful_less_energy(const Row& row) {
  const auto less = energy_over_naive(row);
  return less && (inconclusive(*row.result) || !narrow(less->ci95));
}

std::string less_energy_cell(const Row& row, Language language) {
  const auto less = energy_over_naive(row);
  return less ? marked(doubtful_less_energy(row), ratio(less->value, language)) : nothing;
}

/// Events per element, where they are counted.
template <auto event>
Json events(const Row& row) {
  const auto& counts = row.result->counters;
  if (!counts || !((*counts).*event) || row.result->elements == 0) return {};
  return *((*counts).*event) / static_cast<double>(row.result->elements);
}

Json instructions_per_cycle(const Row& row) {
  const auto& counts = row.result->counters;
  if (!counts || !counts->instructions || counts->cycles.value_or(0) <= 0) return {};
  return *counts->instructions / *counts->cycles;
}

std::string status_cell(const Row& row, Language language) {
  return status_text(row.result->status, language);
}

std::string error_cell(const Row& row, Language language) {
  const auto& found = row.result->verification;
  if (!found || !found->max_error) return nothing;
  return localised(figure(*found->max_error, 3), language) + no_break_space + found->metric;
}

Json error_of(const Row& row) {
  return row.result->verification ? written(row.result->verification->max_error) : Json();
}
Json metric_of(const Row& row) {
  return row.result->verification ? Json(row.result->verification->metric) : Json();
}

std::string scope_cell(const Row& row, Language language) {
  switch (row.result->scope) {
    case Scope::kernel:
      return say(language, phrases::kernel);
    case Scope::end_to_end:
      return say(language, phrases::end_to_end);
    case Scope::pageable:
      return say(language, phrases::pageable);
    case Scope::mapped:
      return say(language, phrases::mapped);
    case Scope::managed:
      return say(language, phrases::managed);
  }
  return nothing;
}

std::string cache_cell(const Row& row, Language language) {
  return say(language, row.result->cache == CacheMode::cold ? phrases::cold : phrases::hot);
}

/// A figure is set flush right, and empty where the case was not measured.
Traits measured_figure(Traits traits = {}) {
  traits.number = traits.measured_only = true;
  return traits;
}

/// A column that people and programs do not read alike.
TableColumn special(std::string_view key, const Heading& heading,
                    std::string (*text)(const Row&, Language), const std::vector<Field>& fields,
                    const Traits& traits = {}) {
  return {key, heading, text, fields, traits};
}

/// A column that people and programs read alike.
template <auto value>
TableColumn fact(std::string_view key, const Heading& heading, const Traits& traits = {}) {
  return {key, heading, shown<value>, {{key, json_of<value>}}, traits};
}

/// The column of one figure, which `show` writes for people.
template <auto value, auto show>
TableColumn figure_column(std::string_view key, const Heading& heading, std::string_view name,
                          const Traits& traits = {}) {
  return {
      key, heading, number_cell<value, show>, {{name, json_of<value>}}, measured_figure(traits)};
}

std::string_view backends_there_are() {
  static const std::string text = [] {
    std::vector<std::string_view> names;
    for (const Backend& one : backends::all) names.push_back(one.name);
    return fmt::format("{}; guest for user kernels", fmt::join(names, ", "));
  }();
  return text;
}

std::vector<TableColumn> make_columns() {
  const auto label = [](const Row& row, Language) { return row_label(row); };
  const std::vector<Field> path{{"backend", json_of<&CaseRecord::backend>},
                                {"variant", variant_or_all},
                                {"scope", json_of<&CaseRecord::scope>}};
  const std::vector<Field> seconds{{"seconds", median_seconds}};
  return {
      special("variant",
              {phrases::variant, "backend and name of the variant, with the marks of the row"},
              label, path),
      special("version",
              {phrases::version, "variant, in the words of the course (--preset course)"}, label,
              path),
      special("step", {phrases::version, "step of bench course (--preset steps)"}, step_cell,
              {{"step", step_of}}),
      fact<&CaseRecord::workload>("workload", {phrases::workload, "what is computed"}),
      fact<&CaseRecord::backend>("backend", {phrases::backend, backends_there_are()}),
      special("idea", {phrases::idea, "what the variant adds to the one before it"},
              translated_idea, {{"idea", json_of<&CaseRecord::idea>}}),
      fact<&CaseRecord::dtype>("dtype",
                               {phrases::dtype, "type of the elements: f32, f64, f16, i16 or u32"}),
      fact<&CaseRecord::size>("size", {phrases::size, "elements, elements:bins or rows x columns"}),
      special("cache", {phrases::cache, "cold: caches are emptied before each sample; or hot"},
              cache_cell, {{"cache", json_of<&CaseRecord::cache>}}),
      special("scope", {phrases::scope, "what the time includes on a GPU (bench help scopes)"},
              scope_cell, {{"scope", json_of<&CaseRecord::scope>}}),
      fact<&CaseRecord::threads>("threads", {phrases::threads, "threads of the processor"},
                                 {.number = true}),
      fact<&CaseRecord::isa>(
          "isa", {phrases::instructions, "instruction set that the variant was compiled for"}),
      special("status", {phrases::status, "measured, failed, skipped or deliberately wrong"},
              status_cell, {{"status", json_of<&CaseRecord::status>}}),
      special("reason", {phrases::reason, "why the variant has no time"}, translated_reason,
              {{"reason", json_of<&CaseRecord::reason>}}),
      special("node", {phrases::node, "node that measured it"},
              [](const Row& row, Language) { return row.document->context.run.node; },
              {{"node", [](const Row& row) { return Json(row.document->context.run.node); }}},
              {.of_run = true}),
      special("cpu", {phrases::processor, "model of the processor"}, shown<cpu_model>,
              {{"cpu_model", cpu_model}}, {.of_run = true}),
      fact<gpu>("gpu", {phrases::gpu, "model of the GPU"}, {.of_run = true}),
      special(
          "date", {phrases::date, "when the run began (UTC)"},
          [](const Row& row, Language) { return date_and_time(plain(of_run<&Origin::date>(row))); },
          {{"date", of_run<&Origin::date>}}, {.of_run = true}),
      fact<of_run<&Origin::revision>>("revision", {phrases::revision, "revision of the program"},
                                      {.of_run = true}),
      fact<of_run<&Origin::file>>("file", {phrases::file, "result file that the row is from"},
                                  {.of_run = true}),
      special("time", {phrases::time, "median of the samples", "s, ms, µs or ns"}, time_cell,
              seconds,
              measured_figure({.figure = Figure::time, .width = 10, .doubtful = doubtful_time})),
      special("seconds", {phrases::time_in_seconds, "the same in seconds", "s"},
              number_cell<median_seconds, four_significant>, seconds, measured_figure()),
      figure_column<nanoseconds_per_element, four_significant>(
          "per_element",
          {phrases::time_per_element, "the same divided by the number of elements", "ns"},
          "ns_per_element"),
      special("interval", {phrases::interval, "95 % confidence interval of the median", "as time"},
              interval_cell, {{"seconds_low", earliest}, {"seconds_high", latest}},
              measured_figure({.interval = true, .gives_way = 1, .width = 17})),
      figure_column<of_part<&CaseRecord::seconds, &TimesRecord::min>, duration>(
          "min", {phrases::best_time, "fastest sample", "s, ms, µs or ns"}, "seconds_min",
          {.width = 10}),
      figure_column<tail<95>, duration>(
          "p95", {phrases::p95, "time that 95 % of the samples do not exceed", "s, ms, µs or ns"},
          "seconds_p95", {.width = 10}),
      figure_column<tail<99>, duration>(
          "p99", {phrases::p99, "time that 99 % of the samples do not exceed", "s, ms, µs or ns"},
          "seconds_p99", {.width = 10}),
      figure_column<&CaseRecord::first_use_s, duration>(
          "first",
          {phrases::first_call, "time of the first run, which is not a sample", "s, ms, µs or ns"},
          "first_use_s", {.width = 10}),
      figure_column<&CaseRecord::launch_s, duration>(
          "unsynchronised",
          {phrases::unsynchronised,
           "the time until the launch returns, without waiting for the GPU", "s, ms, µs or ns"},
          "launch_s", {.figure = Figure::unsynchronised, .width = 10}),
      figure_column<of_part<&CaseRecord::seconds, &TimesRecord::noise>, percent>(
          "noise", {phrases::noise, "how much the samples scatter", "%"}, "noise", {.width = 8}),
      figure_column<of_part<&CaseRecord::seconds, &TimesRecord::smallest_change>, percent>(
          "change",
          {phrases::smallest_change, "smallest change that two runs like this one can show", "%"},
          "smallest_change", {.figure = Figure::change, .width = 8}),
      fact<&CaseRecord::rounds>("samples", {phrases::samples, "number of samples"},
                                measured_figure({.width = 8})),
      special("bandwidth",
              {phrases::bandwidth, "bytes that must be moved per time, in 10⁹ bytes per second",
               "GB/s"},
              bandwidth_cell, {{"gb_per_s", json_of<&CaseRecord::gb_per_s>}},
              measured_figure({.figure = Figure::rate, .gives_way = 3, .width = 7})),
      figure_column<elements_per_second, rate>("rate",
                                               {phrases::rate, "elements per time", "elements/s"},
                                               "elements_per_s", {.width = 7}),
      figure_column<gflop_per_s, billions>(
          "flops",
          {phrases::flop_rate, "floating-point operations per time, in 10⁹ per second", "GFLOP/s"},
          "gflop_per_s", {.width = 7}),
      fact<launches_of>("launches", {phrases::launches, "kernels that one run starts on the GPU"},
                        measured_figure()),
      fact<of_part<&CaseRecord::launch, &cuda::LaunchShape::registers>>(
          "registers", {phrases::registers, "registers of each GPU thread"}, measured_figure()),
      special("occupancy",
              {phrases::occupancy,
               "resident threads of a multiprocessor, as a share of the maximum", "%"},
              number_cell<of_part<&CaseRecord::launch, &cuda::LaunchShape::occupancy>, percent>,
              {{"occupancy", of_part<&CaseRecord::launch, &cuda::LaunchShape::occupancy>},
               {"blocks_per_multiprocessor",
                of_part<&CaseRecord::launch, &cuda::LaunchShape::blocks_per_multiprocessor>}},
              measured_figure({.figure = Figure::occupancy})),
      special(
          "share",
          {phrases::of_reference, "bandwidth relative to the bandwidth reference, mostly copy",
           "%"},
          share_cell,
          {{"share", share_of},
           {"share_low", [](const Row& row) { return share_end(row, &Interval::low); }},
           {"share_high", [](const Row& row) { return share_end(row, &Interval::high); }},
           {"share_of", [](const Row& row) { return share_reference(*row.result); }}},
          measured_figure(
              {.figure = Figure::share, .gives_way = 4, .width = 8, .doubtful = doubtful_share})),
      special("bound",
              {phrases::bound,
               "lower bound on the time divided by the time, and what bounds it: memory, or the "
               "same code on data in cache",
               "%"},
              bound_cell,
              {{"share_of_bound", ratio_of<bound_share>},
               {"share_of_bound_low", low_of<bound_share>},
               {"share_of_bound_high", high_of<bound_share>},
               {"bound_by", of_part<&CaseRecord::bound, &BoundRecord::by>},
               {"memory_seconds", of_part<&CaseRecord::bound, &BoundRecord::memory_seconds>},
               {"in_cache_seconds", of_part<&CaseRecord::bound, &BoundRecord::in_cache_seconds>}},
              measured_figure({.figure = Figure::bound, .width = 14, .doubtful = doubtful_bound})),
      special(
          "energy", {phrases::energy, "energy of one run (--energy)", "J"}, energy_cell,
          {{"joules", of_part<&CaseRecord::energy, &EnergyRecord::joules>},
           {"joules_per_element", of_part<&CaseRecord::energy, &EnergyRecord::joules_per_element>},
           {"energy_of", of_part<&CaseRecord::energy, &EnergyRecord::of>}},
          measured_figure({.figure = Figure::energy, .width = 9, .doubtful = doubtful_energy})),
      special("less_energy",
              {phrases::less_energy, "how many times less energy than serial/naive", "×"},
              less_energy_cell,
              {{"less_energy", ratio_of<energy_over_naive>},
               {"less_energy_low", low_of<energy_over_naive>},
               {"less_energy_high", high_of<energy_over_naive>}},
              measured_figure(
                  {.figure = Figure::less_energy, .width = 8, .doubtful = doubtful_less_energy})),
      figure_column<events<&EventCounts::cycles>, per_element>(
          "cycles",
          {phrases::cycles, "processor cycles of all threads (--counters)", "per element"},
          "cycles_per_element", {.figure = Figure::counts, .width = 8}),
      figure_column<events<&EventCounts::instructions>, per_element>(
          "instructions",
          {phrases::counted_instructions, "instructions of all threads (--counters)",
           "per element"},
          "instructions_per_element", {.figure = Figure::counts, .width = 8}),
      figure_column<instructions_per_cycle, ratio>(
          "ipc", {phrases::instructions_per_cycle, "instructions per cycle (--counters)"},
          "instructions_per_cycle", {.figure = Figure::counts, .width = 6}),
      figure_column<events<&EventCounts::cache_misses>, per_element>(
          "misses", {phrases::cache_misses, "cache misses (--counters)", "per element"},
          "cache_misses_per_element", {.figure = Figure::counts, .width = 8}),
      figure_column<events<&EventCounts::branch_misses>, per_element>(
          "mispredictions",
          {phrases::branch_misses, "branch mispredictions (--counters)", "per element"},
          "branch_misses_per_element", {.figure = Figure::counts, .width = 8}),
      figure_column<events<&EventCounts::tlb_misses>, per_element>(
          "tlb", {phrases::tlb_misses, "TLB misses (--counters)", "per element"},
          "tlb_misses_per_element", {.figure = Figure::counts, .width = 8}),
      special("naive", {phrases::over_naive, "speedup over serial/naive", "×"}, ratio_cell<naive>,
              {{"over_serial", ratio_of<naive>},
               {"over_serial_low", low_of<naive>},
               {"over_serial_high", high_of<naive>}},
              measured_figure(
                  {.figure = Figure::over_naive, .width = 8, .doubtful = doubtful_ratio<naive>})),
      special("best", {phrases::over_best, "speedup over the fastest CPU variant", "×"},
              ratio_cell<best_cpu>,
              {{"over_best_cpu", ratio_of<best_cpu>},
               {"over_best_cpu_low", low_of<best_cpu>},
               {"over_best_cpu_high", high_of<best_cpu>},
               {"best_cpu", baseline_of<best_cpu>}},
              measured_figure({.figure = Figure::over_best,
                               .gives_way = 2,
                               .width = 8,
                               .doubtful = doubtful_ratio<best_cpu>})),
      special(
          "model_share",
          {phrases::model_share,
           "speed of a model's fastest variant, relative to the fastest one that is not a "
           "model's",
           "%"},
          model_share_cell,
          {{"model_share", ratio_of<ladder>},
           {"model_share_low", low_of<ladder>},
           {"model_share_high", high_of<ladder>},
           {"model_share_of", baseline_of<ladder>}},
          measured_figure(
              {.figure = Figure::model_share, .width = 10, .doubtful = doubtful_ratio<ladder>})),
      special("speedup", {phrases::speedup, "speedup over the variant of --baseline", "×"},
              ratio_cell<chosen>,
              {{"speedup", ratio_of<chosen>},
               {"speedup_low", low_of<chosen>},
               {"speedup_high", high_of<chosen>},
               {"baseline", baseline_of<chosen>}},
              measured_figure(
                  {.figure = Figure::over_chosen, .width = 8, .doubtful = doubtful_ratio<chosen>})),
      special("speedup_interval",
              {phrases::speedup_interval, "95 % confidence interval of that speedup", "×"},
              ratio_interval_cell,
              {{"speedup_low", low_of<chosen>}, {"speedup_high", high_of<chosen>}},
              measured_figure({.figure = Figure::over_chosen, .interval = true})),
      special("rank",
              {phrases::rank,
               "position among the user kernels on the same hardware; empty: measure again"},
              shown<rank_of>,
              {{"rank", rank_of}, {"faster_than", passed_by}, {"no_rank_because", no_rank_because}},
              measured_figure({.width = 5})),
      special("waited",
              {phrases::waited, "samples that waited for a processor, because others used the node",
               "%"},
              number_cell<waited, percent>, {{"waited", waited}, {"busy_node", busy_node}},
              measured_figure({.width = 8})),
      special("guest", {phrases::guest, "file of the user kernel"}, shown<&CaseRecord::guest>,
              {{"guest", json_of<&CaseRecord::guest>}, {"guest_hash", hash_of_guest}}),
      special("same_as",
              {phrases::same_as, "first user kernel with the same text, or with the same code"},
              shown<same_as>, {{"same_as", same_as}, {"same_in", same_in}}),
      special("error", {phrases::error, "largest error of the result, with its unit"}, error_cell,
              {{"max_error", error_of}, {"error_metric", metric_of}}, measured_figure()),
  };
}

}  // namespace

std::span<const TableColumn> all_columns() {
  static const std::vector<TableColumn> columns = make_columns();
  return columns;
}

Json columns_json(Language language) {
  Json all = Json::array();
  for (const TableColumn& one : all_columns()) {
    const auto& [phrase, meaning, unit] = one.heading;
    all.push_back({{"key", one.key},
                   {"heading", say(language, phrase, say(language, phrases::copying))},
                   {"unit", unit.empty() ? Json() : Json(unit)},
                   {"meaning", meaning}});
  }
  return all;
}

const TableColumn& column(std::string_view key, std::string_view option) {
  std::vector<std::string> names;
  for (const TableColumn& one : all_columns()) {
    if (one.key == key) return one;
    names.emplace_back(one.key);
  }
  const std::string near = nearest(std::string(key), names);
  throw UsageError(fmt::format("{} {}: no such column{}", option, key,
                               near.empty() ? fmt::format("; there are {}", fmt::join(names, ", "))
                                            : fmt::format(" (did you mean {}?)", near)));
}

std::vector<const TableColumn*> columns_of(const std::vector<std::string>& keys,
                                           std::string_view option) {
  std::vector<const TableColumn*> chosen;
  for (const std::string& key : keys) {
    const TableColumn* const one = &column(key, option);
    if (std::find(chosen.begin(), chosen.end(), one) == chosen.end()) chosen.push_back(one);
  }
  return chosen;
}

std::string status_text(Status status, Language language) {
  switch (status) {
    case Status::measured:
      return say(language, phrases::measured);
    case Status::failed:
      return say(language, phrases::failed);
    case Status::skipped:
      return say(language, phrases::skipped);
    case Status::expected_wrong:
      return say(language, phrases::wrong_on_purpose);
    case Status::checked:
      return say(language, phrases::checked);
  }
  return nothing;
}

Json share_reference(const CaseRecord& one) {
  const std::string reference = nearest_share(one).reference;
  return reference.empty() ? Json() : Json(reference);
}

std::string row_label(const Row& row) {
  const CaseRecord& one = *row.result;
  std::string text = stands_for_all(row) ? one.backend + "/*"
                     : one.imported()    ? one.variant
                                         : one.rung();
  if (one.library) text += " ‡";
  if (one.wrong_on_purpose()) text += " ✗";
  if (one.other_run) text += " †";
  if (one.parameters.contains("threads")) text += fmt::format(" ×{}", one.threads.value_or(0));
  for (const auto& [key, value] : one.parameters) {
    if (key != "threads") text += fmt::format(" {}={}", key, value);
  }
  if (one.scope != Scope::kernel) text += " ⇄";
  if (of_other_memory(one.scope)) text += fmt::format(" {}", name_of(one.scope));
  return text;
}

}  // namespace bench

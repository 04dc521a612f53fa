#include "harness/tables/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/suggest.hpp"
#include "harness/base/text.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/ratios.hpp"
#include "harness/plan/hash.hpp"
#include "harness/tables/numbers.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/steps.hpp"
#include "harness/tables/translated.hpp"

namespace bench {
namespace {

constexpr const char* nothing = "–";

/// A fact as JSON; null where there is none.
template <auto fact>
Json of_case(const Row& row) {
  return written(row.result->*fact);
}

/// Text as it is, a number as JSON writes it, a dash for nothing.
std::string plain(const Json& value) {
  if (value.is_null()) return nothing;
  return value.is_string() ? value.get<std::string>() : value.dump();
}

template <auto fact>
std::string text_of_case(const Row& row, Language /*language*/) {
  return plain(of_case<fact>(row));
}

/// The same of what is recorded in English.
template <auto fact>
std::string recorded_of_case(const Row& row, Language language) {
  return translated(text_of_case<fact>(row, language), language);
}

Json cpu_model(const Row& row) { return written(row.document->context.machine.cpu_model); }

Json gpu(const Row& row) { return written(gpu_name(row.document->context.machine)); }

/// A fact of the run that the case is from, where several were merged.
template <std::string Origin::*fact>
Json of_run(const Row& row) {
  const std::string& text = row.origin->*fact;
  return text.empty() ? Json() : Json(text);
}

template <auto figure>
Json of_times(const Row& row) {
  return row.result->seconds ? written((*row.result->seconds).*figure) : Json();
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

template <auto over>
Json ratio_of(const Row& row) {
  return over(row) ? Json(over(row)->value) : Json();
}
/// In English, as all that programs read.
Json step_of(const Row& row) {
  return row.step == nullptr ? Json() : Json(say(Language::en, row.step->name));
}
std::string step_cell(const Row& row, Language language) {
  return row.step == nullptr ? nothing : say(language, row.step->name);
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
  // In the table of a lesson nothing else says what kind of figure it is.
  const char* const times = row.step == nullptr ? "" : "×";
  return marked(doubtful_ratio<over>(row), ratio(found->value, language) + times);
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

std::string seconds_cell(const Row& row, Language language) {
  return four_significant(row.result->seconds->median, language);
}

std::string interval_cell(const Row& row, Language language) {
  const TimesRecord& times = *row.result->seconds;
  const double unit = unit_of(times.median).seconds;
  return bracketed(four_digits(times.ci95.low / unit, language),
                   four_digits(times.ci95.high / unit, language), language);
}

/// The rank of a user kernel among the user kernels, and the fastest built-in variant that is
/// slower.
Json rank_of(const Row& row) {
  const auto& standing = row.result->standing;
  // Earlier result files have ranks of which nothing can be said.
  return standing && standing->rank && !doubtful(*row.result) ? Json(*standing->rank) : Json();
}
Json no_rank_because(const Row& row) {
  const CaseRecord& one = *row.result;
  if (!one.standing || !rank_of(row).is_null()) return {};
  return incredible(one) ? "incredible" : "measure again";
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
std::string waited_cell(const Row& row, Language language) {
  return percent(waited_share(*row.result), language);
}

Json earliest(const Row& row) {
  return row.result->seconds ? Json(row.result->seconds->ci95.low) : Json();
}
Json latest(const Row& row) {
  return row.result->seconds ? Json(row.result->seconds->ci95.high) : Json();
}

std::string best_time_cell(const Row& row, Language language) {
  return duration(row.result->seconds->min, language);
}

/// The time that `percent` % of the samples do not exceed. Nothing where not even one sample
/// is beyond it.
template <std::size_t percent>
Json tail(const Row& row) {
  const auto& times = row.result->seconds;
  if (!times || times->samples.size() * (100 - percent) < 100) return {};
  return quantile(times->samples, percent / 100.0);
}

template <std::size_t percent>
std::string tail_cell(const Row& row, Language language) {
  const Json seconds = tail<percent>(row);
  return seconds.is_null() ? nothing : duration(seconds.get<double>(), language);
}

/// Seconds of the case, where it has them.
template <auto fact>
std::string duration_cell(const Row& row, Language language) {
  const auto& seconds = row.result->*fact;
  return seconds ? duration(*seconds, language) : nothing;
}

template <auto fact>
Json of_launch(const Row& row) {
  const auto& launch = row.result->launch;
  return launch ? written((*launch).*fact) : Json();
}

std::string registers_cell(const Row& row, Language /*language*/) {
  return plain(of_launch<&cuda::LaunchShape::registers>(row));
}

std::string occupancy_cell(const Row& row, Language language) {
  const auto& launch = row.result->launch;
  return launch && launch->occupancy ? percent(*launch->occupancy, language) : nothing;
}

/// A share that its times say.
template <auto fact>
std::string percent_cell(const Row& row, Language language) {
  const auto share = (*row.result->seconds).*fact;
  return share ? percent(*share, language) : nothing;
}

std::optional<double> elements_per_second(const CaseRecord& one) {
  if (!one.seconds) return {};
  return static_cast<double>(one.elements) / one.seconds->median;
}

std::string rate_cell(const Row& row, Language language) {
  return rate(*elements_per_second(*row.result), language);
}

std::string billions(double value, Language language) {
  return localised(value < 9.995 ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value),
                   language);
}

/// Where memory is not the limit, elements per second say more than bytes.
std::string bandwidth_cell(const Row& row, Language language) {
  const auto& gb_per_s = row.result->gb_per_s;
  return gb_per_s ? billions(*gb_per_s, language) : rate_cell(row, language);
}

/// 10⁹ operations of the formula per second; nothing for workloads without any.
Json gflop_per_s(const Row& row) {
  const CaseRecord& one = *row.result;
  if (!one.seconds || one.flops == 0) return {};
  return static_cast<double>(one.flops) / one.seconds->median / 1e9;
}

std::string flops_cell(const Row& row, Language language) {
  const Json value = gflop_per_s(row);
  return value.is_null() ? nothing : billions(value.get<double>(), language);
}

Json launches_of(const Row& row) {
  const auto& launch = row.result->launch;
  return launch && launch->launches > 0 ? Json(launch->launches) : Json();
}

std::string launches_cell(const Row& row, Language /*language*/) { return plain(launches_of(row)); }

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

template <auto fact>
Json of_bound(const Row& row) {
  const auto& bound = row.result->bound;
  return bound ? written((*bound).*fact) : Json();
}

template <auto figure>
Json share_of_bound(const Row& row) {
  const auto& bound = row.result->bound;
  return bound ? Json(figure(bound->share)) : Json();
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

template <auto fact>
Json of_energy(const Row& row) {
  const auto& use = row.result->energy;
  return use ? written((*use).*fact) : Json();
}

bool doubtful_less_energy(const Row& row) {
  const auto less = energy_over_naive(row);
  return less && (inconclusive(*row.result) || !narrow(less->ci95));
}

std::string less_energy_cell(const Row& row, Language language) {
  const auto less = energy_over_naive(row);
  return less ? marked(doubtful_less_energy(row), ratio(less->value, language)) : nothing;
}

template <auto figure>
Json of_less_energy(const Row& row) {
  const auto less = energy_over_naive(row);
  return less ? Json(figure(*less)) : Json();
}

/// Events per element, where they are counted.
template <auto event>
Json events(const Row& row) {
  const auto& counts = row.result->counters;
  if (!counts || !((*counts).*event) || row.result->elements == 0) return {};
  return *((*counts).*event) / static_cast<double>(row.result->elements);
}

template <auto event>
std::string events_cell(const Row& row, Language language) {
  const Json value = events<event>(row);
  return value.is_null() ? nothing : per_element(value.get<double>(), language);
}

Json instructions_per_cycle(const Row& row) {
  const auto& counts = row.result->counters;
  if (!counts || !counts->instructions || counts->cycles.value_or(0) <= 0) return {};
  return *counts->instructions / *counts->cycles;
}

std::string per_cycle_cell(const Row& row, Language language) {
  const Json value = instructions_per_cycle(row);
  return value.is_null() ? nothing : ratio(value.get<double>(), language);
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

std::vector<TableColumn> make_columns() {
  const auto label = [](const Row& row, Language) { return row_label(row); };
  const std::vector<Field> path{{"backend", of_case<&CaseRecord::backend>},
                                {"variant", of_case<&CaseRecord::variant>},
                                {"scope", of_case<&CaseRecord::scope>}};
  const std::vector<Field> seconds{{"seconds", of_times<&TimesRecord::median>}};
  return {
      {"variant", phrases::variant, label, path},
      {"version", phrases::version, label, path},
      {"step", phrases::version, step_cell, {{"step", step_of}}},
      {"workload",
       phrases::workload,
       text_of_case<&CaseRecord::workload>,
       {{"workload", of_case<&CaseRecord::workload>}}},
      {"backend",
       phrases::backend,
       text_of_case<&CaseRecord::backend>,
       {{"backend", of_case<&CaseRecord::backend>}}},
      {"idea",
       phrases::idea,
       recorded_of_case<&CaseRecord::idea>,
       {{"idea", of_case<&CaseRecord::idea>}}},
      {"dtype",
       phrases::dtype,
       text_of_case<&CaseRecord::dtype>,
       {{"dtype", of_case<&CaseRecord::dtype>}}},
      {"size",
       phrases::size,
       text_of_case<&CaseRecord::size>,
       {{"size", of_case<&CaseRecord::size>}}},
      {"cache", phrases::cache, cache_cell, {{"cache", of_case<&CaseRecord::cache>}}},
      {"scope", phrases::scope, scope_cell, {{"scope", of_case<&CaseRecord::scope>}}},
      {"threads",
       phrases::threads,
       text_of_case<&CaseRecord::threads>,
       {{"threads", of_case<&CaseRecord::threads>}},
       {.number = true}},
      {"isa",
       phrases::instructions,
       text_of_case<&CaseRecord::isa>,
       {{"isa", of_case<&CaseRecord::isa>}}},
      {"status", phrases::status, status_cell, {{"status", of_case<&CaseRecord::status>}}},
      {"reason",
       phrases::reason,
       recorded_of_case<&CaseRecord::reason>,
       {{"reason", of_case<&CaseRecord::reason>}}},
      {"node",
       phrases::node,
       [](const Row& row, Language) { return row.document->context.run.node; },
       {{"node", [](const Row& row) { return Json(row.document->context.run.node); }}},
       {.of_run = true}},
      {"cpu",
       phrases::processor,
       [](const Row& row, Language) { return plain(cpu_model(row)); },
       {{"cpu_model", cpu_model}},
       {.of_run = true}},
      {"gpu",
       phrases::gpu,
       [](const Row& row, Language) { return plain(gpu(row)); },
       {{"gpu", gpu}},
       {.of_run = true}},
      {"date",
       phrases::date,
       [](const Row& row, Language) { return date_and_time(plain(of_run<&Origin::date>(row))); },
       {{"date", of_run<&Origin::date>}},
       {.of_run = true}},
      {"revision",
       phrases::revision,
       [](const Row& row, Language) { return plain(of_run<&Origin::revision>(row)); },
       {{"revision", of_run<&Origin::revision>}},
       {.of_run = true}},
      {"file",
       phrases::file,
       [](const Row& row, Language) { return plain(of_run<&Origin::file>(row)); },
       {{"file", of_run<&Origin::file>}},
       {.of_run = true}},
      {"time",
       phrases::time,
       time_cell,
       seconds,
       {.figure = Figure::time,
        .number = true,
        .measured_only = true,
        .width = 10,
        .doubtful = doubtful_time}},
      {"seconds",
       phrases::time_in_seconds,
       seconds_cell,
       seconds,
       {.number = true, .measured_only = true}},
      {"interval",
       phrases::interval,
       interval_cell,
       {{"seconds_low", earliest}, {"seconds_high", latest}},
       {.number = true, .measured_only = true, .interval = true, .gives_way = 1, .width = 17}},
      {"min",
       phrases::best_time,
       best_time_cell,
       {{"seconds_min", of_times<&TimesRecord::min>}},
       {.number = true, .measured_only = true, .width = 10}},
      {"p95",
       phrases::p95,
       tail_cell<95>,
       {{"seconds_p95", tail<95>}},
       {.number = true, .measured_only = true, .width = 10}},
      {"p99",
       phrases::p99,
       tail_cell<99>,
       {{"seconds_p99", tail<99>}},
       {.number = true, .measured_only = true, .width = 10}},
      {"first",
       phrases::first_call,
       duration_cell<&CaseRecord::first_use_s>,
       {{"first_use_s", of_case<&CaseRecord::first_use_s>}},
       {.number = true, .measured_only = true, .width = 10}},
      {"unsynchronised",
       phrases::unsynchronised,
       duration_cell<&CaseRecord::launch_s>,
       {{"launch_s", of_case<&CaseRecord::launch_s>}},
       {.figure = Figure::unsynchronised, .number = true, .measured_only = true, .width = 10}},
      {"noise",
       phrases::noise,
       percent_cell<&TimesRecord::noise>,
       {{"noise", of_times<&TimesRecord::noise>}},
       {.number = true, .measured_only = true, .width = 8}},
      {"change",
       phrases::smallest_change,
       percent_cell<&TimesRecord::smallest_change>,
       {{"smallest_change", of_times<&TimesRecord::smallest_change>}},
       {.figure = Figure::change, .number = true, .measured_only = true, .width = 8}},
      {"samples",
       phrases::samples,
       text_of_case<&CaseRecord::rounds>,
       {{"samples", of_case<&CaseRecord::rounds>}},
       {.number = true, .measured_only = true, .width = 8}},
      {"bandwidth",
       phrases::bandwidth,
       bandwidth_cell,
       {{"gb_per_s", of_case<&CaseRecord::gb_per_s>}},
       {.figure = Figure::rate, .number = true, .measured_only = true, .gives_way = 3, .width = 7}},
      {"rate",
       phrases::rate,
       rate_cell,
       {{"elements_per_s",
         [](const Row& row) { return written(elements_per_second(*row.result)); }}},
       {.number = true, .measured_only = true, .width = 7}},
      {"flops",
       phrases::flop_rate,
       flops_cell,
       {{"gflop_per_s", gflop_per_s}},
       {.number = true, .measured_only = true, .width = 7}},
      {"launches",
       phrases::launches,
       launches_cell,
       {{"launches", launches_of}},
       {.number = true, .measured_only = true}},
      {"registers",
       phrases::registers,
       registers_cell,
       {{"registers", of_launch<&cuda::LaunchShape::registers>}},
       {.number = true, .measured_only = true}},
      {"occupancy",
       phrases::occupancy,
       occupancy_cell,
       {{"occupancy", of_launch<&cuda::LaunchShape::occupancy>},
        {"blocks_per_multiprocessor", of_launch<&cuda::LaunchShape::blocks_per_multiprocessor>}},
       {.figure = Figure::occupancy, .number = true, .measured_only = true}},
      {"share",
       phrases::of_reference,
       share_cell,
       {{"share", share_of},
        {"share_low", [](const Row& row) { return share_end(row, &Interval::low); }},
        {"share_high", [](const Row& row) { return share_end(row, &Interval::high); }},
        {"share_of", [](const Row& row) { return share_reference(*row.result); }}},
       {.figure = Figure::share,
        .number = true,
        .measured_only = true,
        .gives_way = 4,
        .width = 8,
        .doubtful = doubtful_share}},
      {"bound",
       phrases::bound,
       bound_cell,
       {{"share_of_bound", share_of_bound<[](const Estimate& share) { return share.value; }>},
        {"share_of_bound_low",
         share_of_bound<[](const Estimate& share) { return share.ci95.low; }>},
        {"share_of_bound_high",
         share_of_bound<[](const Estimate& share) { return share.ci95.high; }>},
        {"bound_by", of_bound<&BoundRecord::by>},
        {"memory_seconds", of_bound<&BoundRecord::memory_seconds>},
        {"in_cache_seconds", of_bound<&BoundRecord::in_cache_seconds>}},
       {.figure = Figure::bound,
        .number = true,
        .measured_only = true,
        .width = 14,
        .doubtful = doubtful_bound}},
      {"energy",
       phrases::energy,
       energy_cell,
       {{"joules", of_energy<&EnergyRecord::joules>},
        {"joules_per_element", of_energy<&EnergyRecord::joules_per_element>},
        {"energy_of", of_energy<&EnergyRecord::of>}},
       {.figure = Figure::energy,
        .number = true,
        .measured_only = true,
        .width = 9,
        .doubtful = doubtful_energy}},
      {"less_energy",
       phrases::less_energy,
       less_energy_cell,
       {{"less_energy", of_less_energy<[](const Estimate& less) { return less.value; }>},
        {"less_energy_low", of_less_energy<[](const Estimate& less) { return less.ci95.low; }>},
        {"less_energy_high", of_less_energy<[](const Estimate& less) { return less.ci95.high; }>}},
       {.figure = Figure::less_energy,
        .number = true,
        .measured_only = true,
        .width = 8,
        .doubtful = doubtful_less_energy}},
      {"cycles",
       phrases::cycles,
       events_cell<&EventCounts::cycles>,
       {{"cycles_per_element", events<&EventCounts::cycles>}},
       {.figure = Figure::counts, .number = true, .measured_only = true, .width = 8}},
      {"instructions",
       phrases::counted_instructions,
       events_cell<&EventCounts::instructions>,
       {{"instructions_per_element", events<&EventCounts::instructions>}},
       {.figure = Figure::counts, .number = true, .measured_only = true, .width = 8}},
      {"ipc",
       phrases::instructions_per_cycle,
       per_cycle_cell,
       {{"instructions_per_cycle", instructions_per_cycle}},
       {.figure = Figure::counts, .number = true, .measured_only = true, .width = 6}},
      {"misses",
       phrases::cache_misses,
       events_cell<&EventCounts::cache_misses>,
       {{"cache_misses_per_element", events<&EventCounts::cache_misses>}},
       {.figure = Figure::counts, .number = true, .measured_only = true, .width = 8}},
      {"mispredictions",
       phrases::branch_misses,
       events_cell<&EventCounts::branch_misses>,
       {{"branch_misses_per_element", events<&EventCounts::branch_misses>}},
       {.figure = Figure::counts, .number = true, .measured_only = true, .width = 8}},
      {"tlb",
       phrases::tlb_misses,
       events_cell<&EventCounts::tlb_misses>,
       {{"tlb_misses_per_element", events<&EventCounts::tlb_misses>}},
       {.figure = Figure::counts, .number = true, .measured_only = true, .width = 8}},
      {"naive",
       phrases::over_naive,
       ratio_cell<naive>,
       {{"over_serial", ratio_of<naive>},
        {"over_serial_low", low_of<naive>},
        {"over_serial_high", high_of<naive>}},
       {.figure = Figure::over_naive,
        .number = true,
        .measured_only = true,
        .width = 8,
        .doubtful = doubtful_ratio<naive>}},
      {"best",
       phrases::over_best,
       ratio_cell<best_cpu>,
       {{"over_best_cpu", ratio_of<best_cpu>},
        {"over_best_cpu_low", low_of<best_cpu>},
        {"over_best_cpu_high", high_of<best_cpu>},
        {"best_cpu", baseline_of<best_cpu>}},
       {.figure = Figure::over_best,
        .number = true,
        .measured_only = true,
        .gives_way = 2,
        .width = 8,
        .doubtful = doubtful_ratio<best_cpu>}},
      {"speedup",
       phrases::speedup,
       ratio_cell<chosen>,
       {{"speedup", ratio_of<chosen>},
        {"speedup_low", low_of<chosen>},
        {"speedup_high", high_of<chosen>},
        {"baseline", baseline_of<chosen>}},
       {.figure = Figure::over_chosen,
        .number = true,
        .measured_only = true,
        .width = 8,
        .doubtful = doubtful_ratio<chosen>}},
      {"speedup_interval",
       phrases::speedup_interval,
       ratio_interval_cell,
       {{"speedup_low", low_of<chosen>}, {"speedup_high", high_of<chosen>}},
       {.figure = Figure::over_chosen, .number = true, .measured_only = true, .interval = true}},
      {"rank",
       phrases::rank,
       [](const Row& row, Language) { return plain(rank_of(row)); },
       {{"rank", rank_of}, {"faster_than", passed_by}, {"no_rank_because", no_rank_because}},
       {.number = true, .measured_only = true, .width = 5}},
      {"waited",
       phrases::waited,
       waited_cell,
       {{"waited", waited}, {"busy_node", busy_node}},
       {.number = true, .measured_only = true, .width = 8}},
      {"guest",
       phrases::guest,
       text_of_case<&CaseRecord::guest>,
       {{"guest", of_case<&CaseRecord::guest>}, {"guest_hash", hash_of_guest}}},
      {"same_as",
       phrases::same_as,
       [](const Row& row, Language) { return plain(same_as(row)); },
       {{"same_as", same_as}, {"same_in", same_in}}},
      {"error",
       phrases::error,
       error_cell,
       {{"max_error", error_of}, {"error_metric", metric_of}},
       {.number = true, .measured_only = true}},
  };
}

}  // namespace

std::span<const TableColumn> all_columns() {
  static const std::vector<TableColumn> columns = make_columns();
  return columns;
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
  std::string text = one.rung();
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

#include "harness/tables/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/suggest.hpp"
#include "harness/tables/numbers.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/recorded.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* nothing = "–";

bool measured(const Row& row) { return row.result.at("status") == "measured"; }

/// A key of the case, null where it is not there.
template <const char* key>
Json of_case(const Row& row) {
  return row.result.value(key, Json());
}

/// What stands at a path of the document's context.
Json of_context(const Row& row, const char* path) {
  return row.document == nullptr ? Json() : at(row.document->at("context"), path);
}

/// The same of the run that the case is from, where several were merged.
Json of_run(const Row& row, std::string Origin::*fact) {
  return row.origin == nullptr || (row.origin->*fact).empty() ? Json() : Json(row.origin->*fact);
}

/// A measured figure; documents need not have all of them.
template <class F>
std::string figure(const Json& value, F text) {
  return value.is_number() ? text(value.get<double>()) : nothing;
}

Json of_seconds(const Row& row, const char* key) {
  return measured(row) ? row.result.at("seconds").value(key, Json()) : Json();
}

Json end_of(const Json& interval, std::size_t end) {
  return interval.is_array() && interval.size() == 2 ? interval.at(end) : Json();
}

Json value_of(const Json& ratio) {
  return ratio.is_object() ? ratio.value("value", Json()) : Json();
}
Json interval_of(const Json& ratio) {
  return ratio.is_object() ? ratio.value("ci95", Json()) : Json();
}

Json baseline_of(const Row& row) {
  const Json& over = row.speedup.at("over_best_cpu");
  return over.is_object() ? over.value("baseline", Json()) : Json();
}

/// Text as it is, a number as JSON writes it, a dash for nothing.
std::string plain(const Json& value) {
  if (value.is_null()) return nothing;
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string ratio_cell(const Json& of, Language language) {
  const Json value = value_of(of);
  return value.is_number() ? ratio(value.get<double>(), language) : nothing;
}

/// `[1.31; 1.44]` where the comma is the decimal sign.
std::string interval_text(const std::string& low, const std::string& high, Language language) {
  return fmt::format("[{}{} {}]", low, language == Language::en ? "," : ";", high);
}

std::string ratio_interval_cell(const Json& of, Language language) {
  const Json interval = interval_of(of);
  if (!interval.is_array() || interval.size() != 2) return nothing;
  return interval_text(ratio(interval.at(0).get<double>(), language),
                       ratio(interval.at(1).get<double>(), language), language);
}

std::string time_cell(const Row& row, Language language) {
  const Json& seconds = row.result.at("seconds");
  const bool doubtful = seconds.value("too_short", 0) > 0;
  return (doubtful ? "~" : "") + duration(seconds.at("median").get<double>(), language);
}

std::string seconds_cell(const Row& row, Language language) {
  return four_significant(row.result.at("seconds").at("median").get<double>(), language);
}

std::string interval_cell(const Row& row, Language language) {
  const Json& seconds = row.result.at("seconds");
  const Json& ci = seconds.at("ci95");
  const double unit = unit_of(seconds.at("median").get<double>()).seconds;
  return interval_text(four_digits(ci.at(0).get<double>() / unit, language),
                       four_digits(ci.at(1).get<double>() / unit, language), language);
}

std::string bandwidth_cell(const Row& row, Language language) {
  const Json& bandwidth = row.result.at("gb_per_s");
  if (bandwidth.is_null()) return nothing;
  const double value = bandwidth.get<double>();
  return localised(value < 9.995 ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value),
                   language);
}

std::string share_cell(const Row& row, Language language) {
  const Json share = nearest_share(row.result).value;
  return share.is_null() ? nothing : percent(share.get<double>(), language);
}

std::string status_cell(const Row& row, Language language) {
  std::string status = row.result.at("status");
  if (status == "measured") return say(language, phrases::measured);
  if (status == "skipped") return say(language, phrases::skipped);
  if (status == "failed") return say(language, phrases::failed);
  return status;
}

std::string error_cell(const Row& row, Language language) {
  const Json& error = at(row.result, "verification/max_error");
  if (!error.is_number()) return nothing;
  return localised(fmt::format("{:.3g}", error.get<double>()), language) + no_break_space +
         plain(at(row.result, "verification/metric"));
}

std::string scope_cell(const Row& row, Language language) {
  const bool kernel = row.result.at("scope") == "kernel";
  return say(language, kernel ? phrases::kernel : phrases::end_to_end);
}

std::string cache_cell(const Row& row, Language language) {
  std::string cache = row.result.at("cache");
  if (cache == "cold") return say(language, phrases::cold);
  if (cache == "hot") return say(language, phrases::hot);
  return cache;
}

constexpr char workload_key[] = "workload";
constexpr char backend_key[] = "backend";
constexpr char variant_key[] = "variant";
constexpr char scope_key[] = "scope";
constexpr char idea_key[] = "idea";
constexpr char dtype_key[] = "dtype";
constexpr char size_key[] = "size";
constexpr char cache_key[] = "cache";
constexpr char threads_key[] = "threads";
constexpr char isa_key[] = "isa";
constexpr char status_key[] = "status";
constexpr char reason_key[] = "reason";

template <const char* key>
std::string text_of_case(const Row& row, Language) {
  return plain(of_case<key>(row));
}

/// The same of what is recorded in English.
template <const char* key>
std::string recorded_of_case(const Row& row, Language language) {
  return translated(plain(of_case<key>(row)), language);
}

std::vector<TableColumn> make_columns() {
  const auto label = [](const Row& row, Language) { return row_label(row); };
  const std::vector<Field> path{{"backend", of_case<backend_key>},
                                {"variant", of_case<variant_key>},
                                {"scope", of_case<scope_key>}};
  const std::vector<Field> seconds{
      {"seconds", [](const Row& row) { return of_seconds(row, "median"); }}};
  return {
      {"variant", phrases::variant, label, path},
      {"version", phrases::version, label, path},
      {"workload",
       phrases::workload,
       text_of_case<workload_key>,
       {{"workload", of_case<workload_key>}}},
      {"backend", phrases::backend, text_of_case<backend_key>, {{"backend", of_case<backend_key>}}},
      {"idea", phrases::idea, recorded_of_case<idea_key>, {{"idea", of_case<idea_key>}}},
      {"dtype", phrases::dtype, text_of_case<dtype_key>, {{"dtype", of_case<dtype_key>}}},
      {"size", phrases::size, text_of_case<size_key>, {{"size", of_case<size_key>}}},
      {"cache", phrases::cache, cache_cell, {{"cache", of_case<cache_key>}}},
      {"scope", phrases::scope, scope_cell, {{"scope", of_case<scope_key>}}},
      {"threads",
       phrases::threads,
       text_of_case<threads_key>,
       {{"threads", of_case<threads_key>}},
       true},
      {"isa", phrases::instructions, text_of_case<isa_key>, {{"isa", of_case<isa_key>}}},
      {"status", phrases::status, status_cell, {{"status", of_case<status_key>}}},
      {"reason", phrases::reason, recorded_of_case<reason_key>, {{"reason", of_case<reason_key>}}},
      {"node",
       phrases::node,
       [](const Row& row, Language) { return plain(of_context(row, "run/node")); },
       {{"node", [](const Row& row) { return of_context(row, "run/node"); }}}},
      {"cpu",
       phrases::processor,
       [](const Row& row, Language) { return plain(of_context(row, "machine/cpu_model")); },
       {{"cpu_model", [](const Row& row) { return of_context(row, "machine/cpu_model"); }}}},
      {"gpu",
       phrases::gpu,
       [](const Row& row, Language) { return plain(of_context(row, "machine/gpu/name")); },
       {{"gpu", [](const Row& row) { return of_context(row, "machine/gpu/name"); }}}},
      {"date",
       phrases::date,
       [](const Row& row, Language) { return date_and_time(plain(of_run(row, &Origin::date))); },
       {{"date", [](const Row& row) { return of_run(row, &Origin::date); }}}},
      {"revision",
       phrases::revision,
       [](const Row& row, Language) { return plain(of_run(row, &Origin::revision)); },
       {{"revision", [](const Row& row) { return of_run(row, &Origin::revision); }}}},
      {"file",
       phrases::file,
       [](const Row& row, Language) { return plain(of_run(row, &Origin::file)); },
       {{"file", [](const Row& row) { return of_run(row, &Origin::file); }}}},
      {"time", phrases::time, time_cell, seconds, true, true, 10},
      {"seconds", phrases::time_in_seconds, seconds_cell, seconds, true, true},
      {"interval",
       phrases::interval,
       interval_cell,
       {{"seconds_low", [](const Row& row) { return end_of(of_seconds(row, "ci95"), 0); }},
        {"seconds_high", [](const Row& row) { return end_of(of_seconds(row, "ci95"), 1); }}},
       true,
       true,
       17},
      {"min",
       phrases::best_time,
       [](const Row& row, Language language) {
         return figure(of_seconds(row, "min"),
                       [&](double value) { return duration(value, language); });
       },
       {{"seconds_min", [](const Row& row) { return of_seconds(row, "min"); }}},
       true,
       true,
       10},
      {"noise",
       phrases::noise,
       [](const Row& row, Language language) {
         return figure(of_seconds(row, "noise"),
                       [&](double value) { return percent(value, language); });
       },
       {{"noise", [](const Row& row) { return of_seconds(row, "noise"); }}},
       true,
       true,
       8},
      {"samples",
       phrases::samples,
       [](const Row& row, Language) { return plain(row.result.value("rounds", Json())); },
       {{"samples", [](const Row& row) { return row.result.value("rounds", Json()); }}},
       true,
       true,
       8},
      {"bandwidth",
       phrases::bandwidth,
       bandwidth_cell,
       {{"gb_per_s", [](const Row& row) { return row.result.at("gb_per_s"); }}},
       true,
       true,
       7},
      {"share",
       phrases::of_yardstick,
       share_cell,
       {{"share", [](const Row& row) { return nearest_share(row.result).value; }},
        {"yardstick", [](const Row& row) { return Json(nearest_share(row.result).yardstick); }}},
       true,
       true,
       8},
      {"plain",
       phrases::over_plain,
       [](const Row& row, Language language) {
         return ratio_cell(row.speedup.at("over_serial"), language);
       },
       {{"over_serial", [](const Row& row) { return value_of(row.speedup.at("over_serial")); }},
        {"over_serial_low",
         [](const Row& row) { return end_of(interval_of(row.speedup.at("over_serial")), 0); }},
        {"over_serial_high",
         [](const Row& row) { return end_of(interval_of(row.speedup.at("over_serial")), 1); }}},
       true,
       true,
       8},
      {"best",
       phrases::over_best,
       [](const Row& row, Language language) {
         return ratio_cell(row.speedup.at("over_best_cpu"), language);
       },
       {{"over_best_cpu", [](const Row& row) { return value_of(row.speedup.at("over_best_cpu")); }},
        {"over_best_cpu_low",
         [](const Row& row) { return end_of(interval_of(row.speedup.at("over_best_cpu")), 0); }},
        {"over_best_cpu_high",
         [](const Row& row) { return end_of(interval_of(row.speedup.at("over_best_cpu")), 1); }},
        {"best_cpu", baseline_of}},
       true,
       true,
       8},
      {"speedup",
       phrases::speedup,
       [](const Row& row, Language language) { return ratio_cell(row.over_baseline, language); },
       {{"speedup", [](const Row& row) { return value_of(row.over_baseline); }},
        {"speedup_low", [](const Row& row) { return end_of(interval_of(row.over_baseline), 0); }},
        {"speedup_high", [](const Row& row) { return end_of(interval_of(row.over_baseline), 1); }},
        {"baseline", [](const Row& row) { return at(row.over_baseline, "baseline"); }}},
       true,
       true,
       8},
      {"speedup_interval",
       phrases::speedup_interval,
       [](const Row& row, Language language) {
         return ratio_interval_cell(row.over_baseline, language);
       },
       {{"speedup_low", [](const Row& row) { return end_of(interval_of(row.over_baseline), 0); }},
        {"speedup_high", [](const Row& row) { return end_of(interval_of(row.over_baseline), 1); }}},
       true,
       true},
      {"error",
       phrases::error,
       error_cell,
       {{"max_error", [](const Row& row) { return at(row.result, "verification/max_error"); }},
        {"error_metric", [](const Row& row) { return at(row.result, "verification/metric"); }}},
       true,
       true},
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
  throw UsageError(fmt::format("{} {}: no such column{}; there are {}", option, key,
                               near.empty() ? "" : fmt::format(" (did you mean {}?)", near),
                               fmt::join(names, ", ")));
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

std::string row_label(const Row& row) {
  const Json& result = row.result;
  std::string text = fmt::format("{}/{}", result.at("backend").get<std::string>(),
                                 result.at("variant").get<std::string>());
  if (result.value("library", false)) text += " ‡";
  if (row.speedup.value("other_run", false)) text += " †";
  if (result.at("parameters").contains("threads")) {
    text += fmt::format(" ×{}", result.at("threads").get<int>());
  }
  if (result.at("scope") == "end_to_end") text += " ⇄";
  return text;
}

}  // namespace bench

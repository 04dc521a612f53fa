#include "harness/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/crossovers.hpp"
#include "harness/scaling.hpp"
#include "harness/words.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t page_width = 80;

struct Unit {
  double seconds;
  const char* name;
};

/// The unit in which a duration has at least one digit before the point.
Unit unit_of(double seconds) {
  constexpr std::array<Unit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  for (const Unit& unit : units) {
    if (seconds >= unit.seconds) return unit;
  }
  return units.back();
}

/// Four significant digits without an exponent.
std::string four_digits(double value) {
  int decimals = 3;
  if (value >= 9.9995) decimals = 2;
  if (value >= 99.995) decimals = 1;
  if (value >= 999.95) decimals = 0;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

std::string padded_right(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

/// Two digits after the point for small factors, none for large ones.
std::string ratio_cell(const Json& ratio) {
  if (ratio.is_null() || ratio.at("value").is_null()) return "–";
  const double value = ratio.at("value").get<double>();
  return value < 99.95 ? fmt::format("{:.2f}", value) : fmt::format("{:.0f}", value);
}

std::string share_cell(const Json& share) {
  if (share.is_null()) return "–";
  const double percent = 100 * share.get<double>();
  return percent < 9.95 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string bandwidth_cell(const Json& bandwidth) {
  if (bandwidth.is_null()) return "–";
  const double value = bandwidth.get<double>();
  return value < 9.995 ? fmt::format("{:.2f}", value) : fmt::format("{:.1f}", value);
}

std::string interval_cell(const Json& seconds) {
  const Json& ci = seconds.at("ci95");
  const double unit = unit_of(seconds.at("median").get<double>()).seconds;
  return fmt::format("[{}, {}]", four_digits(ci.at(0).get<double>() / unit),
                     four_digits(ci.at(1).get<double>() / unit));
}

bool end_to_end(const Json& result) { return result.at("scope") == "end_to_end"; }

bool of_a_library(const Json& result) { return result.value("library", false); }

/// backend/variant; where the user chose them, the threads; marks if a library's, if transfers are
/// included, or if the baseline was measured in another run.
std::string row_label(const Row& row) {
  const Json& result = row.result;
  std::string text = fmt::format("{}/{}", result.at("backend").get<std::string>(),
                                 result.at("variant").get<std::string>());
  if (of_a_library(result)) text += " ‡";
  if (row.speedup.value("other_run", false)) text += " †";
  const auto name = result.at("name").get<std::string>();
  if (name.find(",threads=") != std::string::npos) {
    text += fmt::format(" ×{}", result.at("threads").get<int>());
  }
  if (end_to_end(result)) text += " ⇄";
  return text;
}

/// What a table is about: everything but the variant and its threads.
std::string heading(const Json& result) {
  return fmt::format("{} · {} · {} · {} cache", result.at("workload").get<std::string>(),
                     result.at("dtype").get<std::string>(), result.at("size").get<std::string>(),
                     result.at("cache").get<std::string>());
}

/// Long labels take their room from the blanks before the interval.
std::size_t interval_width(std::size_t label_width) {
  constexpr std::size_t usual_label = 20;
  return label_width > usual_label ? 15 : 17;
}

std::string row_text(const Row& row, std::size_t label_width) {
  const Json& result = row.result;
  std::string line = "  " + padded_right(row_label(row), label_width);
  if (result.at("status") != "measured") {
    const std::string text = fmt::format("{}: {}", result.at("status").get<std::string>(),
                                         result.at("reason").get<std::string>());
    return line + "  " + wrapped(text, page_width, label_width + 6, label_width + 4);
  }
  const Json& seconds = result.at("seconds");
  const bool doubtful = seconds.value("too_short", 0) > 0;
  line += padded_left((doubtful ? "~" : "") + duration(seconds.at("median").get<double>()), 10);
  line += padded_left(interval_cell(seconds), interval_width(label_width));
  line += padded_left(bandwidth_cell(result.at("gb_per_s")), 7);
  line += padded_left(share_cell(nearest_share(result).value), 8);
  line += padded_left(ratio_cell(row.speedup.at("over_serial")), 8);
  line += padded_left(ratio_cell(row.speedup.at("over_best_cpu")), 8);
  return line;
}

/// How the variants of a table scale with threads, a line each; empty where nobody asked.
std::string scaling_lines(const Json& document, const Json& of) {
  std::string text;
  for (const Json& entry : document.value("scaling", Json::array())) {
    const auto same = [&](const char* key) { return entry.at(key) == of.at(key); };
    if (!same("workload") || !same("dtype") || !same("size") || !same("cache")) continue;
    text += "  " + wrapped("scaling of " + scaling_text(entry), page_width, 4, 2) + "\n";
  }
  return text;
}

std::string table(const std::vector<Row>& rows, const Json& document) {
  std::size_t label_width = 0;
  for (const Row& row : rows) {
    label_width = std::max(label_width, columns(row_label(row)));
  }
  std::string text = heading(rows.front().result) + "\n";
  text += "  " + padded_right("variant", label_width) + "      time" +
          padded_left("95 % interval", interval_width(label_width)) + "   GB/s" +
          padded_left("of " + nearest_share(rows.front().result).yardstick, 8) +
          " × plain  × best\n";
  for (const Row& row : rows) text += row_text(row, label_width) + "\n";
  const std::string words = conclusion(rows);
  if (!words.empty()) text += "  " + wrapped(words, page_width, 2, 2) + "\n";
  return text + scaling_lines(document, rows.front().result);
}

/// True where the kernel alone was not measured either, for the same reason.
bool said_already(const Json& cases, const Json& result) {
  if (result.at("status") == "measured") return false;
  return std::any_of(cases.begin(), cases.end(), [&](const Json& other) {
    const auto same = [&](const char* key) { return other.at(key) == result.at(key); };
    return !end_to_end(other) && same("workload") && same("variant") && same("backend") &&
           same("dtype") && same("size") && same("status") && same("reason");
  });
}

/// Headings, and what stands below them.
using Tables = std::vector<std::pair<std::string, std::vector<Row>>>;

/// The rows of each table in the order of the document; references stay out.
Tables grouped(const Json& document) {
  Tables tables;
  const Json& cases = document.at("cases");
  const Json& speedups = document.at("speedups");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& result = cases.at(i);
    const bool baseline = result.at("backend") == "serial" && result.at("variant") == "naive";
    const bool beside = result.at("name").get<std::string>().find(",beside=") != std::string::npos;
    if (beside || (result.at("reference").get<bool>() && !baseline)) continue;
    if (end_to_end(result) && said_already(cases, result)) continue;
    const std::string key = heading(result);
    const auto found = std::find_if(tables.begin(), tables.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    auto& rows = found == tables.end() ? tables.emplace_back(key, std::vector<Row>{}) : *found;
    rows.second.push_back({result, speedups.at(i)});
  }
  return tables;
}

std::string text_or(const Json& value, const char* otherwise) {
  return value.is_string() ? value.get<std::string>() : otherwise;
}

std::string title(const Json& context) {
  const Json& machine = context.at("machine");
  const Json& run = context.at("run");
  const Json gpu = machine.value("gpu", Json());
  return fmt::format("{} · {} · {} of {} cpus · {} · {}{}", text_or(run.at("node"), "?"),
                     text_or(machine.at("cpu_model"), "unknown processor"),
                     run.at("threads").dump(), machine.at("logical_cpus").dump(),
                     text_or(run.at("isa"), "?"),
                     gpu.is_object() ? text_or(gpu.at("name"), "?") + " · " : "",
                     text_or(context.at("date"), "?"));
}

/// From which size on the GPU wins, a line each, under the last table of a workload, precision and
/// cache mode: all sizes together say it.
std::string crossover_lines(const Json& entries, const Tables& tables, std::size_t number) {
  const Json& here = tables[number].second.front().result;
  const auto same_kind = [&](const auto& table) {
    const Json& there = table.second.front().result;
    const auto same = [&](const char* key) { return there.at(key) == here.at(key); };
    return same("workload") && same("dtype") && same("cache");
  };
  const auto next = tables.begin() + static_cast<std::ptrdiff_t>(number) + 1;
  if (std::any_of(next, tables.end(), same_kind)) return "";
  std::string text;
  for (const std::string& line : crossover_texts(entries, here)) {
    text += "  " + wrapped(line, page_width, 4, 2) + "\n";
  }
  return text;
}

/// How to read the columns, once for all tables.
constexpr const char* legend =
    "time: median of the samples, with its 95 % interval in the same unit. of copy:\n"
    "GB/s relative to the fastest copy on the same arrays with the same threads.\n"
    "× plain: how many times faster than serial/naive. × best: than the fastest CPU\n"
    "variant. Every result was checked against the definition, before and after.\n";

constexpr const char* yardstick_legend =
    "of read, of add: likewise, to the fastest way of merely reading or adding them.\n";
constexpr const char* merged_legend =
    "†: measured in another run on this node than its baseline; ratios are of medians.\n";
constexpr const char* transfers_legend =
    "⇄: end to end, with the transfers between pinned host memory and the device.\n";
constexpr const char* library_legend =
    "‡: a library's, not ours: for comparison, so that no sentence calls it the best.\n";
constexpr const char* scaling_legend =
    "scaling: speedup over the fewest threads; in brackets the share of the ideal.\n";
constexpr const char* crossover_legend =
    "the GPU wins: its fastest variant is faster than the fastest CPU variant of this\n"
    "run, at all larger sizes too; in brackets the 95 % interval of that size.\n";
constexpr const char* doubt_legend =
    "~: some samples were shorter than ten times what the clock shows for nothing.\n";

template <class F>
bool any_row(const Tables& tables, F f) {
  return std::any_of(tables.begin(), tables.end(), [&](const auto& table) {
    return std::any_of(table.second.begin(), table.second.end(),
                       [&](const Row& row) { return f(row.result); });
  });
}

}  // namespace

std::string duration(double seconds) {
  const Unit unit = unit_of(seconds);
  return fmt::format("{} {}", four_digits(seconds / unit.seconds), unit.name);
}

std::string text_tables(const Json& document) {
  const Json& context = document.at("context");
  std::string text = wrapped(title(context), page_width, 2) + "\n";
  const auto tables = grouped(document);
  const Json entries = document.value("crossovers", Json::array());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    text += "\n" + table(tables[i].second, document) + crossover_lines(entries, tables, i);
  }
  if (!tables.empty()) text += std::string("\n") + legend;
  const auto not_copy = [](const Json& one) { return nearest_share(one).yardstick != "copy"; };
  if (any_row(tables, not_copy)) text += yardstick_legend;
  if (any_row(tables, of_a_library)) text += library_legend;
  const Json& speedups = document.at("speedups");
  if (std::any_of(speedups.begin(), speedups.end(),
                  [](const Json& one) { return one.value("other_run", false); })) {
    text += merged_legend;
  }
  if (!document.value("scaling", Json::array()).empty()) text += scaling_legend;
  if (!entries.empty()) text += crossover_legend;
  if (any_row(tables, end_to_end)) text += transfers_legend;
  const auto doubtful = [](const Json& result) {
    return result.at("status") == "measured" && result.at("seconds").value("too_short", 0) > 0;
  };
  if (any_row(tables, doubtful)) text += doubt_legend;
  for (const Json& warning : context.at("run").at("warnings")) {
    text += wrapped("warning: " + warning.get<std::string>(), page_width, 9) + "\n";
  }
  return text;
}

}  // namespace bench

#include "harness/tables/printed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/document.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/recorded.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::string text_or(const Json& value, const std::string& otherwise) {
  return value.is_string() ? value.get<std::string>() : otherwise;
}

/// Where it was measured; facts that are not known are left open.
std::string machine_text(const Json& context, Language language) {
  const Json& machine = context.at("machine");
  const Json& run = context.at("run");
  const Json gpu = machine.value("gpu", Json());
  return fmt::format(
      "{} · {} · {} · {}{}", text_or(run.at("node"), "?"),
      text_or(machine.at("cpu_model"), say(language, phrases::unknown_processor)),
      say(language, phrases::cpus, run.at("threads").dump(), machine.at("logical_cpus").dump()),
      text_or(run.at("isa"), "?"), gpu.is_object() ? " · " + text_or(gpu.at("name"), "?") : "");
}

/// Different facts of runs, each once.
std::string listed(const std::vector<const Origin*>& origins, std::string Origin::*fact) {
  std::vector<std::string> values;
  for (const Origin* origin : origins) {
    const std::string& value = origin->*fact;
    if (value.empty() || std::find(values.begin(), values.end(), value) != values.end()) continue;
    values.push_back(value);
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

/// What was measured where and when.
std::string title(const Merged& source, Language language) {
  std::vector<const Origin*> origins;
  for (const Origin& origin : source.origins) origins.push_back(&origin);
  const std::string dates = listed(origins, &Origin::date);
  return machine_text(source.document.at("context"), language) + " · " +
         (dates.empty() ? "?" : dates);
}

std::string cache_text(const std::string& cache, Language language) {
  if (cache == "cold") return say(language, phrases::cold_cache);
  if (cache == "hot") return say(language, phrases::hot_cache);
  return cache;
}

/// The values above a table, those that no column shows: `energy · f32 · 10000000 · cold cache`.
std::string heading(const Row& row, const std::vector<const TableColumn*>& columns,
                    Language language) {
  std::string text;
  for (const char* key : {"workload", "dtype", "size", "cache"}) {
    const bool row_by_row =
        std::any_of(columns.begin(), columns.end(),
                    [&](const TableColumn* column) { return column->key == key; });
    if (row_by_row) continue;
    const auto value = row.result.at(key).get<std::string>();
    text += (text.empty() ? "" : " · ") +
            (std::string_view(key) == "cache" ? cache_text(value, language) : value);
  }
  return text;
}

/// What a table in a hand-out has to say for itself: of one node, the runs that its rows are from.
std::string caption(const std::string& title, const std::vector<Row>& rows, Language language) {
  const nlohmann::ordered_json* const document = rows.front().document;
  std::vector<Origin> shortened;
  for (const Row& row : rows) {
    if (row.document != document) return title;
    Origin origin = *row.origin;
    // Seven digits name a revision.
    constexpr std::size_t short_revision = 7;
    const std::size_t digits = std::min(origin.revision.find('-'), origin.revision.size());
    if (digits > short_revision) origin.revision.erase(short_revision, digits - short_revision);
    shortened.push_back(std::move(origin));
  }
  std::vector<const Origin*> origins;
  for (const Origin& origin : shortened) origins.push_back(&origin);
  std::string text =
      title + (title.empty() ? "" : " · ") + machine_text(document->at("context"), language);
  const std::string dates = listed(origins, &Origin::date);
  if (!dates.empty()) text += " · " + dates;
  const std::string revisions = listed(origins, &Origin::revision);
  return revisions.empty() ? text : text + " · " + say(language, phrases::revision_is, revisions);
}

/// What a reader has to know of a run that was interrupted.
std::string interruption(const Origin& origin, Language language) {
  const std::string what = origin.file.empty() ? origin.date : origin.file;
  return origin.ended_by == "?" ? say(language, phrases::unfinished, what)
                                : say(language, phrases::interrupted, what, origin.ended_by);
}

std::string status_text(const Json& result, Language language) {
  const std::string status = result.at("status");
  const std::string word = status == "skipped"  ? say(language, phrases::skipped)
                           : status == "failed" ? say(language, phrases::failed)
                                                : status;
  return say(language, phrases::because, word,
             translated(text_or(result.at("reason"), "?"), language));
}

PrintedRow printed(const Row& row, const std::vector<const TableColumn*>& columns,
                   Language language) {
  PrintedRow out;
  out.row = &row;
  const bool measured = row.result.at("status") == "measured";
  for (const TableColumn* column : columns) {
    out.cells.push_back(measured || !column->measured_only ? column->text(row, language) : "");
  }
  if (measured) return out;
  const auto figures = [](const TableColumn* column) { return column->measured_only; };
  const auto from = std::find_if(columns.begin(), columns.end(), figures);
  const auto to = std::find_if_not(from, columns.end(), figures);
  out.instead = from == columns.end() ? "" : status_text(row.result, language);
  out.instead_from = static_cast<std::size_t>(from - columns.begin());
  out.instead_to = static_cast<std::size_t>(to - columns.begin());
  return out;
}

std::string heading_of(const TableColumn& column, const Sheet& sheet, Language language) {
  if (column.key != "share") return say(language, column.heading);
  const Row& first = sheet.rows.front();
  return say(language, phrases::of_yardstick,
             yardstick_text(nearest_share(first.result).yardstick, language));
}

/// Which explanations the tables need.
class Legend {
 public:
  Legend(const Sheets& sheets, const TableOptions& options) : sheets_(sheets), options_(options) {
    if (options.course) {
      if (!options.baseline.empty()) add({baseline()});
    } else {
      add_columns();
    }
    add_marks();
  }

  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  bool shows(std::string_view key) const {
    return std::any_of(sheets_.columns.begin(), sheets_.columns.end(),
                       [&](const TableColumn* column) { return column->key == key; });
  }

  template <class F>
  bool any_row(F f) const {
    return std::any_of(sheets_.sheets.begin(), sheets_.sheets.end(), [&](const Sheet& sheet) {
      return std::any_of(sheet.rows.begin(), sheet.rows.end(), f);
    });
  }

  /// Some document has entries of that kind.
  bool any_document(const char* key) const {
    return std::any_of(sheets_.sources.begin(), sheets_.sources.end(), [&](const Merged& source) {
      return !source.document.value(key, Json::array()).empty();
    });
  }

  std::string words(const Phrase& phrase) const { return say(options_.language, phrase); }

  void add(const std::vector<std::string>& sentences) {
    if (!sentences.empty()) lines_.push_back(fmt::format("{}", fmt::join(sentences, " ")));
  }

  std::string baseline() const {
    return say(options_.language, phrases::legend_baseline,
               options_.baseline.empty() ? std::string("serial/naive") : options_.baseline);
  }

  void add_columns() {
    std::vector<std::string> first;
    if (shows("time")) first.push_back(words(phrases::legend_time));
    if (shows("share")) first.push_back(words(phrases::legend_share));
    add(first);
    std::vector<std::string> second;
    if (shows("plain")) second.push_back(words(phrases::legend_plain));
    if (shows("speedup") || shows("speedup_interval")) {
      second.push_back(baseline());
    }
    if (shows("best")) {
      second.push_back(words(second.empty() ? phrases::legend_best_alone : phrases::legend_best));
    }
    second.push_back(words(phrases::legend_checked));
    add(second);
  }

  void add_marks() {
    const bool yardsticks =
        any_row([](const Row& row) { return nearest_share(row.result).yardstick != "copy"; });
    if (shows("share") && yardsticks) add({words(phrases::legend_yardsticks)});
    if (any_row([](const Row& row) { return row.result.value("library", false); })) {
      add({words(phrases::legend_library)});
    }
    if (any_row([](const Row& row) { return row.speedup.value("other_run", false); })) {
      add({words(phrases::legend_merged)});
    }
    const bool notes = std::any_of(sheets_.sheets.begin(), sheets_.sheets.end(),
                                   [](const Sheet& sheet) { return !sheet.notes.empty(); });
    if (notes && any_document("scaling")) add({words(phrases::legend_scaling)});
    if (notes && any_document("crossovers")) add({words(phrases::legend_crossover)});
    if (any_row([](const Row& row) { return row.result.at("scope") == "end_to_end"; })) {
      add({words(phrases::legend_transfers)});
    }
    if (any_row([](const Row& row) {
          return row.result.at("status") == "measured" &&
                 row.result.at("seconds").value("too_short", 0) > 0;
        })) {
      add({words(phrases::legend_doubt)});
    }
  }

  const Sheets& sheets_;
  const TableOptions& options_;
  std::vector<std::string> lines_;
};

}  // namespace

Printed printed(const Sheets& sheets, const TableOptions& options) {
  Printed all;
  const Language language = options.language;
  all.columns = sheets.columns;
  std::set<const Json*> shown;
  for (const Sheet& sheet : sheets.sheets) {
    for (const Row& row : sheet.rows) shown.insert(row.document);
  }
  for (const Merged& source : sheets.sources) {
    const Json& context = source.document.at("context");
    const bool left_out = !shown.contains(&source.document) && !source.document.at("cases").empty();
    all.titles.push_back(left_out ? "" : title(source, language));
    std::vector<std::string>& warnings = all.run_warnings.emplace_back();
    for (const Origin& origin : source.origins) {
      if (!origin.ended_by.empty()) warnings.push_back(interruption(origin, language));
    }
    for (const Json& warning : context.at("run").at("warnings")) {
      warnings.push_back(translated(warning.get<std::string>(), language));
    }
    if (!left_out) all.warnings.insert(all.warnings.end(), warnings.begin(), warnings.end());
  }
  for (const Sheet& sheet : sheets.sheets) {
    PrintedTable& table = all.tables.emplace_back();
    const Row& first = sheet.rows.front();
    table.source = sheet.source;
    table.title = heading(first, sheets.columns, language);
    table.caption = caption(table.title, sheet.rows, language);
    for (const TableColumn* column : sheets.columns) {
      table.headings.push_back(heading_of(*column, sheet, language));
    }
    for (const Row& row : sheet.rows) table.rows.push_back(printed(row, sheets.columns, language));
    table.conclusion = sheet.conclusion;
    table.notes = sheet.notes;
  }
  if (!all.tables.empty()) all.legend = Legend(sheets, options).lines();
  return all;
}

}  // namespace bench

#include "harness/tables/printed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/json.hpp"
#include "harness/tables/numbers.hpp"
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
  std::vector<Origin> shown = source.origins;
  std::vector<const Origin*> origins;
  for (Origin& origin : shown) {
    origin.date = date_and_time(origin.date);
    origins.push_back(&origin);
  }
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
    origin.date = day(origin.date);
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
  // One revision with changes and without is one revision.
  for (Origin& origin : shortened) {
    const std::string changed = origin.revision + "-dirty";
    const bool known = std::any_of(shortened.begin(), shortened.end(),
                                   [&](const Origin& other) { return other.revision == changed; });
    if (known) origin.revision = changed;
  }
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

bool measured(const Row& row) { return row.result.at("status") == "measured"; }

PrintedRow printed(const Row& row, const std::vector<const TableColumn*>& columns,
                   Language language) {
  PrintedRow out;
  out.row = &row;
  for (const TableColumn* column : columns) {
    out.cells.push_back(measured(row) || !column->measured_only ? column->text(row, language) : "");
  }
  if (measured(row)) return out;
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

/// Why a row has no figure, as far as it could have one here: that it is too slow for a size is no
/// matter where there is no device.
std::string reason_of(const Row& row) {
  const std::string reason = text_or(row.result.at("reason"), "?");
  return reason.starts_with("too slow for ") ? "" : reason;
}

/// The backends of which nothing was measured, for one reason.
std::vector<Folded> folded_rows(const std::vector<Row>& rows, Language language) {
  struct Found {
    std::vector<std::size_t> rows;
    std::set<std::string> variants;
    std::set<std::string> reasons;
  };
  std::map<std::string, Found> backends;
  std::set<std::string> others;  // some of whose rows are to be seen
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto backend = rows[i].result.at("backend").get<std::string>();
    if (rows[i].result.at("status") != "skipped") others.insert(backend);
    Found& found = backends[backend];
    found.rows.push_back(i);
    found.variants.insert(rows[i].result.at("variant").get<std::string>());
    if (const std::string reason = reason_of(rows[i]); !reason.empty())
      found.reasons.insert(reason);
  }
  std::vector<Folded> all;
  for (auto& [backend, found] : backends) {
    if (others.contains(backend) || found.rows.size() < 2 || found.reasons.size() != 1) continue;
    all.push_back({backend,
                   say(language, phrases::folded, std::to_string(found.variants.size()),
                       translated(*found.reasons.begin(), language)),
                   std::move(found.rows)});
  }
  return all;
}

/// Where a table has no ratio over the baseline that it is meant to show: how to get one.
std::string no_speedup(const std::vector<Row>& rows, const TableOptions& options) {
  const Row* other = nullptr;
  for (const Row& row : rows) {
    if (!measured(row)) continue;
    if (!row.over_baseline.is_null()) return "";
    if (other == nullptr) other = &row;
  }
  if (other == nullptr) return "";
  const auto part = [&](const char* key) { return other->result.at(key).get<std::string>(); };
  return say(options.language, phrases::no_speedup,
             options.baseline.empty() ? "serial/naive" : options.baseline,
             part("backend") + "/" + part("variant"));
}

/// Which explanations the tables need.
class Legend {
 public:
  Legend(const Sheets& sheets, const TableOptions& options) : sheets_(sheets), options_(options) {
    if (options.course) {
      add({baseline()});
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
  bool any_sheet(F f) const {
    return std::any_of(sheets_.sheets.begin(), sheets_.sheets.end(), f);
  }

  template <class F>
  bool any_row(F f) const {
    return any_sheet(
        [&](const Sheet& sheet) { return std::any_of(sheet.rows.begin(), sheet.rows.end(), f); });
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

  /// `of copy, of add: GB/s relative to the fastest way of merely copying or adding …`
  std::string shares() const {
    struct Yardstick {
      const char* name;
      const Phrase& verb;
    };
    constexpr Yardstick known[] = {
        {"copy", phrases::to_copy}, {"read", phrases::to_read}, {"add", phrases::to_add}};
    std::string headings;
    std::string verbs;
    for (const Yardstick& one : known) {
      if (!any_sheet([&](const Sheet& sheet) {
            return nearest_share(sheet.rows.front().result).yardstick == one.name;
          })) {
        continue;
      }
      const std::string heading = say(options_.language, phrases::of_yardstick,
                                      yardstick_text(one.name, options_.language));
      headings += (headings.empty() ? "" : ", ") + heading;
      verbs = verbs.empty() ? words(one.verb)
                            : say(options_.language, phrases::one_or_other, verbs, words(one.verb));
    }
    return say(options_.language, phrases::legend_share, headings, verbs);
  }

  void add_columns() {
    std::vector<std::string> first;
    if (shows("time")) first.push_back(words(phrases::legend_time));
    if (shows("share")) first.push_back(shares());
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
    if (any_row(
            [](const Row& row) { return measured(row) && row.result.value("library", false); })) {
      add({words(phrases::legend_library)});
    }
    if (any_row([](const Row& row) { return row.speedup.value("other_run", false); })) {
      add({words(phrases::legend_merged)});
    }
    const bool notes = std::any_of(sheets_.sheets.begin(), sheets_.sheets.end(),
                                   [](const Sheet& sheet) { return !sheet.notes.empty(); });
    if (notes && any_document("scaling")) add({words(phrases::legend_scaling)});
    if (notes && any_document("crossovers")) add({words(phrases::legend_crossover)});
    if (any_row([](const Row& row) {
          return measured(row) && row.result.at("scope") == "end_to_end";
        })) {
      add({words(phrases::legend_transfers)});
    }
    if (any_row([](const Row& row) {
          return measured(row) && row.result.at("seconds").value("too_short", 0) > 0;
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
    // What the user asked to see is shown.
    if (options.columns.empty() && options.statuses.empty()) {
      table.folded = folded_rows(sheet.rows, language);
    }
    table.conclusion = sheet.conclusion;
    table.notes = sheet.notes;
    const bool speedups =
        std::any_of(sheets.columns.begin(), sheets.columns.end(), [](const TableColumn* column) {
          return column->key == "speedup" || column->key == "plain";
        });
    if (const std::string none = speedups ? no_speedup(sheet.rows, options) : ""; !none.empty()) {
      table.notes.push_back(none);
    }
  }
  if (!all.tables.empty()) all.legend = Legend(sheets, options).lines();
  return all;
}

Printed folded(Printed all) {
  for (PrintedTable& table : all.tables) {
    std::set<std::size_t> gone;
    for (const Folded& some : table.folded) {
      PrintedRow& row = table.rows.at(some.rows.front());
      row.cells.assign(row.cells.size(), "");
      row.cells.front() = some.backend;
      row.instead = some.text;
      gone.insert(some.rows.begin() + 1, some.rows.end());
    }
    std::vector<PrintedRow> kept;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      if (!gone.contains(i)) kept.push_back(std::move(table.rows[i]));
    }
    table.rows.swap(kept);
    table.folded.clear();
  }
  return all;
}

Printed without(Printed all, std::size_t column) {
  const auto erase = [&](auto& list) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(column));
  };
  erase(all.columns);
  for (PrintedTable& table : all.tables) {
    erase(table.headings);
    for (PrintedRow& row : table.rows) {
      erase(row.cells);
      if (column < row.instead_from) --row.instead_from;
      if (column < row.instead_to) --row.instead_to;
    }
  }
  return all;
}

}  // namespace bench

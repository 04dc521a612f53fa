#include "harness/tables/printed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/json.hpp"
#include "harness/base/reasons.hpp"
#include "harness/document/ratios.hpp"
#include "harness/tables/conclusion.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/reference_words.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

std::string or_unknown(const std::string& text) { return text.empty() ? "?" : text; }

bool graded(const RunRecord& run) { return run.selection && run.selection->graded; }

/// Where and how it was measured; facts that are not known are left open.
std::string machine_text(const Context& context, Language language) {
  const Machine& machine = context.machine;
  const RunRecord& run = context.run;
  const auto& cpus = machine.logical_cpus;
  const std::string processor =
      machine.cpu_model.value_or(say(language, phrases::unknown_processor));
  if (run.imported) {
    std::vector<std::string> known{run.node, machine.cpu_model.value_or(""), *run.imported};
    std::erase(known, "");
    return fmt::format("{}", fmt::join(known, " · "));
  }
  return fmt::format(
      "{} · {} · {} · {}{}{}", or_unknown(run.node), processor,
      say(language, phrases::cpus, std::to_string(run.threads), cpus ? std::to_string(*cpus) : "?"),
      or_unknown(run.isa), machine.gpu ? " · " + gpu_name(machine).value_or("?") : "",
      graded(run) ? " · " + say(language, phrases::graded) : "");
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

/// When runs began, from the first to the last: `2026-11-22 10:04–11:20`; of several days the days
/// alone.
std::string period(const std::vector<Origin>& origins) {
  std::set<std::string> dates;
  for (const Origin& origin : origins) {
    if (!origin.date.empty()) dates.insert(origin.date);
  }
  if (dates.empty()) return "?";
  const std::string& first = *dates.begin();
  const std::string& last = *dates.rbegin();
  if (day(first) != day(last)) return day(first) + " – " + day(last);
  const bool at_once = time_of_day(first) == time_of_day(last);
  return date_and_time(first) + (at_once ? "" : "–" + time_of_day(last));
}

/// What was measured where and when.
std::string title(const Merged& source, Language language) {
  const Context& context = source.document.context;
  const std::string when = period(source.origins);
  const std::string text = machine_text(context, language);
  return context.run.imported && when == "?" ? text : text + " · " + when;
}

/// What a table in a handout has to say for itself: of one node, the runs that its rows are from.
std::string caption(const std::string& title, const std::vector<Row>& rows, Language language) {
  const Document* const document = rows.front().document;
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
      title + (title.empty() ? "" : " · ") + machine_text(document->context, language);
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
  return origin.ended_by ? say(language, phrases::interrupted, what, *origin.ended_by)
                         : say(language, phrases::unfinished, what);
}

/// `skipped: no device`
std::string instead_text(const CaseRecord& one, Language language) {
  return say(language, phrases::because, status_text(one.status, language),
             translated(one.reason.value_or("?"), language));
}

/// The references of the rows' shares; an empty one where a row has none.
std::set<std::string> references_of(const std::vector<Row>& rows) {
  std::set<std::string> references;
  for (const Row& row : rows) references.insert(nearest_share(*row.result).reference);
  return references;
}

std::string heading_of(const TableColumn& column, const Sheet& sheet, Language language) {
  std::set<std::string> references = references_of(sheet.rows);
  // If memory is not the limit, nothing is compared with moving data.
  references.erase("");
  const bool unlimited = std::any_of(sheet.rows.begin(), sheet.rows.end(),
                                     [](const Row& row) { return !row.result->memory_bound; });
  const Figure figure = column.traits.figure;
  if (figure == Figure::rate && unlimited) return say(language, phrases::rate);
  if (figure != Figure::share) return say(language, column.heading.phrase);
  if (references.empty()) return "";
  if (references.size() > 1) return say(language, phrases::share);
  return "% " + of_reference_text(*references.begin(), language);
}

/// What the heading of a figure leaves open: its unit, what it is a share of.
std::string left_open(const Row& row, const TableColumn& column, const std::string& heading,
                      bool timed, Language language) {
  const CaseRecord& one = *row.result;
  const ReferenceShare share = nearest_share(one);
  const auto heads = [&](const Phrase& phrase) { return heading == say(language, phrase); };
  const Figure figure = column.traits.figure;
  if (column.key == "interval" && !timed) {
    return no_break_space + std::string(unit_of(one.seconds->median).name);
  }
  if (figure == Figure::rate && heads(phrases::rate) && one.gb_per_s) {
    return no_break_space + say(language, phrases::bandwidth);
  }
  if (figure == Figure::share && heads(phrases::share) && share.value) {
    return " " + of_reference_text(share.reference, language);
  }
  return "";
}

PrintedRow printed(const Row& row, const std::vector<const TableColumn*>& columns,
                   const std::vector<std::string>& headings, Language language) {
  const bool measured = row.result->measured();
  PrintedRow out;
  out.row = &row;
  const bool timed =
      any_with(columns, [](const Traits& traits) { return traits.figure == Figure::time; });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const TableColumn& column = *columns[i];
    std::string& cell = out.cells.emplace_back();
    if (measured || !column.traits.measured_only) cell = column.text(row, language);
    if (!measured) continue;
    cell += left_open(row, column, headings[i], timed, language);
    const auto doubtful = column.traits.doubtful;
    if (doubtful != nullptr && doubtful(row)) out.doubtful.push_back(column.key);
  }
  if (measured) return out;
  const auto figures = [](const TableColumn* column) { return column->traits.measured_only; };
  const auto from = std::find_if(columns.begin(), columns.end(), figures);
  const auto to = std::find_if_not(from, columns.end(), figures);
  out.instead = from == columns.end() ? "" : instead_text(*row.result, language);
  out.instead_from = static_cast<std::size_t>(from - columns.begin());
  out.instead_to = static_cast<std::size_t>(to - columns.begin());
  return out;
}

/// Why a row has no figure, as far as it could have one here: without a device it does not
/// matter that it is too slow for a size.
Reason reason_of(const CaseRecord& one) {
  const Reason reason = one.reason.value_or("?");
  return reason.is(reasons::too_slow) ? "" : reason;
}

/// The backends of which nothing was measured, for one reason.
std::vector<Folded> folded_rows(const std::vector<Row>& rows, Language language) {
  struct Found {
    std::vector<std::size_t> rows;
    std::set<std::string> variants;
    std::set<Reason> reasons;
  };
  std::map<std::string, Found> backends;
  std::set<std::string> others;  // some of whose rows are to be seen
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CaseRecord& one = *rows[i].result;
    if (one.status != Status::skipped) others.insert(one.backend);
    Found& found = backends[one.backend];
    found.rows.push_back(i);
    found.variants.insert(one.variant);
    if (const Reason reason = reason_of(one); !reason.empty()) found.reasons.insert(reason);
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

/// Which explanations the tables need.
class Legend {
 public:
  Legend(const Sheets& sheets, const std::vector<PrintedTable>& tables, const TableOptions& options)
      : sheets_(sheets), tables_(tables), options_(options) {
    if (options.preset == Preset::course) {
      add({baseline()});
    } else if (options.preset == Preset::none) {
      add_columns();
    }
    if (options.preset != Preset::steps) add_without_speedup();
    add_marks();
  }

  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  bool shows(Figure figure) const {
    return any_with(sheets_.columns, [&](const Traits& traits) { return traits.figure == figure; });
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

  template <class T>
  bool any_document(std::vector<T> Document::*entries) const {
    return std::any_of(sheets_.sources.begin(), sheets_.sources.end(),
                       [&](const Merged& source) { return !(source.document.*entries).empty(); });
  }

  /// Some figure is marked as uncertain (~).
  bool any_doubt() const {
    const auto in_notes = [](const Sheet& sheet) { return sheet.doubtful_scaling; };
    return std::any_of(sheets_.sheets.begin(), sheets_.sheets.end(), in_notes) ||
           std::any_of(tables_.begin(), tables_.end(), [](const PrintedTable& table) {
             return std::any_of(table.rows.begin(), table.rows.end(),
                                [](const PrintedRow& row) { return !row.doubtful.empty(); });
           });
  }

  std::string words(const Phrase& phrase) const { return say(options_.language, phrase); }

  void add(const std::vector<std::string>& sentences) {
    if (!sentences.empty()) lines_.push_back(fmt::format("{}", fmt::join(sentences, " ")));
  }

  /// What the intervals of times are over; where that differs, in which files.
  std::string time() const {
    std::map<std::size_t, std::set<std::string>> files;  // by executions
    for (const Sheet& sheet : sheets_.sheets) {
      for (const Row& row : sheet.rows) {
        if (!row.result->measured()) continue;
        const auto& executions = row.result->seconds->executions;
        files[executions ? executions->samples.size() : 1].insert(row.origin->file);
      }
    }
    const auto count = [&] { return files.begin()->first; };
    if (files.size() == 1 && count() > 1) {
      return say(options_.language, phrases::legend_time_of_executions, count());
    }
    std::string text = words(phrases::legend_time);
    files.erase(1);
    for (const auto& [executions, names] : files) {
      text += " " + say(options_.language, phrases::legend_some_executions,
                        fmt::format("{}", fmt::join(names, ", ")), executions);
    }
    return text;
  }

  std::string baseline() const {
    return say(options_.language, phrases::legend_baseline,
               options_.baseline.empty() ? std::string(naive_rung) : options_.baseline);
  }

  /// `% of copy, % of add: GB/s relative to the fastest way of copying or adding …`
  std::string shares() const {
    std::string headings;
    std::string verbs;
    std::string peak;
    for (const ReferenceWords& one : reference_words()) {
      if (!any_row([&](const Row& row) {
            return row.result->measured() && nearest_share(*row.result).reference == one.workload;
          })) {
        continue;
      }
      if (one.arithmetic) {
        peak = words(one.verb);
        continue;
      }
      const std::string heading = "% " + of_reference_text(one.workload, options_.language);
      headings += (headings.empty() ? "" : ", ") + heading;
      verbs = verbs.empty() ? words(one.verb)
                            : say(options_.language, phrases::one_or_other, verbs, words(one.verb));
    }
    if (verbs.empty()) return peak;
    const std::string moved = say(options_.language, phrases::legend_share, headings, verbs);
    return peak.empty() ? moved : moved + " " + peak;
  }

  void add_columns() {
    std::vector<std::string> first;
    if (shows(Figure::time)) first.push_back(time());
    if (shows(Figure::unsynchronised)) first.push_back(words(phrases::legend_unsynchronised));
    if (shows(Figure::change)) first.push_back(words(phrases::legend_change));
    if (shows(Figure::bound)) first.push_back(words(phrases::legend_bound));
    if (shows(Figure::energy)) first.push_back(words(phrases::legend_energy));
    if (shows(Figure::less_energy)) first.push_back(words(phrases::legend_less_energy));
    if (shows(Figure::counts)) first.push_back(words(phrases::legend_counts));
    if (shows(Figure::occupancy)) first.push_back(words(phrases::legend_occupancy));
    if (shows(Figure::share)) {
      if (std::string text = shares(); !text.empty()) first.push_back(std::move(text));
    }
    add(first);
    std::vector<std::string> second;
    if (shows(Figure::over_naive)) second.push_back(words(phrases::legend_naive));
    if (shows(Figure::over_chosen)) {
      second.push_back(baseline());
    }
    if (shows(Figure::over_best)) {
      second.push_back(words(second.empty() ? phrases::legend_best_alone : phrases::legend_best));
    }
    if (shows(Figure::model_share)) second.push_back(words(phrases::legend_model_share));
    if (any_row([](const Row& row) { return row.result->measured() && !row.result->imported(); })) {
      second.push_back(words(phrases::legend_checked));
    }
    add(second);
  }

  /// Where a table has no ratio over the baseline that it is meant to show: how to get one.
  void add_without_speedup() {
    const bool meant =
        options_.columns.empty() || shows(Figure::over_naive) || shows(Figure::over_chosen);
    for (const Sheet& sheet : sheets_.sheets) {
      const auto measured = [](const Row& row) { return row.result->measured(); };
      const auto first = std::find_if(sheet.rows.begin(), sheet.rows.end(), measured);
      const bool compared = std::any_of(sheet.rows.begin(), sheet.rows.end(),
                                        [](const Row& row) { return !!row.over_baseline; });
      if (!meant || compared || first == sheet.rows.end() || first->result->imported()) continue;
      add({say(options_.language, phrases::no_speedup,
               options_.baseline.empty() ? naive_rung : options_.baseline, first->result->rung())});
      return;
    }
  }

  void add_marks() {
    if (any_row([](const Row& row) { return row.result->measured() && row.result->library; })) {
      add({words(phrases::legend_library)});
    }
    if (std::any_of(sheets_.columns.begin(), sheets_.columns.end(),
                    [](const TableColumn* column) { return column->key == "rank"; })) {
      add({words(phrases::legend_rank)});
    }
    if (any_row([](const Row& row) { return row.result->on_processor.has_value(); })) {
      add({words(phrases::legend_on_processor)});
    }
    if (any_row([](const Row& row) { return graded(row.document->context.run); })) {
      add({words(phrases::legend_graded)});
    }
    if (any_row([](const Row& row) { return row.result->wrong_on_purpose(); })) {
      add({words(phrases::legend_wrong)});
    }
    if (any_row([](const Row& row) { return row.result->other_run; })) {
      add({words(phrases::legend_merged)});
    }
    const bool notes = std::any_of(sheets_.sheets.begin(), sheets_.sheets.end(),
                                   [](const Sheet& sheet) { return !sheet.notes.empty(); });
    if (notes && any_document(&Document::scaling)) add({words(phrases::legend_scaling)});
    if (notes && any_document(&Document::crossovers)) add({words(phrases::legend_crossover)});
    if (any_row([](const Row& row) {
          return row.result->measured() && row.result->scope == Scope::end_to_end;
        })) {
      add({words(phrases::legend_transfers)});
    }
    if (any_row([](const Row& row) {
          return row.result->measured() && of_other_memory(row.result->scope);
        })) {
      add({words(phrases::legend_other_memory)});
    }
    if (any_doubt()) add({words(phrases::legend_doubt)});
  }

  const Sheets& sheets_;
  const std::vector<PrintedTable>& tables_;
  const TableOptions& options_;
  std::vector<std::string> lines_;
};

/// The tables without the columns that have no heading in any table.
Printed without_empty(Printed all) {
  for (std::size_t i = all.columns.size(); i > 0; --i) {
    const bool empty = !all.tables.empty() && std::all_of(all.tables.begin(), all.tables.end(),
                                                          [&](const PrintedTable& table) {
                                                            return table.headings[i - 1].empty();
                                                          });
    if (empty) all = without(std::move(all), i - 1);
  }
  return all;
}

/// A run of bench course may have more warnings than its table has rows: of several, how many there
/// are.
std::vector<std::string> brief(std::vector<std::string> warnings, std::size_t interruptions,
                               Language language) {
  const std::size_t of_run = warnings.size() - interruptions;
  if (of_run < 2) return warnings;
  warnings.resize(interruptions);
  warnings.push_back(say(language, phrases::warnings_elsewhere, std::to_string(of_run)));
  return warnings;
}

}  // namespace

Printed printed(const Sheets& sheets, const TableOptions& options) {
  Printed all;
  const Language language = options.language;
  all.columns = sheets.columns;
  std::set<const Document*> shown;
  for (const Sheet& sheet : sheets.sheets) {
    for (const Row& row : sheet.rows) shown.insert(row.document);
  }
  for (const Merged& source : sheets.sources) {
    const bool left_out = !shown.contains(&source.document) && !source.document.cases.empty();
    all.titles.push_back(left_out ? "" : title(source, language));
    std::vector<std::string>& warnings = all.run_warnings.emplace_back();
    for (const Origin& origin : source.origins) {
      if (!origin.finished) warnings.push_back(interruption(origin, language));
    }
    const std::size_t interruptions = warnings.size();
    for (const Reason& warning : source.document.context.run.warnings) {
      warnings.push_back(translated(warning, language));
    }
    if (left_out) continue;
    const bool few = options.preset == Preset::steps;
    const auto lines = few ? brief(warnings, interruptions, language) : warnings;
    all.warnings.insert(all.warnings.end(), lines.begin(), lines.end());
  }
  for (const Sheet& sheet : sheets.sheets) {
    PrintedTable& table = all.tables.emplace_back();
    table.source = sheet.source;
    table.title = sheet.title;
    table.caption = caption(table.title, sheet.rows, language);
    for (const TableColumn* column : sheets.columns) {
      table.headings.push_back(heading_of(*column, sheet, language));
    }
    for (const Row& row : sheet.rows) {
      table.rows.push_back(printed(row, sheets.columns, table.headings, language));
    }
    // What the user asked to see is shown.
    const bool usual = options.columns.empty() && options.statuses.empty();
    if (usual && options.preset != Preset::steps) {
      table.folded = folded_rows(sheet.rows, language);
    }
    if (sheet.answer) all.answered.push_back(&sheet);
    table.conclusion = sheet.conclusion;
    table.notes = sheet.notes;
  }
  if (!all.tables.empty()) all.legend = Legend(sheets, all.tables, options).lines();
  if (options.columns.empty()) all = without_empty(std::move(all));
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

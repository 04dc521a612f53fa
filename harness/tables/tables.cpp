#include "harness/tables/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/suggest.hpp"
#include "harness/document/find.hpp"
#include "harness/document/ratios.hpp"
#include "harness/plan/filters.hpp"
#include "harness/tables/conclusion.hpp"
#include "harness/tables/launch_sweep.hpp"
#include "harness/tables/notes.hpp"
#include "harness/tables/steps.hpp"
#include "harness/tables/user_kernels.hpp"
#include "harness/words/phrases.hpp"
#include "harness/workload/workload.hpp"

namespace bench {
namespace {

/// True for the same workload, precision and cache mode: cases, scaling, crossovers.
template <class A, class B>
bool same_kind(const A& a, const B& b) {
  return a.workload == b.workload && a.dtype == b.dtype && a.cache == b.cache;
}

/// What may be in one table: the same work on the same bytes.
template <class A, class B>
bool same_work(const A& a, const B& b) {
  return same_kind(a, b) && a.size == b.size;
}

const std::string& node_of(const Row& row) { return row.document->context.run.node; }

/// True where the kernel alone was not measured either, for the same reason.
bool said_already(const std::vector<CaseRecord>& cases, const CaseRecord& one) {
  if (one.measured() || one.scope == Scope::kernel) return false;
  return std::any_of(cases.begin(), cases.end(), [&](const CaseRecord& other) {
    return other.scope == Scope::kernel && same_work(other, one) && other.rung() == one.rung() &&
           other.status == one.status && other.reason == one.reason;
  });
}

/// A row and the number of its result file.
struct Found {
  std::size_t source;
  Row row;
};

/// All rows in the order of the result files; what was measured for comparison stays out.
std::vector<Found> all_rows(const std::vector<Merged>& sources) {
  std::vector<Found> rows;
  for (std::size_t source = 0; source < sources.size(); ++source) {
    const Merged& from = sources[source];
    const std::vector<CaseRecord>& cases = from.document.cases;
    for (const CaseRecord& one : cases) {
      const bool hidden = one.reference && one.rung() != naive_rung;
      if (hidden || one.beside || said_already(cases, one)) continue;
      rows.push_back({source, {&one, &from.document, &from.origin_of(one), one.over_serial}});
    }
  }
  return rows;
}

/// Keeps the rows that one of `wanted` selects. Each of them has to select some. `value` is what
/// the user sees of a row.
template <class Value, class Selects>
void keep_selected(std::vector<Found>& rows, const char* option,
                   const std::vector<std::string>& wanted, Value value, Selects selects) {
  if (wanted.empty()) return;
  std::set<std::string> there;
  for (const Found& found : rows) there.insert(value(found.row));
  for (const std::string& one : wanted) {
    if (std::any_of(rows.begin(), rows.end(),
                    [&](const Found& found) { return selects(one, found.row); })) {
      continue;
    }
    // Of paths the workloads, where no more was asked for.
    constexpr std::size_t most_named = 8;
    const bool path = one.find('/') != std::string::npos;
    std::set<std::string> known;
    for (const std::string& name : there) {
      known.insert(path ? name : name.substr(0, name.find('/')));
    }
    std::vector<std::string> names(known.begin(), known.end());
    const std::string near = nearest(one, names);
    const bool more = names.size() > most_named;
    if (more) names.resize(most_named);
    throw UsageError(
        names.empty()
            ? fmt::format("{} {}: nothing to choose from in these result files", option, one)
            : fmt::format("{} {}: not in these result files{}; there {} {}{}", option, one,
                          near.empty() ? "" : fmt::format(" (did you mean {}?)", near),
                          names.size() == 1 ? "is" : "are", fmt::join(names, ", "),
                          more ? ", …" : ""));
  }
  std::vector<Found> kept;
  for (Found& found : rows) {
    if (std::any_of(wanted.begin(), wanted.end(),
                    [&](const std::string& one) { return selects(one, found.row); })) {
      kept.push_back(std::move(found));
    }
  }
  rows.swap(kept);
}

/// The same where `says` decides by that.
template <class Value, class Says>
void keep_named(std::vector<Found>& rows, const char* option,
                const std::vector<std::string>& wanted, Value value, Says says) {
  keep_selected(rows, option, wanted, value,
                [&](const std::string& one, const Row& row) { return says(one, value(row)); });
}

const auto equal = std::equal_to<std::string>();

/// True for a size as names have it, or any number of as many elements.
bool says_same_size(const std::string& wanted, const Row& row) {
  if (wanted == row.result->size) return true;
  try {
    return parse_count(wanted) == row.result->elements;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

template <auto fact>
std::string text_of(const Row& row) {
  const Json text = written(row.result->*fact);
  return text.is_null() ? "" : text.template get<std::string>();
}

void select_work(std::vector<Found>& rows, const TableOptions& options) {
  keep_named(rows, "--node", options.nodes, node_of, matches);
  keep_named(rows, "--dtype", options.dtypes, text_of<&CaseRecord::dtype>, equal);
  keep_selected(rows, "--size", options.sizes, text_of<&CaseRecord::size>, says_same_size);
}

void select_rungs(std::vector<Found>& rows, const TableOptions& options) {
  keep_named(
      rows, "--filter", options.filters,
      [](const Row& row) { return row.result->workload + "/" + row.result->rung(); }, matches);
  keep_named(rows, "--scope", options.scopes, text_of<&CaseRecord::scope>, equal);
}

/// The one case of `baseline` that all rows of a table are compared with: the kernel alone before
/// end to end, the threads of the job before those that the user chose, more of them before fewer.
/// Null where it was not measured.
const CaseRecord* baseline_of(const Row& row, const std::string& baseline) {
  const CaseRecord* best = nullptr;
  std::tuple<bool, bool, int> best_fit;
  for (const CaseRecord& other : row.document->cases) {
    if (!other.measured() || other.rung() != baseline || other.beside) continue;
    if (!same_work(other, *row.result)) continue;
    const std::tuple fit{other.scope == Scope::kernel, !other.parameters.contains("threads"),
                         other.threads.value_or(0)};
    if (best != nullptr && fit <= best_fit) continue;
    best = &other;
    best_fit = fit;
  }
  return best;
}

/// Ratios over the variant that the user chose; each row has those over the naive loop.
void add_baseline(std::vector<Found>& rows, const TableOptions& options) {
  if (options.baseline.empty() || options.baseline == naive_rung) return;
  bool any = false;
  std::set<std::string> there;
  for (Found& found : rows) {
    Row& row = found.row;
    row.over_baseline.reset();
    if (!row.result->measured()) continue;
    there.insert(row.result->rung());
    const CaseRecord* const baseline = baseline_of(row, options.baseline);
    if (baseline == nullptr) continue;
    row.over_baseline = ratio_over(*baseline, *row.result);
    any = true;
  }
  if (!any) {
    throw UsageError(fmt::format("--baseline {}: not measured in these result files; there {} {}",
                                 options.baseline, there.size() == 1 ? "is" : "are",
                                 fmt::join(there, ", ")));
  }
}

/// A part of what a table is about, and the columns that show it row by row instead.
struct HeadingPart {
  std::vector<std::string_view> columns;
  std::string (*value)(const Found&, Language);
  bool in_title = true;  ///< else it is above all tables of a result file

  bool row_by_row(const std::vector<const TableColumn*>& shown) const {
    return std::any_of(shown.begin(), shown.end(), [&](const TableColumn* column) {
      return std::find(columns.begin(), columns.end(), column->key) != columns.end();
    });
  }
};

const std::vector<HeadingPart>& parts() {
  static const std::vector<HeadingPart> all{
      {{"node", "cpu", "gpu", "date", "revision", "file"},
       [](const Found& found, Language) { return std::to_string(found.source); },
       false},
      {{"workload"}, [](const Found& found, Language) { return found.row.result->workload; }},
      {{"dtype"},
       [](const Found& found, Language) { return text_of<&CaseRecord::dtype>(found.row); }},
      {{"size"}, [](const Found& found, Language) { return found.row.result->size; }},
      {{"cache"}, [](const Found& found, Language language) {
         if (found.row.result->imported()) return std::string();
         const bool cold = found.row.result->cache == CacheMode::cold;
         return say(language, cold ? phrases::cold_cache : phrases::hot_cache);
       }}};
  return all;
}

/// The parts that are above a table because no column shows them.
std::vector<const HeadingPart*> heading_parts(const std::vector<const TableColumn*>& columns) {
  std::vector<const HeadingPart*> above;
  for (const HeadingPart& part : parts()) {
    if (!part.row_by_row(columns)) above.push_back(&part);
  }
  return above;
}

std::string key_of(const Found& found, const std::vector<const HeadingPart*>& of) {
  std::string key;
  for (const HeadingPart* part : of) key += part->value(found, Language::en) + "\n";
  return key;
}

std::string title_of(const Found& found, const std::vector<const HeadingPart*>& above,
                     Language language) {
  std::vector<std::string> values;
  for (const HeadingPart* part : above) {
    if (part->in_title) values.push_back(part->value(found, language));
  }
  std::erase(values, "");
  return fmt::format("{}", fmt::join(values, " · "));
}

/// The columns that would tell one table from another.
std::vector<std::string> apart(const std::vector<Found>& rows,
                               const std::vector<const TableColumn*>& columns) {
  std::vector<std::string> keys;
  const auto several = [&](auto value) {
    std::set<std::string> values;
    for (const Found& found : rows) values.insert(value(found));
    return values.size();
  };
  const std::size_t nodes = several([](const Found& found) { return node_of(found.row); });
  for (const HeadingPart& part : parts()) {
    const std::size_t values =
        several([&](const Found& found) { return part.value(found, Language::en); });
    if (part.row_by_row(columns) || values < 2) continue;
    // Several runs of a node differ in their files.
    const bool by_file = !part.in_title && values > nodes;
    keys.emplace_back(by_file ? "file" : part.columns.front());
  }
  return keys;
}

bool less(const Json& a, const Json& b) {
  if (a.is_null() || b.is_null()) return false;
  if (a.is_number() && b.is_number()) return a.get<double>() < b.get<double>();
  return a.is_string() && b.is_string() && a.get<std::string>() < b.get<std::string>();
}

/// The fields of a column in a row; sizes as numbers.
std::vector<Json> values_of(const TableColumn& column, const Row& row) {
  const CaseRecord& one = *row.result;
  if (column.key == "size") return {one.elements, one.bins.value_or(0), one.steps.value_or(0)};
  std::vector<Json> values;
  for (const Field& field : column.fields) values.push_back(field.value(row));
  return values;
}

/// The last key first, so that the first one decides. What has no value comes last.
void sort_rows(std::vector<Row>& rows, const std::vector<std::string>& keys) {
  for (std::size_t left = keys.size(); left > 0; --left) {
    const std::string& key = keys[left - 1];
    const bool descending = key.starts_with('-');
    const TableColumn& by = column(std::string_view(key).substr(descending ? 1 : 0), "--sort");
    std::vector<std::pair<std::vector<Json>, const Row*>> order;
    for (const Row& row : rows) order.emplace_back(values_of(by, row), &row);
    std::stable_sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
      if (a.first[0].is_null() != b.first[0].is_null()) return b.first[0].is_null();
      const auto& first = descending ? b.first : a.first;
      const auto& second = descending ? a.first : b.first;
      return std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end(),
                                          less);
    });
    std::vector<Row> sorted;
    for (const auto& [value, row] : order) sorted.push_back(*row);
    rows.swap(sorted);
  }
}

/// How the variants of a table scale with threads, a line each; none if not asked for.
void add_scaling(Sheet& sheet, Language language) {
  const Row& of = sheet.rows.front();
  for (const ScalingRecord& entry : of.document->scaling) {
    if (!same_work(entry, *of.result)) continue;
    sheet.notes.push_back(scaling_text(entry, language));
    sheet.doubtful_scaling |= std::any_of(entry.points.begin(), entry.points.end(),
                                          [](const ScalingPoint& one) { return one.doubtful; });
  }
}

/// A note; a name, where it says that figures are not quite what they seem.
struct NoteOfRows {
  std::string_view caution;
  std::string (*text)(const std::vector<Row>&, Language);
};
constexpr NoteOfRows notes_of_rows[] = {
    {"launch", launch_text}, {"l2_cache", l2_text}, {"first_call", first_call_text},
    {"noise", noise_text},   {"", executions_text}, {"", energy_text},
    {"", counters_text},     {"", compiler_text},   {"unchecked", unchecked_text},
    {"", why_slow_text},
};

/// Adds from which size on the GPU wins, under the last table of a workload, precision and cache
/// mode: all sizes together say it.
void add_crossovers(std::vector<Sheet>& sheets, Language language) {
  for (auto sheet = sheets.begin(); sheet != sheets.end(); ++sheet) {
    const Row& here = sheet->rows.front();
    const bool last = std::none_of(sheet + 1, sheets.end(), [&](const Sheet& other) {
      return other.source == sheet->source && same_kind(*other.rows.front().result, *here.result);
    });
    if (!last) continue;
    for (std::string& line : crossover_texts(here.document->crossovers, *here.result, language)) {
      sheet->notes.push_back(std::move(line));
    }
  }
}

}  // namespace

Sheets make_sheets(std::vector<Merged> sources, const TableOptions& options,
                   const std::vector<std::string>& columns) {
  Sheets all;
  all.sources = std::move(sources);
  all.columns = columns_of(options.columns.empty() ? columns : options.columns, "--columns");
  for (const std::string& key : options.sort) {
    if (key == "-") throw UsageError("--sort -: name a column after the dash, e.g. -time");
    column(std::string_view(key).substr(key.starts_with('-') ? 1 : 0), "--sort");
  }
  std::vector<Found> rows = all_rows(all.sources);
  select_work(rows, options);
  const auto above = heading_parts(all.columns);
  std::map<std::string, std::size_t> variants;
  for (const Found& found : rows) ++variants[key_of(found, above)];
  select_rungs(rows, options);
  add_baseline(rows, options);
  std::map<std::string, std::vector<Row>> ladders;
  for (const Found& found : rows) ladders[key_of(found, above)].push_back(found.row);
  keep_named(rows, "--status", options.statuses, text_of<&CaseRecord::status>, equal);
  all.apart = apart(rows, all.columns);

  std::map<std::string, std::size_t> known;
  std::vector<std::string> keys;
  for (Found& found : rows) {
    const std::string key = key_of(found, above);
    const auto [place, is_new] = known.emplace(key, all.sheets.size());
    if (is_new) {
      all.sheets.push_back(
          {found.source, title_of(found, above, options.language), {}, {}, "", {}, false, {}});
      keys.push_back(key);
    }
    all.sheets[place->second].rows.push_back(std::move(found.row));
  }
  // Sentences are about whole ladders of one piece of work, each at its size.
  const bool sentences = above.size() == parts().size() && options.preset == Preset::none;
  for (std::size_t i = 0; i < all.sheets.size(); ++i) {
    Sheet& sheet = all.sheets[i];
    if (options.preset == Preset::steps) {
      sheet.rows = rows_of_steps(sheet.rows);
      sheet.conclusion = text_of_steps(sheet.rows, options.language);
    }
    const std::vector<Row>& ladder = ladders.at(keys[i]);
    const bool ours = !ladder.front().result->imported();
    if (sentences && ours && ladder.size() == variants.at(keys[i])) {
      const bool compared = std::any_of(sheet.rows.begin(), sheet.rows.end(), [](const Row& row) {
        return row.over_baseline.has_value();
      });
      sheet.answer = answer_of(ladder);
      sheet.conclusion = conclusion(ladder, *sheet.answer, options.language, compared);
      add_scaling(sheet, options.language);
      for (std::string& line : launch_sweep_texts(sheet.rows, options.language)) {
        sheet.notes.push_back(std::move(line));
      }
      for (const auto& [caution, text] : notes_of_rows) {
        std::string line = text(sheet.rows, options.language);
        if (line.empty()) continue;
        sheet.notes.push_back(std::move(line));
        if (!caution.empty()) sheet.cautions.emplace_back(caution);
      }
    }
    sort_rows(sheet.rows, options.sort);
  }
  std::erase_if(all.sheets, [](const Sheet& sheet) { return sheet.rows.empty(); });
  if (sentences) add_crossovers(all.sheets, options.language);
  return all;
}

std::vector<Merged> read_for_tables(const std::vector<std::string>& paths,
                                    const TableOptions& options,
                                    std::vector<std::string>& unreadable) {
  std::vector<std::string> files;
  for (const auto& file : find_documents(paths)) files.push_back(file.string());
  // The samples of thousands of result files take memory.
  constexpr std::size_t few = 32;
  const bool other_baseline = !options.baseline.empty() && options.baseline != naive_rung;
  const bool with_samples = other_baseline || files.size() <= few;
  std::vector<Document> documents =
      read_documents(files, with_samples ? Keep::everything : Keep::no_samples, unreadable);
  if (documents.empty()) throw UsageError(unreadable.front());
  if (!with_samples) {
    // Ratios over another run's baseline are made of samples.
    for (const std::vector<std::size_t>& group : together(documents)) {
      if (group.size() < 2) continue;
      for (const std::size_t i : group) documents[i] = read_document(files[i]);
    }
  }
  return merge(std::move(documents), files);
}

}  // namespace bench

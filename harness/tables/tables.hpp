// Tables for people and for programs, made from result files alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/merge.hpp"
#include "harness/tables/answer.hpp"
#include "harness/tables/columns.hpp"
#include "harness/tables/row.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// Tables of a course. course: its columns alone; steps: those of bench course.
enum class Preset { none, course, steps };

/// What to show of result files, and how. The defaults show everything.
struct TableOptions {
  Language language = Language::en;
  Preset preset = Preset::none;
  std::string baseline;  ///< backend/variant that `speedup` is over; empty: the naive loop
  std::vector<std::string> columns;  ///< empty: those that suit the format
  std::vector<std::string> sort;     ///< columns, `-` before one for descending; empty: the ladder
  std::vector<std::string> filters;  ///< globs on workload/backend/variant
  std::vector<std::string> dtypes;
  std::vector<std::string> sizes;
  std::vector<std::string> scopes;
  std::vector<std::string> statuses;
  std::vector<std::string> nodes;  ///< globs
  std::size_t width = 80;          ///< columns that text may take
};

/// Rows under one heading. Unless columns say otherwise, all of one run, workload, precision, size
/// and cache mode.
struct Sheet {
  std::size_t source = 0;  ///< the first row's, into Sheets::sources
  std::string title;       ///< what no column shows: `energy · f32 · 10000000 · cold cache`
  std::vector<Row> rows;
  std::optional<Answer> answer;       ///< nothing where the table has not all variants
  std::string conclusion;             ///< the answer in words
  std::vector<std::string> notes;     ///< scaling, and where the GPU wins
  bool doubtful_scaling = false;      ///< a point of it is uncertain
  std::vector<std::string> cautions;  ///< names of notes that warn: launch, l2_cache, …
};

/// Tables, and the result files that their rows refer to.
struct Sheets {
  std::vector<Merged> sources;
  std::vector<const TableColumn*> columns;
  std::vector<Sheet> sheets;
  std::vector<std::string>
      apart;  ///< columns that distinguish the tables, where more than one does
};

/// The rows that `options` ask for; ratios over the baseline are of one workload, precision, size,
/// cache mode and node only. `columns` is what to show where the options name none. Throws
/// UsageError where an option names nothing that is there.
Sheets make_sheets(std::vector<Merged> sources, const TableOptions& options,
                   const std::vector<std::string>& columns);

/// Reads result files (files or folders) for tables of these options, with their samples only where
/// ratios have to be computed; `unreadable` says why some are missing. Throws UsageError where all
/// are.
std::vector<Merged> read_for_tables(const std::vector<std::string>& paths,
                                    const TableOptions& options,
                                    std::vector<std::string>& unreadable);

}  // namespace bench

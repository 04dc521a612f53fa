// Tables as they are printed: text in the user's language, not yet in any format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/tables/tables.hpp"

namespace bench {

/// A row's cells, one per column. Where the case was not measured, `instead` replaces the
/// figures, from the first to the last of a run of columns that only measured cases have.
struct PrintedRow {
  std::vector<std::string> cells;
  std::vector<std::string_view> doubtful;  ///< keys of the columns with a figure that is uncertain
  std::string instead;  ///< `skipped: no device …`; empty where it was measured
  std::size_t instead_from = 0;
  std::size_t instead_to = 0;  ///< one beyond
  const Row* row = nullptr;
};

/// What a backend's rows have in common, none of which was measured: `4 variants skipped: no
/// device`.
struct Folded {
  std::string backend;
  std::string text;
  std::vector<std::size_t> rows;  ///< into PrintedTable::rows, in order
};

struct PrintedTable {
  std::size_t source = 0;  ///< into Printed::titles
  std::string title;       ///< as in Sheet
  std::string caption;     ///< the same with machine, revision and date, for a hand-out
  std::vector<std::string> headings;
  std::vector<PrintedRow> rows;
  std::vector<Folded> folded;
  std::string conclusion;
  std::vector<std::string> notes;
};

struct Printed {
  std::vector<const TableColumn*> columns;
  std::vector<std::string> titles;  ///< what was measured where, by result file; empty: not shown
  std::vector<PrintedTable> tables;
  std::vector<std::string> legend;
  std::vector<std::string> warnings;                   ///< of all result files that are shown
  std::vector<std::vector<std::string>> run_warnings;  ///< by result file
  std::vector<const Sheet*> answered;                  ///< what the last lines are about
};

Printed printed(const Sheets& sheets, const TableOptions& options);

/// One row instead of the folded ones of each backend.
Printed folded(Printed all);

/// The same without a column.
Printed without(Printed all, std::size_t column);

}  // namespace bench

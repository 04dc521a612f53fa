// The formats of tables.
#pragma once

#include <string>

#include "harness/base/styled.hpp"
#include "harness/tables/printed.hpp"
#include "harness/tables/tables.hpp"

namespace bench {

enum class Format { text, json, csv, markdown, latex, html };

/// The tables for terminals: as wide as the options say, unless names are longer. Columns of
/// figures that have no room are left out, and named.
StyledText text_tables(const Printed& all, const TableOptions& options);

std::string markdown_tables(const Printed& printed, const TableOptions& options);

/// A file that compiles as it is; inside another one (with booktabs), \input takes its tables.
std::string latex_tables(const Printed& printed, const TableOptions& options);

/// A fragment: sections with a table each, and nothing that runs or has to be fetched.
std::string html_tables(const Printed& printed, const TableOptions& options);

/// Tidy: a line per case, full precision, a decimal point in every language.
std::string csv_tables(const Sheets& sheets, const TableOptions& options);

/// Everything for programs: figures and the printed text of each row, and the answer of each table
/// that has all variants ("bench-tables/1").
Json json_tables(const Printed& printed, const Sheets& sheets, const TableOptions& options);

/// The tables of result files in any format.
std::string tables(std::vector<Merged> sources, const TableOptions& options, Format format);

/// The same for a terminal.
StyledText text_tables(std::vector<Merged> sources, const TableOptions& options);

/// The tables of one result file, as a run prints them.
StyledText text_tables(Document document, const TableOptions& options = {});

}  // namespace bench

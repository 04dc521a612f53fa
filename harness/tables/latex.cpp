// Tables for LaTeX, with booktabs.

#include <fmt/format.h>

#include <algorithm>

#include "harness/tables/escape.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/render.hpp"

namespace bench {
namespace {

/// What stands around tables that are a document of their own. Inside another one, whose preamble
/// is over, \documentclass is no command any more, and only the tables are read.
constexpr const char* head =
    R"(% Compiles as it is. Or, with \usepackage{{booktabs}}, \input it where its tables shall be.
\makeatletter
\ifx\documentclass\@notprerr
\makeatother\def\benchend{{}}
\else
\makeatother\def\benchend{{\end{{document}}}}
\documentclass{{article}}
\usepackage[utf8]{{inputenc}}
\usepackage{{booktabs}}
\usepackage[margin=18mm]{{geometry}}
\renewcommand{{\tablename}}{{{0}}}
\begin{{document}}
\fi
)";
constexpr const char* foot = "\n\\benchend\n";

/// Running text: names of cases may be broken after a slash.
std::string paragraph(const std::string& text) {
  std::string broken;
  for (const char c : latex_text(text)) {
    broken += c;
    if (c == '/') broken += "\\allowbreak{}";
  }
  return broken;
}

std::string row_text(const std::vector<std::string>& cells) {
  // After the end of a line a bracket or a star would be an option of it.
  const bool protect = !cells.empty() && (cells[0].starts_with('[') || cells[0].starts_with('*'));
  return fmt::format("{}{} \\\\\n", protect ? "{}" : "", fmt::join(cells, " & "));
}

std::string row_text(const PrintedRow& row) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (row.instead.empty() || i < row.instead_from || i >= row.instead_to) {
      cells.push_back(latex_text(row.cells[i]));
    } else if (i == row.instead_from) {
      cells.push_back(fmt::format(
          "\\multicolumn{{{}}}{{l}}{{\\parbox[t]{{0.5\\linewidth}}{{\\raggedright\\itshape {}}}}}",
          row.instead_to - row.instead_from, latex_text(row.instead)));
    }
  }
  return row_text(cells);
}

/// Some of the rows as a table of their own: more than a page holds would be lost.
std::string table_text(const PrintedTable& table, const std::vector<const TableColumn*>& columns,
                       std::size_t begin, std::size_t end) {
  constexpr std::size_t few = 4;  // more have to be set narrow to fit a page's width
  std::string alignment;
  std::vector<std::string> headings;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    alignment += columns[i]->number ? 'r' : 'l';
    headings.push_back(latex_text(table.headings[i]));
  }
  std::string text = fmt::format(
      "\n\\begin{{table}}[htbp]\n\\centering{}\n\\caption{{{}}}\n\\smallskip\n"
      "\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n",
      columns.size() > few ? "\\footnotesize\\setlength{\\tabcolsep}{3pt}" : "\\small",
      paragraph(table.caption), alignment, row_text(headings));
  for (std::size_t i = begin; i < end; ++i) text += row_text(table.rows[i]);
  text += "\\bottomrule\n\\end{tabular}\n";
  if (end < table.rows.size()) return text + "\\end{table}\n";
  std::vector<std::string> below = table.notes;
  if (!table.conclusion.empty()) below.insert(below.begin(), table.conclusion);
  for (const std::string& sentence : below) {
    text += fmt::format("\n\\smallskip\n\\parbox{{\\linewidth}}{{{}}}\n", paragraph(sentence));
  }
  return text + "\\end{table}\n";
}

}  // namespace

std::string latex_tables(const Printed& printed, const TableOptions& options) {
  std::string text = fmt::format(fmt::runtime(head), say(options.language, phrases::table));
  std::size_t floats = 0;
  for (const PrintedTable& table : printed.tables) {
    constexpr std::size_t rows_of_a_page = 40;
    for (std::size_t begin = 0; begin < table.rows.size(); begin += rows_of_a_page) {
      // LaTeX gives up where too many of them wait for a place.
      constexpr std::size_t most_waiting = 10;
      if (++floats % most_waiting == 0) text += "\n\\clearpage\n";
      text += table_text(table, printed.columns, begin,
                         std::min(begin + rows_of_a_page, table.rows.size()));
    }
  }
  std::vector<std::string> below = printed.legend;
  for (const std::string& warning : printed.warnings) {
    below.push_back(say(options.language, phrases::warning, warning));
  }
  for (const std::string& line : below) {
    text += fmt::format("\n{{\\footnotesize\\noindent {}\\par}}\n", paragraph(line));
  }
  return text + foot;
}

}  // namespace bench

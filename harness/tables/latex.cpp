// Tables for LaTeX, with booktabs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/tables/render.hpp"
#include "harness/words/escape.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

/// What is around tables that are compiled as they are. Inside another file, whose preamble
/// is over, \documentclass is not a command any more, and only the tables are read.
constexpr const char* head =
    R"(% Compiles as it is. Or, with \usepackage{{booktabs}}, \input it where its tables go.
\makeatletter
\ifx\documentclass\@notprerr
\makeatother\def\benchend{{}}
\else
\makeatother\def\benchend{{\end{{document}}}}
\documentclass{{article}}
\usepackage[utf8]{{inputenc}}
\IfFileExists{{lmodern.sty}}{{\usepackage[T1]{{fontenc}}\usepackage{{lmodern}}}}{{}}
{0}\usepackage{{booktabs}}
\usepackage[margin=18mm]{{geometry}}
% As many tables on a page as it holds.
\renewcommand{{\textfraction}}{{0}}\renewcommand{{\topfraction}}{{1}}\renewcommand{{\bottomfraction}}{{1}}
\setcounter{{topnumber}}{{9}}\setcounter{{bottomnumber}}{{9}}\setcounter{{totalnumber}}{{9}}
\begin{{document}}
\fi
)";
/// Quotes of the font where it has them, else those of a font that every LaTeX has.
constexpr const char* quotes =
    R"(\makeatletter
\def\bench@quote#1#2{\@ifundefined{\f@encoding\string#1}%
  {{\fontencoding{U}\fontfamily{lasy}\selectfont\symbol{#2}\kern-0.2em\symbol{#2}}}{#1}}
\def\benchopen{\leavevmode\bench@quote\guillemotleft{40}}
\def\benchclose{\bench@quote\guillemotright{41}}
\makeatother
)";
constexpr const char* foot = "\n\\benchend\n";

/// What the preamble says of a language: hyphens, captions. By the data that come with babel
/// itself; packages of single languages need not be there.
std::string babel(Language language) {
  if (language == Language::en) return "";
  static constexpr Phrase names{"english", "portuguese", "spanish", "french"};
  const std::string name(names.in(language));
  std::string lines = fmt::format(
      "\\usepackage[{0},provide=*]{{babel}}\n"
      "\\addto\\captions{0}{{\\renewcommand{{\\tablename}}{{{1}}}}}\n",
      name, say(language, phrases::table));
  if (language == Language::fr) {  // a blank before the colon
    lines +=
        "\\usepackage{caption}\n\\DeclareCaptionLabelSeparator{apart}{~: }\n"
        "\\captionsetup{labelsep=apart}\n";
  }
  return lines;
}

/// `2026-11-21 09:34`, which the text has at `i`, and where no line may break: how long it is, or
/// 0.
std::size_t date_at(const std::string& text, std::size_t i) {
  constexpr std::string_view day = "0000-00-00";
  if (text.size() - i < day.size()) return 0;
  for (std::size_t k = 0; k < day.size(); ++k) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i + k])) != 0;
    if (digit != (day[k] == '0') || (!digit && text[i + k] != '-')) return 0;
  }
  return day.size();
}

/// Running text: names of cases may be broken after a slash, comma or sign of equality.
std::string paragraph(const std::string& text) {
  const std::string escaped = latex_text(text);
  std::string broken;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (const std::size_t date = date_at(escaped, i); date > 0) {
      broken += "\\mbox{" + escaped.substr(i, date) + "}";
      i += date - 1;
      continue;
    }
    broken += escaped[i];
    const bool inside = i + 1 < escaped.size() && escaped[i + 1] != ' ';
    if (inside && std::string_view("/,=").find(escaped[i]) != std::string_view::npos) {
      broken += "\\allowbreak{}";
    }
  }
  return broken;
}

std::string row_text(const std::vector<std::string>& cells) {
  // After the end of a line a bracket or a star would be an option of it.
  const bool protect = !cells.empty() && (cells[0].starts_with('[') || cells[0].starts_with('*'));
  return fmt::format("{}{} \\\\\n", protect ? "{}" : "", fmt::join(cells, " & "));
}

/// A reason may be wider than the columns that it spans: it takes no width, or the last one of them
/// would grow.
std::string row_text(const PrintedRow& row, const char* room) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (row.instead.empty() || i < row.instead_from || i >= row.instead_to) {
      cells.push_back(latex_text(row.cells[i]));
    } else if (i == row.instead_from) {
      cells.push_back(
          fmt::format("\\multicolumn{{{}}}{{l}}{{\\makebox[0pt][l]{{\\parbox[t]{{{}\\linewidth}}"
                      "{{\\raggedright\\itshape {}\\strut}}}}}}",
                      row.instead_to - row.instead_from, room, latex_text(row.instead)));
    }
  }
  return row_text(cells);
}

/// Some of the rows as a table of their own: more than a page holds would be lost.
std::string latex_table(const PrintedTable& table, const std::vector<const TableColumn*>& columns,
                        std::size_t begin, std::size_t end) {
  constexpr std::size_t few = 4;  // more have to be set narrow to fit a page's width
  std::string alignment;
  std::vector<std::string> headings;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    alignment += columns[i]->traits.number ? 'r' : 'l';
    headings.push_back(latex_text(table.headings[i]));
  }
  std::string text = fmt::format(
      "\n\\begin{{table}}[htbp]\n\\centering{}\n\\caption{{{}}}\n\\smallskip\n"
      "\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n",
      columns.size() > few ? "\\footnotesize\\setlength{\\tabcolsep}{2pt}" : "\\small",
      paragraph(table.caption), alignment, row_text(headings));
  const char* const room = columns.size() > few ? "0.46" : "0.3";
  for (std::size_t i = begin; i < end; ++i) text += row_text(table.rows[i], room);
  text += "\\bottomrule\n\\end{tabular}\n";
  if (end < table.rows.size()) return text + "\\end{table}\n";
  std::vector<std::string> below = table.notes;
  if (!table.conclusion.empty()) below.insert(below.begin(), table.conclusion);
  for (const std::string& sentence : below) {
    text +=
        fmt::format("\n\\smallskip\n\\parbox{{\\linewidth}}{{\\sloppy {}}}\n", paragraph(sentence));
  }
  return text + "\\end{table}\n";
}

}  // namespace

std::string latex_tables(const Printed& printed, const TableOptions& options) {
  std::string text = fmt::format(fmt::runtime(head), babel(options.language)) + quotes;
  std::size_t floats = 0;
  for (const PrintedTable& table : printed.tables) {
    constexpr std::size_t rows_of_a_page = 40;
    for (std::size_t begin = 0; begin < table.rows.size(); begin += rows_of_a_page) {
      // LaTeX gives up where too many of them wait for a place.
      constexpr std::size_t most_waiting = 10;
      if (++floats % most_waiting == 0) text += "\n\\clearpage\n";
      text += latex_table(table, printed.columns, begin,
                          std::min(begin + rows_of_a_page, table.rows.size()));
    }
  }
  std::vector<std::string> below = printed.legend;
  for (const std::string& warning : printed.warnings) {
    below.push_back(say(options.language, phrases::warning, warning));
  }
  for (const std::string& line : below) {
    text += fmt::format("\n{{\\footnotesize\\sloppy\\noindent {}\\par}}\n", paragraph(line));
  }
  return text + foot;
}

}  // namespace bench

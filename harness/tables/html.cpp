// Tables as a fragment of an HTML page.

#include <fmt/format.h>

#include "harness/tables/render.hpp"
#include "harness/words/escape.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

/// Numbers are flush right, which the page's style alone cannot give.
std::string cell(const char* tag, const std::string& text, bool number, std::size_t span = 1) {
  return fmt::format("<{0}{1}{2}{3}>{4}</{0}>", tag, tag[1] == 'h' ? " scope=\"col\"" : "",
                     number ? " style=\"text-align:right\"" : "",
                     span > 1 ? fmt::format(" colspan=\"{}\"", span) : "", html_text(text));
}

std::string row_text(const PrintedRow& row, const std::vector<const TableColumn*>& columns) {
  std::string text = "<tr>";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (row.instead.empty() || i < row.instead_from || i >= row.instead_to) {
      text += cell("td", row.cells[i], columns[i]->traits.number);
    } else if (i == row.instead_from) {
      text += cell("td", row.instead, false, row.instead_to - row.instead_from);
    }
  }
  return text + "</tr>\n";
}

std::string html_table(const PrintedTable& table, const std::vector<const TableColumn*>& columns) {
  std::string text =
      fmt::format("<table>\n<caption>{}</caption>\n<thead>\n<tr>", html_text(table.caption));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += cell("th", table.headings[i], columns[i]->traits.number);
  }
  text += "</tr>\n</thead>\n<tbody>\n";
  for (const PrintedRow& row : table.rows) text += row_text(row, columns);
  text += "</tbody>\n</table>\n";
  if (!table.conclusion.empty()) text += "<p>" + html_text(table.conclusion) + "</p>\n";
  for (const std::string& note : table.notes) text += "<p>" + html_text(note) + "</p>\n";
  return text;
}

}  // namespace

std::string html_tables(const Printed& printed, const TableOptions& options) {
  std::string text =
      fmt::format("<section class=\"bench\" lang=\"{}\">\n", name_of(options.language));
  for (const PrintedTable& table : printed.tables) text += html_table(table, printed.columns);
  for (const std::string& line : printed.legend) {
    text += "<p><small>" + html_text(line) + "</small></p>\n";
  }
  for (const std::string& warning : printed.warnings) {
    text += "<p>" + html_text(say(options.language, phrases::warning, warning)) + "</p>\n";
  }
  return text + "</section>\n";
}

}  // namespace bench

// Tables for Markdown (GitHub's, Pandoc's).

#include "harness/tables/answer_lines.hpp"
#include "harness/tables/render.hpp"
#include "harness/words/escape.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

/// A format without spanning cells: the reason is in the first figure's place.
std::string row_text(const PrintedRow& row) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const bool reason = !row.instead.empty() && i == row.instead_from;
    const bool other = !row.instead.empty() && i > row.instead_from && i < row.instead_to;
    cells.push_back(markdown_text(reason ? row.instead : other ? "–" : row.cells[i]));
  }
  return line(cells);
}

std::string markdown_answer(const AnswerLines& answer) {
  std::string text = "**" + markdown_text(answer.title) + "**\n\n";
  const auto add = [&](std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = markdown_text(cell);
    text += line(cells);
  };
  add(answer.headings);
  text += line(std::vector<std::string>(answer.headings.size(), ":---"));
  for (const std::vector<std::string>& row : answer.rows) add(row);
  return text;
}

std::string markdown_table(const PrintedTable& table,
                           const std::vector<const TableColumn*>& columns) {
  std::string text = "**" + markdown_text(table.caption) + "**\n\n";
  std::vector<std::string> headings;
  std::vector<std::string> rules;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    headings.push_back(markdown_text(table.headings[i]));
    rules.emplace_back(columns[i]->traits.number ? "---:" : ":---");
  }
  text += line(headings) + line(rules);
  for (const PrintedRow& row : table.rows) text += row_text(row);
  if (!table.conclusion.empty()) text += "\n" + markdown_text(table.conclusion) + "\n";
  for (const std::string& note : table.notes) text += "\n" + markdown_text(note) + "\n";
  return text;
}

}  // namespace

std::string markdown_tables(const Printed& printed, const TableOptions& options) {
  std::string text;
  for (const PrintedTable& table : printed.tables) {
    text += (text.empty() ? "" : "\n") + markdown_table(table, printed.columns);
  }
  for (const std::string& line : printed.legend) text += "\n" + markdown_text(line) + "\n";
  for (const std::string& warning : printed.warnings) {
    text += "\n" + markdown_text(say(options.language, phrases::warning, warning)) + "\n";
  }
  if (const auto answer = answer_lines(printed.answered, options, any_width)) {
    text += "\n" + markdown_answer(*answer);
  }
  return text;
}

}  // namespace bench

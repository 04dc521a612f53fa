#include "harness/formats/cells.hpp"

#include <algorithm>
#include <utility>

#include "harness/base/fields.hpp"

namespace bench {
namespace {

/// The cells of a line; quotes protect commas, and two of them stand for one.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else if (line[i] != '\r') {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) cell = printable(cell);
  return cells;
}

/// Takes a line from the text, without its end.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::optional<Rows> rows_below(std::string_view header, std::string_view csv) {
  std::string_view line;
  while (!csv.empty() && !line.starts_with(header)) line = next_line(csv);
  if (!line.starts_with(header)) return {};
  const std::size_t columns = cells_of(line).size();
  Rows rows;
  while (!csv.empty()) {
    line = next_line(csv);
    if (line.starts_with(header)) continue;  // of several files in one
    std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns) break;
    rows.push_back(std::move(cells));
  }
  return rows;
}

void wrong_in(std::size_t row, const std::string& what) {
  const Where root;
  throw Misfit(Where(root, "row " + std::to_string(row + 1)), what);
}

double number_in(const Rows& rows, std::size_t row, std::size_t column) {
  const std::string& text = rows[row][column];
  const auto number = number_in(text);
  if (!number) wrong_in(row, "is not a number: '" + text + "'");
  return *number;
}

}  // namespace bench

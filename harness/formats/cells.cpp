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
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (csv.starts_with(byte_order_mark)) csv.remove_prefix(byte_order_mark.size());
  Rows rows;
  for (bool inside = false; !csv.empty();) {
    const std::string_view line = next_line(csv);
    std::vector<std::string> cells = cells_of(line);
    const bool heading = line.starts_with(header);
    const bool row = cells.size() > 1 && line.find_first_of("0123456789") != std::string_view::npos;
    inside = heading || (inside && row);
    if (!inside) continue;
    if (!rows.empty() && cells.size() != rows.front().size()) {
      wrong_in(rows.size(), fmt::format("has {} cells, not {}", cells.size(), rows.front().size()));
    }
    if (heading && !rows.empty() && cells != rows.front()) {
      wrong_in(rows.size(), "is another heading: import each table on its own");
    }
    if (!heading || rows.empty()) rows.push_back(std::move(cells));
  }
  if (rows.empty()) return {};
  return rows;
}

void wrong_in(std::size_t row, const std::string& what) {
  const Where root;
  throw Misfit(Where(root, "row " + std::to_string(row)), what);
}

double number_in(const Rows& rows, std::size_t row, std::size_t column) {
  const std::string& text = rows[row][column];
  const auto number = number_in(text);
  if (!number) wrong_in(row, "is not a number: '" + text + "'");
  return *number;
}

}  // namespace bench

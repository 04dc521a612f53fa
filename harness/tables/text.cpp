// Tables on a terminal.

#include "harness/base/text.hpp"

#include <algorithm>
#include <optional>

#include "harness/document/doubt.hpp"
#include "harness/tables/answer_lines.hpp"
#include "harness/tables/render.hpp"
#include "harness/words/padded.hpp"
#include "harness/words/phrases.hpp"

namespace bench {
namespace {

constexpr std::size_t indent = 2;

/// How wide a column has to be at least, the blanks before it included.
std::size_t least_width(const PrintedTable& table, const TableColumn& column, std::size_t i) {
  std::size_t widest = columns(table.headings[i]);
  for (const PrintedRow& row : table.rows) widest = std::max(widest, columns(row.cells[i]));
  return widest + (column.traits.number ? 1 : indent);
}

/// How wide each column is, the blanks before it included.
std::vector<std::size_t> widths_of(const PrintedTable& table,
                                   const std::vector<const TableColumn*>& columns_shown,
                                   std::size_t width) {
  std::vector<std::size_t> widths;
  std::vector<std::size_t> least;
  std::size_t total = 0;
  for (std::size_t i = 0; i < columns_shown.size(); ++i) {
    least.push_back(least_width(table, *columns_shown[i], i));
    widths.push_back(std::max(columns_shown[i]->traits.width, least.back()));
    total += widths.back();
  }
  // Long labels take their room from the blanks before the interval, then from all that there are.
  const auto give = [&](std::size_t i, std::size_t blanks) {
    const std::size_t given = std::min(blanks, widths[i] - least[i]);
    widths[i] -= given;
    total -= given;
  };
  for (std::size_t i = 0; i < widths.size() && total > width; ++i) {
    constexpr std::size_t spare = 2;
    if (columns_shown[i]->traits.interval) give(i, spare);
  }
  for (std::size_t i = 0; i < widths.size() && total > width; ++i) {
    give(i, total - width);
  }
  return widths;
}

bool has_room(const Printed& printed, std::size_t width) {
  return std::all_of(printed.tables.begin(), printed.tables.end(), [&](const PrintedTable& table) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < printed.columns.size(); ++i) {
      total += least_width(table, *printed.columns[i], i);
    }
    return total <= width;
  });
}

/// User kernels are compared in some table: by their intervals.
bool has_race(const Printed& printed) {
  return std::any_of(printed.tables.begin(), printed.tables.end(), [](const PrintedTable& table) {
    return std::any_of(table.rows.begin(), table.rows.end(), [](const PrintedRow& row) {
      const CaseRecord& one = *row.row->result;
      return one.standing && submitted(one);
    });
  });
}

/// What a narrow terminal has room for; the columns that were left out are named at the end. In a
/// race the order is reversed, so that intervals stay longest.
Printed narrowed(Printed printed, const TableOptions& options) {
  std::string left_out;
  const bool race = has_race(printed);
  const auto gives_way_before = [race](const TableColumn* one, const TableColumn* other) {
    const int a = one->traits.gives_way;
    const int b = other->traits.gives_way;
    return a != 0 && (b == 0 || (race ? a > b : a < b));  // those that stay come last
  };
  while (!has_room(printed, options.width)) {
    const auto first =
        std::min_element(printed.columns.begin(), printed.columns.end(), gives_way_before);
    if ((*first)->traits.gives_way == 0) break;
    const auto column = static_cast<std::size_t>(first - printed.columns.begin());
    left_out += (left_out.empty() ? "" : ", ") + printed.tables.front().headings[column];
    printed = without(std::move(printed), column);
  }
  if (!left_out.empty()) {
    printed.legend.push_back(say(options.language, phrases::no_room, left_out));
  }
  return printed;
}

std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                 const std::vector<const TableColumn*>& columns_shown, std::size_t end) {
  std::string text;
  for (std::size_t i = 0; i < end; ++i) {
    text += columns_shown[i]->traits.number
                ? padded_left(cells[i], widths[i])
                : std::string(indent, ' ') + padded_right(cells[i], widths[i] - indent);
  }
  return text;
}

/// How much faster than the best CPU variant a row is that may be the best of its table: a vendor's
/// library does not count.
std::optional<double> in_the_race(const PrintedRow& row) {
  const CaseRecord& of = *row.row->result;
  if (!row.instead.empty() || !of.ours() || !of.over_best_cpu) return {};
  return of.over_best_cpu->value;
}

/// The style of a row without a time.
Style style_of(Status status) {
  if (status == Status::failed) return Style::failed;
  return status == Status::checked ? Style::checked : Style::skipped;
}

/// The style of each row. Of a table that says what is best, the best ones are; equal ones all are.
std::vector<Style> styles_of(const PrintedTable& table,
                             const std::vector<const TableColumn*>& columns_shown) {
  const bool race = any_with(
      columns_shown, [](const Traits& traits) { return traits.figure == Figure::over_best; });
  double greatest = 0;
  for (const PrintedRow& row : table.rows) {
    greatest = std::max(greatest, in_the_race(row).value_or(0));
  }
  std::vector<Style> styles;
  for (const PrintedRow& row : table.rows) {
    styles.push_back(!row.instead.empty()                   ? style_of(row.row->result->status)
                     : race && in_the_race(row) == greatest ? Style::best
                                                            : Style::plain);
  }
  return styles;
}

/// A row that shows its reason instead of figures.
std::string row_with_reason(const PrintedRow& row, const std::vector<std::size_t>& widths,
                            const std::vector<const TableColumn*>& columns_shown,
                            std::size_t width) {
  std::string start = line(row.cells, widths, columns_shown, row.instead_from);
  const std::size_t used = columns(start) + indent;
  std::size_t room = columns(start);
  for (std::size_t i = row.instead_from; i < row.instead_to; ++i) room += widths[i];
  constexpr std::size_t little = 30;  // columns for a reason: it goes below the row
  if (used + little <= width) {
    start += std::string(indent, ' ') + wrapped(row.instead, width, used + indent, used);
  } else {
    start = trimmed(start) + "\n" + std::string(2 * indent, ' ') +
            wrapped(row.instead, width, 2 * indent, 2 * indent);
  }
  if (row.instead_to < widths.size()) start = padded_right(start, room);
  for (std::size_t i = row.instead_to; i < widths.size(); ++i) {
    if (!row.cells[i].empty()) start += "  " + row.cells[i];
  }
  return start;
}

void add_table(StyledText& text, const PrintedTable& table,
               const std::vector<const TableColumn*>& columns_shown, std::size_t width) {
  const auto widths = widths_of(table, columns_shown, width);
  const auto styles = styles_of(table, columns_shown);
  if (!table.title.empty()) text.push_back({wrapped(table.title, width, indent) + "\n"});
  text.push_back({trimmed(line(table.headings, widths, columns_shown, widths.size())) + "\n"});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const PrintedRow& row = table.rows[i];
    text.push_back(
        {(row.instead.empty() ? trimmed(line(row.cells, widths, columns_shown, widths.size()))
                              : row_with_reason(row, widths, columns_shown, width)) +
             "\n",
         styles[i]});
  }
  if (!table.conclusion.empty()) {
    text.push_back(
        {std::string(indent, ' ') + wrapped(table.conclusion, width, indent, indent) + "\n"});
  }
  for (const std::string& note : table.notes) {
    text.push_back({std::string(indent, ' ') + wrapped(note, width, 2 * indent, indent) + "\n"});
  }
}

}  // namespace

StyledText text_tables(const Printed& all, const TableOptions& options) {
  const std::size_t width = options.width;
  // Columns that the user named are all shown.
  const Printed printed = options.columns.empty() ? narrowed(all, options) : all;
  StyledText text;
  std::size_t titled = 0;
  // A table of several runs is below the titles of all of them.
  const bool by_run =
      !any_with(printed.columns, [](const Traits& traits) { return traits.of_run; });
  const auto titles_up_to = [&](std::size_t end) {
    for (; titled < end; ++titled) {
      if (printed.titles[titled].empty()) continue;
      text.push_back({(!text.empty() && by_run ? "\n" : "") +
                      wrapped(printed.titles[titled], width, indent) + "\n"});
    }
  };
  if (!by_run) titles_up_to(printed.titles.size());
  for (const PrintedTable& table : printed.tables) {
    titles_up_to(table.source + 1);
    text.push_back({"\n"});
    add_table(text, table, printed.columns, width);
  }
  titles_up_to(printed.titles.size());
  for (std::size_t i = 0; i < printed.legend.size(); ++i) {
    text.push_back({(i == 0 ? "\n" : "") + wrapped(printed.legend[i], width, 0) + "\n"});
  }
  const std::size_t label = columns(say(options.language, phrases::warning, ""));
  for (const std::string& warning : printed.warnings) {
    text.push_back({wrapped(say(options.language, phrases::warning, warning), width, label) + "\n",
                    Style::warning});
  }
  if (const auto answer = answer_lines(printed.answered, options, width)) {
    text.push_back({"\n" + wrapped(answer->title, width, indent) + "\n"});
    for (const std::string& line : aligned(*answer)) text.push_back({line + "\n"});
  }
  return with_plain_blanks(std::move(text));
}

}  // namespace bench

#include "harness/command/topics.hpp"

#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "harness/base/text.hpp"
#include "harness/command/command.hpp"
#include "harness/tables/columns.hpp"

namespace bench {
namespace {

constexpr const char* columns_topic = "columns";
constexpr const char* commands_topic = "commands";

std::string text_of_columns(std::size_t width, Language language) {
  DefinitionList rows;
  for (const Json& one : columns_json(language)) {
    const Json& unit = one["unit"];
    rows.emplace_back(
        one["key"],
        fmt::format("{}: {}{}", one["heading"].get<std::string>(),
                    one["meaning"].get<std::string>(),
                    unit.is_null() ? "" : fmt::format(" ({})", unit.get<std::string>())));
  }
  return wrapped("Columns of tables: bench table FILE --columns variant,time,speedup", width, 2) +
         "\n\n" + two_columns(rows, width);
}

std::string text_of_commands(std::size_t width) {
  DefinitionList rows;
  for (const auto& [facts, declare, needs_team] : all_commands()) {
    rows.emplace_back(facts.name, facts.summary);
    if (!facts.alias.empty()) rows.emplace_back(facts.alias, "the same as " + facts.name);
  }
  return two_columns(rows, width);
}

/// The text without the marks of code, of what is bold, and of links.
std::string plain_text(std::string line) {
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  line = std::regex_replace(line, link, "$1");
  for (const char* const mark : {"**", "`"}) {
    for (std::size_t at = line.find(mark); at != std::string::npos; at = line.find(mark)) {
      line.erase(at, std::string_view(mark).size());
    }
  }
  return line;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const std::size_t begin = cell.find_first_not_of(' ');
    cells.push_back(begin == std::string::npos
                        ? ""
                        : plain_text(cell.substr(begin, cell.find_last_not_of(' ') + 1 - begin)));
  }
  return cells;
}

/// The first column, and all others as one sentence each.
std::string table_text(const std::vector<std::string>& lines, std::size_t width) {
  DefinitionList rows;
  const std::vector<std::string> headings = cells_of(lines.front());
  for (std::size_t i = 2; i < lines.size(); ++i) {  // after the headings and their line
    const std::vector<std::string> cells = cells_of(lines[i]);
    std::string text = cells.at(1);
    for (std::size_t column = 2; column < cells.size(); ++column) {
      text += fmt::format("; {}: {}", headings.at(column), cells[column]);
    }
    rows.emplace_back(cells.front(), text);
  }
  return two_columns(rows, width);
}

/// The lines of one paragraph, list or table.
std::string block_text(const std::vector<std::string>& lines, std::size_t width) {
  if (lines.front().starts_with('|')) return table_text(lines, width);
  std::string text;
  std::string item;
  const auto end_item = [&] {
    if (!item.empty())
      text += wrapped(plain_text(item), width, item.starts_with("- ") ? 2 : 0) + "\n";
    item.clear();
  };
  for (const std::string& line : lines) {
    if (line.starts_with("- ")) end_item();
    item += (item.empty() ? "" : " ") + line;
  }
  end_item();
  return text;
}

}  // namespace

std::vector<std::string> names_of_topics() {
  std::vector<std::string> names{columns_topic};
  for (const Topic& one : pages()) names.emplace_back(one.name);
  names.emplace_back(commands_topic);
  return names;
}

std::string topic_text(const std::string& name, std::size_t width, Language language) {
  if (name == columns_topic) return text_of_columns(width, language);
  if (name == commands_topic) return text_of_commands(width);
  for (const Topic& one : pages()) {
    if (one.name == name) return for_terminal(one.markdown, width);
  }
  return "";
}

Json topics_json() {
  Json all = Json::array();
  for (const Topic& one : pages()) all.push_back({{"name", one.name}, {"markdown", one.markdown}});
  return all;
}

std::string for_terminal(std::string_view markdown, std::size_t width) {
  std::istringstream stream{std::string(markdown)};
  std::string text;
  std::vector<std::string> block;
  const auto end_block = [&] {
    if (block.empty()) return;
    text += (text.empty() ? "" : "\n") + block_text(block, width);
    block.clear();
  };
  for (std::string line; std::getline(stream, line);) {
    const bool heading = line.starts_with('#');
    if (line.empty() || heading) end_block();
    if (heading) line.erase(0, line.find_first_not_of("# "));
    if (heading && !line.ends_with('?')) line += ':';
    if (!line.empty()) block.push_back(line);
    if (heading) end_block();
  }
  end_block();
  return text;
}

}  // namespace bench

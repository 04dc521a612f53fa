// Tables for programs that read lines: tidy, one per case.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/tables/render.hpp"
#include "harness/words/escape.hpp"

namespace bench {
namespace {

std::string value_text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

/// A field's heading, and its value.
struct Part {
  std::string heading;
  const Field* field;
};

/// Each field once; the course's columns have the course's headings.
std::vector<Part> parts_of(const Sheets& sheets, const TableOptions& options) {
  std::vector<Part> parts;
  const auto add = [&](const std::string& heading, const Field& field) {
    const bool known = std::any_of(parts.begin(), parts.end(),
                                   [&](const Part& part) { return part.heading == heading; });
    if (!known) parts.push_back({heading, &field});
  };
  for (const std::string& key : sheets.apart) {
    for (const Field& field : column(key, "--columns").fields) add(std::string(field.name), field);
  }
  for (const TableColumn* column : sheets.columns) {
    if (options.preset != Preset::none) {
      add(say(options.language, column->heading.phrase), column->fields.front());
      continue;
    }
    for (const Field& field : column->fields) add(std::string(field.name), field);
  }
  return parts;
}

}  // namespace

std::string csv_tables(const Sheets& sheets, const TableOptions& options) {
  const std::vector<Part> parts = parts_of(sheets, options);
  std::vector<std::string> fields;
  for (const Part& part : parts) fields.push_back(csv_field(part.heading));
  std::string text = fmt::format("{}\n", fmt::join(fields, ","));
  for (const Sheet& sheet : sheets.sheets) {
    for (const Row& row : sheet.rows) {
      fields.clear();
      for (const Part& part : parts) {
        const bool label = options.preset != Preset::none && part.field->name == "backend";
        fields.push_back(label ? csv_field(row_label(row)) : value_text(part.field->value(row)));
      }
      text += fmt::format("{}\n", fmt::join(fields, ","));
    }
  }
  return text;
}

}  // namespace bench

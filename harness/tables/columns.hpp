// What a table can show of a case: the one list of columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/tables/row.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// A figure or fact for programs: its name in a CSV file, and its value, null where there is none.
struct Field {
  std::string_view name;
  Json (*value)(const Row&);
};

/// Figures that are explained below the tables which show them.
enum class Figure {
  none,
  time,
  unsynchronised,
  occupancy,
  change,
  bound,
  energy,
  less_energy,
  counts,
  rate,
  share,
  over_naive,
  over_best,
  model_share,
  over_chosen
};

/// How a column is laid out, and what it makes of a table.
struct Traits {
  Figure figure = Figure::none;
  bool number = false;         ///< set flush right
  bool measured_only = false;  ///< empty where the case was not measured
  bool interval = false;       ///< two ends, which programs get as a list
  bool of_run = false;         ///< it distinguishes rows of several runs
  int gives_way = 0;           ///< where there is no room the least goes first; 0: it stays
  std::size_t width = 0;       ///< in columns of a terminal, at least
  bool (*doubtful)(const Row&) = nullptr;  ///< of a measured case: its figure has a mark
};

/// What people read of a column: the last two where they choose among them.
struct Heading {
  const Phrase& phrase;
  std::string_view meaning;
  std::string_view unit{};  ///< empty where it has none
};

struct TableColumn {
  std::string_view key;  ///< what --columns and --sort call it
  Heading heading;
  std::string (*text)(const Row&, Language);  ///< for people
  std::vector<Field> fields;                  ///< for programs; the first one sorts
  Traits traits{};
};

std::span<const TableColumn> all_columns();

/// Every column: key, heading in the language, unit, meaning.
Json columns_json(Language language = Language::en);

/// True where one of the columns has that trait.
template <class Predicate>
bool any_with(const std::vector<const TableColumn*>& columns, Predicate has) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const TableColumn* column) { return has(column->traits); });
}

/// The column of that name. Throws UsageError, with the nearest name, where there is none.
const TableColumn& column(std::string_view key, std::string_view option);

/// The same for a list of names, each column once.
std::vector<const TableColumn*> columns_of(const std::vector<std::string>& keys,
                                           std::string_view option);

/// What a share is a share of; null where memory is not what limits the case.
Json share_reference(const CaseRecord& one);

/// backend/variant; where the user chose them, the threads; marks if a library's, if wrong on
/// purpose, if transfers are included, or if the baseline was measured in another run.
std::string row_label(const Row& row);

/// `measured`, `skipped`, `failed`, `deliberately wrong`
std::string status_text(Status status, Language language);

}  // namespace bench

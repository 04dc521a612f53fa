#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/tables/language.hpp"

namespace bench {

/// A run that a table shows cases of.
struct Origin {
  std::string file;
  std::string date;
  std::string revision;  ///< ends in -dirty where changes were not committed
  std::string ended_by;  ///< why it stopped early; empty where it did not
};

/// One row of a table: a case and its speedup.
struct Row {
  const nlohmann::ordered_json& result;
  const nlohmann::ordered_json& speedup;
  const nlohmann::ordered_json* document = nullptr;  ///< what they are from
  const Origin* origin = nullptr;                    ///< the run, where it is known
  nlohmann::ordered_json over_baseline =
      nullptr;  ///< {value ci95 baseline}; null where there is none
};

/// A case's share of the yardstick that moves data most as it does: the workload's own one where it
/// has one, copy otherwise.
struct Share {
  std::string yardstick;
  nlohmann::ordered_json value;  ///< null where it was not measured
};
Share nearest_share(const nlohmann::ordered_json& result);

/// A yardstick as sentences and headings call it.
std::string yardstick_text(const std::string& name, Language language);

/// The sentence under a table: which variant is the fastest, by how much, and why not by more.
std::string conclusion(const std::vector<Row>& rows, Language language = Language::en);

/// Breaks text at blanks so that lines have at most `width` columns. The first line begins at
/// column `start`, further lines are indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t start = 0);

/// Columns of a terminal that UTF-8 text takes, every character counted as one.
std::size_t columns(const std::string& text);

}  // namespace bench

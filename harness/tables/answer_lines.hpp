// The answer of several tables in a few lines: one for each workload, below everything else.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/tables/tables.hpp"

namespace bench {

/// Where nothing has to be left out.
inline constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();

/// The answers of all tables. All rows have as many cells as there are headings.
struct AnswerLines {
  std::string title;  ///< `gpu1 · f32 · cold cache: speedup over serial/naive`
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

/// The answers, as detailed as the width of the terminal allows; figures of one kind are aligned.
/// Nothing of a single table: the sentence below it is the answer.
std::optional<AnswerLines> answer_lines(std::vector<const Sheet*> sheets,
                                        const TableOptions& options, std::size_t width);

/// The lines with their cells side by side.
std::vector<std::string> aligned(const AnswerLines& lines);

}  // namespace bench

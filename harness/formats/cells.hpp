// Tables of other programs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/formats/foreign.hpp"

namespace bench {

/// The rows of all tables that begin with this header, below the heading that they have in common;
/// nothing where it is not there. Text and other tables may be between them. Throws Misfit.
std::optional<Rows> rows_below(std::string_view header, std::string_view csv);

/// Throws Misfit, which names the row.
[[noreturn]] void wrong_in(std::size_t row, const std::string& what);
/// Throws Misfit where there is none.
double number_in(const Rows& rows, std::size_t row, std::size_t column);

}  // namespace bench

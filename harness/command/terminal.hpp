// What is known of the terminal.
#pragma once

#include <cstddef>

namespace bench {

/// Columns of the terminal behind a stream (a file descriptor); of COLUMNS, or 80, where it is
/// none.
std::size_t terminal_width(int stream);

/// The same for text to be read: lines of more than 80 columns are none.
std::size_t text_width(int stream);

/// True for a terminal whose lines can be written again.
bool can_rewrite_lines(int stream);

}  // namespace bench

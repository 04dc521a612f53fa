// stdin, stdout and stderr as they really are: perhaps closed, full, or a terminal.
#pragma once

#include <string>

namespace bench {

/// Opens those that the caller has closed, so that no file of this program takes their place; what
/// is written to them or read from them still fails. To be called before any file is opened.
void open_standard_streams();

/// Writes to stdout and makes sure that it has arrived: a lost result must not look like success.
/// Throws std::runtime_error.
void print(const std::string& text);

/// What is still in the buffer of stdout is lost, and what is written from now on.
void print_nothing_more();

/// A message on stderr, `bench: ` in front of it: one line that a terminal can show. Where stderr
/// cannot be written, nothing happens: a run does not end for want of a log.
void tell(const std::string& message);

/// The same for what went wrong, in red on a terminal.
void complain(const std::string& message);

}  // namespace bench

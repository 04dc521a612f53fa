// Text from result files inside other languages: names of hosts and files may hold anything, and
// must neither break a table nor run.
#pragma once

#include <string>

namespace bench {

/// A field of a CSV file (RFC 4180): quoted where needed; what a spreadsheet would compute gets an
/// apostrophe before it.
std::string csv_field(std::string text);

/// Text inside a cell of a Markdown table, without a meaning of its own.
std::string markdown_text(const std::string& text);

/// LaTeX text for any of its engines. What fonts of pdfLaTeX lack becomes `[U+4E2D]`.
std::string latex_text(const std::string& text);

/// Text between the tags of an HTML page, or in a quoted attribute.
std::string html_text(const std::string& text);

}  // namespace bench

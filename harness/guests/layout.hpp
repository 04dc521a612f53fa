// What two files have in common that differ in their looks only.
#pragma once

#include <string>

namespace bench::guests {

enum class Comments { of_c, of_python };

/// The code of a source without comments, blanks and ends of lines; text in quotation marks stays.
std::string without_layout(const std::string& source, Comments comments);

}  // namespace bench::guests

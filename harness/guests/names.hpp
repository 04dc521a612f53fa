// What user kernels are called in tables.
#pragma once

#include <string>
#include <vector>

namespace bench::guests {

/// A word of a name: `workload/backend/variant` knows letters, digits and a few signs.
std::string as_name(std::string text);

/// Names that differ, one for each file: files of one name are distinguished by as few folders as
/// are enough, as those of a class are, and in one folder by their endings. Long ones are cut in
/// the middle.
std::vector<std::string> names_of(const std::vector<std::string>& files);

/// Whether it is what macOS adds to an archive, next to each file.
bool is_of_macos(const std::string& file);

}  // namespace bench::guests

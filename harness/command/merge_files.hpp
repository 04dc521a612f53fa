#pragma once

#include <string>
#include <vector>

#include "harness/tables/render.hpp"

namespace bench {

/// `bench merge`: joins documents (files or folders) and returns what goes to stdout. With an empty
/// `output` that is the one document; with a file (*.json) or a folder, which gets a document for
/// each group of files that belong together, a line for each file written, `FILE: PART, PART`, or a
/// list of {file, of} in JSON. No existing file is overwritten: beside those of a folder a free
/// name is taken. Throws UsageError where one document is wanted and files do not belong together,
/// and where one cannot be read or written.
std::string merge_files(const std::vector<std::string>& paths, const std::string& output,
                        Format format);

}  // namespace bench

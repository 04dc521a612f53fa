// Where the project is, for tests that read what it records. Known in a file of its own: no other
// is compiled again because another clone is elsewhere.
#pragma once

#include <filesystem>

namespace bench::test {
extern const std::filesystem::path source_folder;
}

#include "harness/guests/folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "harness/place/run_error.hpp"

namespace bench::guests {

namespace fs = std::filesystem;

Folder::Folder(const char* failure) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  const char* const chosen = std::getenv("TMPDIR");
  if (error) {
    throw RunError(fmt::format("{}: TMPDIR={}: {}; set it to a folder that is there", failure,
                               chosen == nullptr ? "" : chosen, error.message()));
  }
  std::string name = parent / "bench-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw RunError(fmt::format("{}: cannot create a folder in {} ({}): {}", failure,
                               parent.string(),
                               chosen == nullptr ? "set TMPDIR to another" : "TMPDIR",
                               std::generic_category().message(errno)));
  }
  path = name;
}

Folder::~Folder() {
  std::error_code none;
  fs::remove_all(path, none);
}

}  // namespace bench::guests

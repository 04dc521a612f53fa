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
  std::error_code none;
  std::string name = fs::temp_directory_path(none) / "bench-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw RunError(
        fmt::format("{}: no folder {}: {}", failure, name, std::generic_category().message(errno)));
  }
  path = name;
}

Folder::~Folder() {
  std::error_code none;
  fs::remove_all(path, none);
}

}  // namespace bench::guests

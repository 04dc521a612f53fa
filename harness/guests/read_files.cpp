#include "harness/guests/read_files.hpp"

#include <regex>
#include <system_error>
#include <vector>

#include "harness/base/files.hpp"

namespace bench::guests {

namespace fs = std::filesystem;

Texts with_own_headers(const fs::path& source) {
  static const std::regex include(R"(#\s*include\s*"([^"\n]{1,255})\")");
  const fs::path folder = fs::absolute(source).parent_path();
  Texts all;
  std::vector<fs::path> names{source.filename()};
  while (!names.empty()) {
    const fs::path name = names.back();
    names.pop_back();
    std::error_code none;
    const bool outside = name.is_absolute() || *name.begin() == "..";
    if (outside || all.contains(name) || !fs::is_regular_file(folder / name, none)) continue;
    const std::string& text = all[name] = whole_file(folder / name);
    for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
      names.push_back((name.parent_path() / (*at)[1].str()).lexically_normal());
    }
  }
  return all;
}

}  // namespace bench::guests

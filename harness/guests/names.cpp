#include "harness/guests/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>

#include "harness/base/cut.hpp"
#include "harness/base/printable.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

/// A folder as people call it: of Moodle's `ana_12345_assignsubmission_file_` ana.
std::string label_of(const std::string& folder) {
  static const std::regex moodle(R"((.+)_\d+_assignsubmission_\w+)");
  std::smatch found;
  return as_name(std::regex_match(folder, found, moodle) ? found[1].str() : folder);
}

/// Its own name, and with one folder more each.
std::vector<std::string> possible_names(const fs::path& place) {
  std::vector<std::string> all{place.filename()};
  for (fs::path folder = place.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    all.push_back(label_of(folder.filename()) + "-" + all.back());
  }
  return all;
}

}  // namespace

std::string as_name(std::string text) {
  const bool readable = printable(text) == text;  // letters of all languages
  for (char& c : text) {
    const auto letter = static_cast<unsigned char>(c);
    const bool sign = c == '_' || c == '-' || c == '.' || c == '*';
    if (std::isalnum(letter) == 0 && !sign && (letter < 0x80 || !readable)) c = '_';
  }
  return text;
}

std::vector<std::string> names_of(const std::vector<std::string>& files) {
  constexpr std::size_t longest = 40;
  std::vector<fs::path> paths;
  std::map<fs::path, int> places;  // without endings, by which files of one place differ
  const auto place_of = [](const fs::path& path) {
    return path.parent_path() / as_name(path.stem());
  };
  for (const std::string& file : files) {
    ++places[place_of(paths.emplace_back(fs::absolute(file).lexically_normal()))];
  }
  std::map<std::string, int> uses;
  for (const auto& [place, count] : places) {
    for (const std::string& one : possible_names(place)) ++uses[one];
  }
  std::vector<std::string> names;
  std::map<std::string, int> taken;
  for (const fs::path& path : paths) {
    const fs::path place = place_of(path);
    const std::vector<std::string> possible = possible_names(place);
    const auto found = std::find_if(possible.begin(), possible.end(),
                                    [&](const std::string& one) { return uses[one] == 1; });
    std::string name = found != possible.end() ? *found : possible[possible.size() > 1 ? 1 : 0];
    name = cut_in_the_middle(name, longest);
    if (places[place] > 1) name += as_name(path.extension());
    if (const int before = taken[name]++; before > 0) name += fmt::format("-{}", before + 1);
    names.push_back(name);
  }
  return names;
}

bool is_of_macos(const std::string& file) {
  const fs::path path(file);
  return std::find(path.begin(), path.end(), "__MACOSX") != path.end() ||
         path.filename().string().starts_with("._");
}

}  // namespace bench::guests

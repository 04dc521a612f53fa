#include "harness/guests/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <utility>

#include "harness/base/cut.hpp"
#include "harness/base/printable.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

/// A folder of Moodle's, `ana_12345_assignsubmission_file_`, or in a download without folders the
/// beginning of a file's name.
struct HandIn {
  std::string student;
  std::string number;
  std::string file;
};

std::optional<HandIn> of_moodle(const std::string& name) {
  static const std::regex pattern(R"((.+)_(\d+)_assignsubmission_[a-z]+_?(.*))");
  std::smatch found;
  if (!std::regex_match(name, found, pattern)) return {};
  return HandIn{found[1], found[2], found[3]};
}

/// Its own name, and with one folder more each. A student of Moodle's always is in it, and next
/// with the number.
std::vector<std::string> possible_names(const fs::path& place) {
  std::string name = place.filename();
  std::vector<std::string> folders;
  if (const auto one = of_moodle(name); one && !one->file.empty()) {
    folders.push_back(std::exchange(name, one->file));
  }
  for (fs::path folder = place.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    folders.push_back(folder.filename());
  }
  std::vector<std::string> all;
  if (folders.empty() || !of_moodle(folders.front())) all.push_back(name);
  for (const std::string& folder : folders) {
    const auto one = of_moodle(folder);
    const std::string inside = "-" + name;
    name = as_name(one ? one->student : folder) + inside;
    all.push_back(name);
    if (one) all.push_back(as_name(one->student + "_" + one->number) + inside);
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

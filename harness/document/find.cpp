#include "harness/document/find.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "harness/base/error.hpp"
#include "harness/base/printable.hpp"

namespace bench {
namespace {

[[noreturn]] void refuse_path(const std::string& name, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", printable(name), why));
}

/// False for the schema, which is next to result files, and for the comparison of many nodes.
bool may_be_document(const std::filesystem::path& file) {
  if (file.filename() == "schema.json") return false;
  std::array<char, 64> begin{};
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t got = descriptor < 0 ? 0 : ::read(descriptor, begin.data(), begin.size());
  if (descriptor >= 0) close(descriptor);
  const std::string_view text(begin.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return text.find("\"bench-nodes/") == std::string_view::npos;
}

/// The *.json files of a folder that may be result files, by name.
std::vector<std::filesystem::path> documents_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::filesystem::path& file = entry.path();
    const bool hidden = file.filename().string().starts_with('.');
    if (file.extension() == ".json" && !hidden && may_be_document(file)) found.push_back(file);
  }
  if (error) refuse_path(folder.string(), fmt::format("cannot be read: {}", error.message()));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<std::filesystem::path> find_documents(const std::vector<std::string>& paths,
                                                  Folders folders) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::set<fs::path> known;
  const auto add = [&](const fs::path& file) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file, error);
    if (known.insert(error ? file : canonical).second) files.push_back(file);
  };
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      // results/*.json names everything that is there.
      if (paths.size() == 1 || may_be_document(path)) add(path);
      continue;
    }
    std::vector<fs::path> inside = documents_in(path);
    if (folders == Folders::with_node_folders) {
      for (const auto& entry : fs::directory_iterator(path, error)) {
        const bool of_nodes = entry.path().filename().string().starts_with("nodes-");
        if (!of_nodes || !entry.is_directory(error)) continue;
        for (const fs::path& file : documents_in(entry.path())) inside.push_back(file);
      }
    }
    if (inside.empty()) refuse_path(path, "holds no *.json files");
    std::for_each(inside.begin(), inside.end(), add);
  }
  return files;
}

}  // namespace bench

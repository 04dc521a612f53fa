#include "harness/command/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/streams.hpp"
#include "harness/document/find.hpp"
#include "harness/document/merge.hpp"
#include "harness/document/report.hpp"

namespace bench {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

/// Names the files that cannot be in one result file with the first, and why.
[[noreturn]] void refuse_apart(const std::vector<std::string>& files,
                               const std::vector<Document>& documents, const Groups& groups) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> apart;
  for (std::size_t group = 1; group < groups.size(); ++group) {
    for (const std::size_t i : groups[group]) {
      std::string why;
      for (const std::size_t part : groups.front()) {
        if (why.empty()) why = difference(documents[part], documents[i]);
      }
      apart.push_back(fmt::format("{} ({})", files[i], why));
    }
  }
  const std::size_t more = apart.size() - std::min(apart.size(), most_named);
  apart.resize(apart.size() - more);
  throw UsageError(fmt::format(
      "cannot merge with {}: {}{}; leave some out, or write several with --output FOLDER/",
      files[groups.front().front()], fmt::join(apart, ", "),
      more > 0 ? fmt::format(", … ({} more)", more) : ""));
}

bool is_folder(const std::filesystem::path& output) {
  std::error_code none;
  return output.extension() != ".json" || std::filesystem::is_directory(output, none);
}

/// Writes a result file to a new file, whose path it returns.
std::filesystem::path write(const Document& document, std::filesystem::path path, bool may_rename) {
  try {
    create_document(path, serialised(bench::written(document)) + "\n", may_rename);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
  return path;
}

}  // namespace

std::string merged(const MergeRequest& request) {
  const std::string& output = request.output;
  std::vector<std::string> files;
  for (const auto& file : find_documents(request.files)) files.push_back(file.string());
  const std::vector<Document> documents = read_documents(files, Keep::times);
  const Groups groups = together(documents);
  const bool one_file = output.empty() || output == "-" || !is_folder(output);
  if (one_file && groups.size() > 1) refuse_apart(files, documents, groups);

  std::string lines;
  Json list = Json::array();
  for (const std::vector<std::size_t>& group : groups) {
    std::vector<std::string> parts;
    for (const std::size_t i : group) parts.push_back(files[i]);
    // The samples of one group at a time: those of thousands of result files take memory.
    const Merged merged = std::move(merge(read_documents(parts, Keep::everything), parts).front());
    if (output.empty() || output == "-") return serialised(written(merged.document)) + "\n";
    std::filesystem::path path = output;
    if (!one_file) path /= std::filesystem::path(parts.front()).stem().string() + ".json";
    path = write(merged.document, path, !one_file);
    lines += fmt::format("{}: {}\n", path.string(), fmt::join(parts, ", "));
    list.push_back({{"file", path.string()}, {"of", parts}});
  }
  return request.format == Format::json ? serialised(list) + "\n" : lines;
}

void add_options(CLI::App& app, MergeRequest& request) {
  add_files(app, "FILE", request.files);
  add_text(app, "--output", request.output,
           "a new file FILE.json, or a folder for one file per group of runs", "PATH",
           "-, print the merged file");
  add_format(app, request.format, "with --output: how to print what was written, text or json");
}

int execute(const MergeRequest& request, const Session& /*session*/) {
  print(merged(request));
  return Exit::fine;
}

}  // namespace bench

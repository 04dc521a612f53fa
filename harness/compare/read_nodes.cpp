#include "harness/compare/read_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/printable.hpp"
#include "harness/compare/kept_runs.hpp"
#include "harness/compare/one_per_node.hpp"
#include "harness/document/find.hpp"
#include "harness/node/nodelist.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// A node and a reason in each line.
void read_reasons(const fs::path& file, Found key, Findings& found) {
  std::ifstream lines(file);
  for (std::string node, reason; lines >> node && std::getline(lines >> std::ws, reason);) {
    found.push_back({key, {printable(node)}, {{"reason", printable(reason)}}});
  }
}

void unreadable(const std::string& why, NodeComparisonInput& input) {
  input.findings.push_back({Found::unreadable, {}, {{"reason", why}}});
}

/// Adds what jobs/submit nodes says of a survey in its folder: in `nodelist` the nodes with a job,
/// each of which begins its log when it begins, and in `left_out` the others, a line each. The job
/// of the table begins last, when no other one waits, and `ended` has the jobs that did not end
/// well.
void read_survey(const fs::path& folder, NodeComparisonInput& input) {
  std::error_code none;
  if (!fs::is_regular_file(folder / "nodelist", none)) return;
  std::ifstream list(folder / "nodelist");
  std::string text;
  std::getline(list, text);
  const std::vector<std::string> nodes = expand_nodelist(text);
  if (nodes.empty()) {
    unreadable((folder / "nodelist").string() + ": is not a list of nodes", input);
  }
  const auto begun = [&](const std::string& node) {
    return fs::exists(folder / (node + ".log"), none);
  };
  // Without a log, only the result files were kept.
  if (!begun("table") && std::any_of(nodes.begin(), nodes.end(), begun)) {
    std::remove_copy_if(nodes.begin(), nodes.end(),
                        std::inserter(input.not_begun, input.not_begun.end()), begun);
  }
  input.nodes.insert(input.nodes.end(), nodes.begin(), nodes.end());
  read_reasons(folder / "ended", Found::ended, input.findings);
  read_reasons(folder / "left_out", Found::left_out, input.findings);
}

std::vector<std::string> nodes_named(const std::string& list) {
  std::vector<std::string> nodes = expand_nodelist(list);
  if (nodes.empty()) {
    throw UsageError(
        fmt::format("--nodes {}: must be nodes as Slurm lists them, e.g. 'n[001-200],gpu1'", list));
  }
  return nodes;
}

std::vector<NodeRun> read_runs(const fs::path& file, const std::vector<std::string>& variants,
                               Keep keep) {
  return node_runs(read_document(file, keep), file.string(), variants);
}

struct ReadFiles {
  std::vector<std::vector<NodeRun>> runs;
  std::vector<std::string> reasons;  ///< why one cannot be read
};

/// Keeps what is known of the files of a folder where enough of it is new for that to pay.
void keep_runs(const std::vector<fs::path>& files, const std::vector<FileMark>& marks,
               const std::vector<char>& is_new, Keep keep, ReadFiles& all,
               std::map<fs::path, KeptRuns>& kept) {
  constexpr std::ptrdiff_t enough = 50;
  std::map<fs::path, std::vector<std::size_t>> known;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (marks[i] != FileMark()) known[files[i].parent_path()].push_back(i);
  }
  for (const auto& [folder, here] : known) {
    const auto count =
        std::count_if(here.begin(), here.end(), [&](std::size_t i) { return is_new[i] != 0; });
    if (count < enough) continue;
    KeptRuns& runs = kept[folder];
    for (const std::size_t i : here) {
      runs[files[i].filename().string()] = {marks[i], std::move(all.runs[i])};
    }
    write_kept(folder, keep, runs);
    for (const std::size_t i : here) {
      all.runs[i] = std::move(runs[files[i].filename().string()].runs);
    }
  }
}

/// Takes what was kept of files that have not changed, where no variants are chosen.
ReadFiles read_all(const std::vector<fs::path>& files, const std::vector<std::string>& variants,
                   Keep keep) {
  std::map<fs::path, KeptRuns> kept;
  for (const fs::path& file : files) {
    if (!variants.empty()) break;
    if (const auto [folder, is_new] = kept.try_emplace(file.parent_path()); is_new)
      folder->second = read_kept(folder->first, keep);
  }
  ReadFiles all{std::vector<std::vector<NodeRun>>(files.size()), {}};
  std::vector<FileMark> marks(files.size());
  std::vector<char> is_new(files.size());
  all.reasons = read_each(files.size(), [&](std::size_t i) {
    const FileMark mark = mark_of(files[i]);
    if (!kept.empty()) {
      KeptRuns& runs = kept.at(files[i].parent_path());
      const auto known = runs.find(files[i].filename().string());
      if (known != runs.end() && known->second.mark == mark) {
        all.runs[i] = std::move(known->second.runs);
        for (NodeRun& run : all.runs[i]) run.file = printable(files[i].string());
        marks[i] = mark;
        return;
      }
    }
    const Document document = read_document(files[i], keep);
    all.runs[i] = node_runs(document, files[i].string(), variants);
    // Those of other programs may have a second file.
    if (document.context.run.imported || !is_known(files[i], mark)) return;
    marks[i] = mark;
    is_new[i] = 1;
  });
  keep_runs(files, marks, is_new, keep, all, kept);
  return all;
}

/// Nothing of a folder without result files.
Survey read_survey_of(const fs::path& folder) {
  try {
    NodeComparisonInput input = read_nodes({folder.string()}, "", {}, Keep::medians);
    return survey_of(one_per_node(std::move(input.runs), input.findings));
  } catch (const UsageError&) {
    return {};
  }
}

}  // namespace

NodeComparisonInput read_nodes(const std::vector<std::string>& paths, const std::string& nodes,
                               const std::vector<std::string>& variants, Keep keep) {
  NodeComparisonInput input;
  const auto files = find_documents(paths, Folders::with_node_folders);
  auto [runs, reasons] = read_all(files, variants, keep);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (reasons[i].empty()) {
      std::move(runs[i].begin(), runs[i].end(), std::back_inserter(input.runs));
      continue;
    }
    const bool named = std::find(paths.begin(), paths.end(), files[i].string()) != paths.end();
    if (named) throw UsageError(reasons[i]);
    unreadable(reasons[i], input);
  }
  if (input.runs.empty()) throw UsageError(reasons.at(0));
  std::set<fs::path> folders;
  for (const fs::path& file : files) folders.insert(file.parent_path());
  for (const fs::path& folder : folders) read_survey(folder, input);
  if (!nodes.empty()) input.nodes = nodes_named(nodes);
  return input;
}

std::vector<NodeRun> read_expected(const std::vector<std::string>& paths,
                                   const std::vector<std::string>& variants,
                                   std::vector<std::string>* unreadable) {
  std::vector<NodeRun> runs;
  const auto trying = [unreadable](const auto& read) {
    try {
      read();
    } catch (const std::exception& error) {
      if (unreadable == nullptr) throw;
      unreadable->emplace_back(error.what());
    }
  };
  for (const std::string& path : paths) {
    trying([&] {
      for (const fs::path& file : find_documents({path})) {
        trying([&] {
          for (NodeRun& run : read_runs(file, variants, Keep::times))
            runs.push_back(std::move(run));
        });
      }
    });
  }
  return runs;
}

std::vector<Survey> read_history(const std::string& folder, const std::vector<NodeRun>& now) {
  std::vector<Survey> surveys;
  const std::string started = survey_of(now).started;
  std::error_code none;  // then no survey is found
  if (!fs::is_directory(folder, none)) {
    throw UsageError(fmt::format("--history {}: is not a folder", printable(folder)));
  }
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (!entry.is_directory(none)) continue;
    Survey one = read_survey_of(entry.path());
    if (!one.started.empty() && one.started < started) surveys.push_back(std::move(one));
  }
  if (surveys.empty()) {
    throw UsageError(fmt::format("--history {}: none of its folders has a survey from before {}",
                                 printable(folder), started));
  }
  std::sort(surveys.begin(), surveys.end(),
            [](const Survey& a, const Survey& b) { return a.started < b.started; });
  return surveys;
}

}  // namespace bench

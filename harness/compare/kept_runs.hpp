// What was learnt of the result files of a folder, in a hidden file of that folder: thousands of
// them are read once. A file that has changed is read again, and nothing needs what is kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/compare/node_run.hpp"

namespace bench {

/// What a file is recognised by: its length, its number, and when its content and its entry were
/// changed, in nanoseconds.
struct FileMark {
  std::uint64_t bytes = 0;
  std::uint64_t number = 0;
  std::int64_t modified = 0;
  std::int64_t changed = 0;
  bool operator==(const FileMark&) const = default;
};

struct KeptRun {
  FileMark mark;
  std::vector<NodeRun> runs;
};
/// The files of a folder, by name.
using KeptRuns = std::map<std::string, KeptRun>;

/// What an equal program has kept of files of this folder; nothing where there is none, or where it
/// is damaged or somebody else's. `keep` as those files were read.
KeptRuns read_kept(const std::filesystem::path& folder, Keep keep);

/// Writes them, if that is possible: nothing needs them.
void write_kept(const std::filesystem::path& folder, Keep keep, const KeptRuns& kept);

/// The mark of a file; an empty one where there is none.
FileMark mark_of(const std::filesystem::path& file);

/// Whether a file that had this mark before it was read has it still, and can no longer change
/// without another one.
bool is_known(const std::filesystem::path& file, const FileMark& before);

}  // namespace bench

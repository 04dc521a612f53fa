#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bench {

/// Whether a folder stands for what is in its folders nodes-* too, which the jobs make: one for
/// each comparison of many nodes.
enum class Folders { alone, with_node_folders };

/// The files that paths stand for, each once: a folder stands for the *.json files in it, in the
/// order of their names, without comparisons of many nodes. Throws UsageError for a path that is
/// not there and a folder without any.
std::vector<std::filesystem::path> find_documents(const std::vector<std::string>& paths,
                                                  Folders folders = Folders::alone);

}  // namespace bench

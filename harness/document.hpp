// Result documents as they come back from disk: from other people and machines, cut off, or worse.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// How much of a document is wanted. The summary has no samples and no rows of Google Benchmark
/// (the lists are there, empty): a tenth of the text, for comparisons of thousands of documents.
enum class Detail { whole, summary };

/// A document that tables and comparisons can use as it is: everything that they read is there and
/// of the right kind. Throws UsageError, one line that names the file and what is wrong with it.
nlohmann::ordered_json read_document(const std::filesystem::path& file,
                                     Detail detail = Detail::whole);

/// The same for text; `name` stands for the file in messages.
nlohmann::ordered_json parse_document(std::string_view text, const std::string& name,
                                      Detail detail = Detail::whole);

/// What stands at a path of keys like `machine/governor`; null where there is nothing.
const nlohmann::ordered_json& at(const nlohmann::ordered_json& object, std::string_view path);

/// The text that stands there; empty where there is none.
std::string text_at(const nlohmann::ordered_json& object, std::string_view path);

/// Whether a folder stands for what lies in its folders nodes-* too, which the jobs make: one for
/// each comparison of many nodes.
enum class Folders { alone, with_surveys };

/// The files that paths stand for, each once: a folder stands for the *.json files in it, in the
/// order of their names, without comparisons of many nodes. Throws UsageError for a path that is
/// not there and a folder without any.
std::vector<std::filesystem::path> find_documents(const std::vector<std::string>& paths,
                                                  Folders folders = Folders::alone);

}  // namespace bench

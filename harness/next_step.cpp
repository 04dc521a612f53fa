#include "harness/next_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/nodelist.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// The options that make `verify` see the inputs of this case again.
std::string same_inputs(const Json& run, const Json& result) {
  std::string files;
  for (const Json& input : run.at("input_files")) {
    files += (files.empty() ? "" : ",") + input.at("path").get<std::string>();
  }
  if (!files.empty()) return "--input " + shell_quoted(files);
  const auto size = result.at("size").get<std::string>();
  const std::size_t colon = size.find(':');
  std::string text = "--size " + shell_quoted(size.substr(0, colon));
  if (colon != std::string::npos) text += " --bins " + shell_quoted(size.substr(colon + 1));
  return fmt::format("{} --dtype {}", text, result.at("dtype").get<std::string>());
}

/// Empty where nothing failed.
std::string look_at_failure(const Json& document, const std::string& program) {
  for (const Json& result : document.at("cases")) {
    if (result.at("status") != "failed") continue;
    const std::string path = fmt::format("{}/{}/{}", result.at("workload").get<std::string>(),
                                         result.at("backend").get<std::string>(),
                                         result.at("variant").get<std::string>());
    return fmt::format("{} verify {} {} --show 10", program, shell_quoted(path),
                       same_inputs(document.at("context").at("run"), result));
  }
  return "";
}

/// The other nodes of this step have written beside this one.
bool one_of_many_nodes(const Json& slurm) {
  if (!slurm.is_object()) return false;
  const Json nodes = slurm.value("step_nodelist", Json());
  return nodes.is_string() && expand_nodelist(nodes.get<std::string>()).size() > 1;
}

/// What a shell makes the documents of this step of: task 0 may end before the others.
std::string documents_of_step(const Json& slurm, const fs::path& file) {
  const auto text = [&](const char* key) {
    const Json value = slurm.value(key, Json());
    return value.is_string() ? value.get<std::string>() : "";
  };
  const auto begin =
      fmt::format("{}-{}.{}-", text("cluster_name"), text("job_id"), text("step_id"));
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!file.filename().string().starts_with(begin)) return shell_quoted(folder.string());
  return shell_quoted((folder / begin).string()) + "*.json";
}

bool given(const Json& argv, const std::string& option) {
  return std::any_of(argv.begin(), argv.end(), [&](const Json& word) {
    const auto text = word.get<std::string>();
    return text == option || text.starts_with(option + "=");
  });
}

bool several_sizes(const Json& document) {
  std::map<std::string, std::set<std::string>> sizes;
  for (const Json& result : document.at("cases")) {
    if (result.at("status") != "measured" || result.at("reference") == true) continue;
    sizes[result.at("workload").get<std::string>()].insert(result.at("size").get<std::string>());
  }
  return std::any_of(sizes.begin(), sizes.end(),
                     [](const auto& one) { return one.second.size() > 1; });
}

/// A script with its arguments, empty where it is not there. Where the checkout has no Python of
/// its own, the set-up that makes one comes first; it ends at once where the node's Python will do.
std::string call(const fs::path& scripts, const std::string& name, const std::string& arguments) {
  std::error_code none;
  if (!fs::exists(scripts / name, none)) return "";
  const auto typed = [&](const char* script) {
    return shell_quoted(fs::proximate(scripts / script, none).string());
  };
  const std::string command = fmt::format("{} {}", typed(name.c_str()), arguments);
  const bool ready = fs::exists(scripts / ".." / ".venv" / "bin" / "python", none) ||
                     !fs::exists(scripts / "setup.sh", none);
  return ready ? command : fmt::format("{} pages && {}", typed("setup.sh"), command);
}

}  // namespace

std::string next_step(const Json& document, const fs::path& file, const fs::path& scripts) {
  const Json& context = document.at("context");
  const Json& argv = context.at("run").at("argv");
  const std::string program = argv.empty() ? "bench" : shell_quoted(argv.at(0).get<std::string>());
  const std::string name = shell_quoted(file.string());
  const Json& slurm = context.at("slurm");

  std::string command = look_at_failure(document, program);
  if (command.empty() && one_of_many_nodes(slurm)) {
    // With --nodes two documents are two nodes, not before and after.
    command = fmt::format("{} compare {} --nodes {}", program, documents_of_step(slurm, file),
                          shell_quoted(slurm.at("step_nodelist").get<std::string>()));
  }
  if (command.empty() && given(argv, "--sweep") && several_sizes(document)) {
    command = call(scripts, "plot.py", fmt::format("sweep {} -o pictures", name));
  }
  if (command.empty() && !document.value("scaling", Json::array()).empty()) {
    command = call(scripts, "plot.py", fmt::format("scaling {} -o pictures", name));
  }
  if (command.empty()) {
    command = call(scripts, "report.py", fmt::format("{} -o report.html", name));
  }
  if (command.empty()) command = fmt::format("{} table {}", program, name);
  return command;
}

fs::path scripts_folder() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none).parent_path().parent_path() / "scripts";
}

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+=/.,:@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace bench

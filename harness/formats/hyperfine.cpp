// hyperfine: --export-json FILE. It keeps the time of each run of a command.
#include "harness/formats/at.hpp"

namespace bench {
namespace {

ForeignRun read_hyperfine(const Json& json, const std::filesystem::path& /*folder*/) {
  ForeignRun run;
  for (const At& result : At(json)["results"].list()) {
    ForeignCase& one = run.cases.emplace_back();
    one.program = "hyperfine";
    one.name = result["command"].text();
    // The command has its parameters in it, unless the user named it.
    for (const std::string& key : result["parameters"].keys()) {
      const std::string value = result["parameters"][key.c_str()].as_text();
      if (one.name.find(value) == std::string::npos) one.name += fmt::format("/{}={}", key, value);
    }
    one.seconds = result["times"].numbers();
    if (one.seconds.empty()) {
      const At middle = result["median"];
      one.seconds.push_back((middle.as_text().empty() ? result["mean"] : middle).number());
    }
  }
  return run;
}

}  // namespace

const JsonFormat hyperfine{"hyperfine", {"/results/0", "/results/0/command"}, read_hyperfine};

}  // namespace bench

// hyperfine: --export-json FILE. It keeps the time of each run of a command.
#include <algorithm>

#include "harness/formats/at.hpp"

namespace bench {
namespace {

ForeignRun read_hyperfine(const Json& json, const std::filesystem::path& /*folder*/) {
  ForeignRun run;
  const std::vector<At> results = At(json)["results"].list();
  std::map<std::string, int> named;
  for (const At& result : results) ++named[result["command"].text()];
  for (const At& result : results) {
    const std::string command = result["command"].text();
    ForeignCase& one = run.cases.emplace_back();
    one.program = "hyperfine";
    one.name = command;
    // The command has its parameters in it, unless the user named it.
    const At parameters = result["parameters"];
    for (const std::string& key : parameters.keys()) {
      const std::string value = parameters[key.c_str()].as_text();
      const bool said = named[command] == 1 && command.find(value) != std::string::npos;
      if (!said) one.name += fmt::format("/{}={}", key, value);
    }
    one.seconds = result["times"].numbers();
    if (one.seconds.empty()) {
      const At middle = result["median"];
      one.seconds.push_back((middle.as_text().empty() ? result["mean"] : middle).number());
    }
    // It subtracts the time of its shell.
    const bool zeros = std::find(one.seconds.begin(), one.seconds.end(), 0.0) != one.seconds.end();
    if (zeros) one.no_time = "some of its times are 0 s: measure it with -N, without a shell";
    const std::vector<At> codes = result["exit_codes"].list();
    const auto failed = std::count_if(codes.begin(), codes.end(),
                                      [](const At& code) { return code.as_text() != "0"; });
    if (failed > 0) one.no_time = fmt::format("{} of its {} runs failed", failed, codes.size());
  }
  return run;
}

}  // namespace

const JsonFormat hyperfine{"hyperfine", {"/results/0", "/results/0/command"}, read_hyperfine};

}  // namespace bench

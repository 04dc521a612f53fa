// pytest-benchmark: --benchmark-json=FILE, which has samples, and what --benchmark-autosave writes,
// which has them with --benchmark-save-data.
#include "harness/formats/at.hpp"

namespace bench {
namespace {

ForeignRun read_pytest_benchmark(const Json& json, const std::filesystem::path& /*folder*/) {
  const At file(json);
  const At machine = file["machine_info"];
  ForeignRun run;
  run.started = file["datetime"].text();
  run.node = machine["node"].text();
  run.os = machine["system"].text();
  run.cpu_model = machine["cpu"]["brand_raw"].text();
  run.logical_cpus = machine["cpu"]["count"].maybe<std::size_t>();
  run.revision = file["commit_info"]["id"].text();
  if (run.revision == "unversioned") run.revision.clear();  // outside of a repository
  run.compiler = machine["python_implementation"].text();
  const std::string version = machine["python_version"].text();
  if (!version.empty()) run.compiler += " " + version;
  for (const At& benchmark : file["benchmarks"].list()) {
    ForeignCase& one = run.cases.emplace_back();
    // FILE::CLASS::TEST[PARAMETERS]
    one.name = benchmark["fullname"].text();
    one.program = "pytest";
    if (const std::size_t end = one.name.find("::"); end != std::string::npos) {
      one.program = one.name.substr(0, end);
      one.name.erase(0, end + 2);
    }
    const std::size_t open = one.name.find('[');
    if (open != std::string::npos && one.name.ends_with(']')) {
      one.name.pop_back();
      one.name[open] = '/';
    }
    const At stats = benchmark["stats"];
    one.seconds = stats["data"].numbers();
    if (one.seconds.empty()) one.seconds.push_back(stats["median"].number());
  }
  return run;
}

}  // namespace

const JsonFormat pytest_benchmark{
    "pytest_benchmark", {"/machine_info", "/benchmarks"}, read_pytest_benchmark};

}  // namespace bench

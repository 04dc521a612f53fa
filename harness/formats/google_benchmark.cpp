// Google Benchmark: --benchmark_out=FILE, or --benchmark_format=json. Its repetitions are samples;
// without them a row has a mean only.
#include <algorithm>

#include "harness/formats/at.hpp"

namespace bench {
namespace {

bool is_sample(const At& row) { return row["run_type"].text() != "aggregate"; }

/// Files with --benchmark_report_aggregates_only have no other rows; the median is the later one.
bool is_middle(const At& row) {
  const std::string name = row["aggregate_name"].text();
  return name == "median" || name == "mean";
}

ForeignRun read_google_benchmark(const Json& json, const std::filesystem::path& /*folder*/) {
  const At file(json);
  const At context = file["context"];
  ForeignRun run;
  run.started = context["date"].text();
  run.node = context["host_name"].text();
  run.logical_cpus = context["num_cpus"].maybe<std::size_t>();
  if (context["cpu_scaling_enabled"].maybe<bool>().value_or(false)) {
    run.warnings.emplace_back("CPU scaling was enabled");
  }
  if (context["library_build_type"].text() == "debug") {
    run.warnings.emplace_back("Google Benchmark was built as a debug library");
  }
  const std::string program = name_of_program(context["executable"].text());
  const std::vector<At> rows = file["benchmarks"].list();
  const bool samples = std::any_of(rows.begin(), rows.end(), is_sample);
  for (const At& row : rows) {
    if (samples ? !is_sample(row) : !is_middle(row)) continue;
    const std::string name = row["run_name"].maybe<std::string>().value_or(row["name"].text());
    ForeignCase& one = case_named(run, program, name);
    one.threads = row["threads"].maybe<int>();
    one.no_time = row["error_message"].text() + row["skip_message"].text();
    if (!one.no_time.empty()) continue;
    if (!samples) one.seconds.clear();
    one.seconds.push_back(row["real_time"].number() * row["time_unit"].unit("ns"));
    one.bytes_per_second = row["bytes_per_second"].maybe<double>();
  }
  return run;
}

}  // namespace

const JsonFormat google_benchmark{
    "google_benchmark", {"/context", "/benchmarks"}, read_google_benchmark};

}  // namespace bench

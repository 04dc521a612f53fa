// Google Benchmark: --benchmark_out=FILE, or --benchmark_format=json. Its repetitions are samples;
// without them a row has a mean only.
#include <set>

#include "harness/formats/at.hpp"

namespace bench {
namespace {

bool is_sample(const At& row) { return row["run_type"].text() != "aggregate"; }

/// Where only aggregates are reported, the file has nothing else; the median is the later one.
bool is_middle(const At& row) {
  const std::string name = row["aggregate_name"].text();
  return name == "median" || name == "mean";
}

std::string benchmark_of(const At& row) {
  return row["run_name"].maybe<std::string>().value_or(row["name"].text());
}

bool is_true(const At& flag) { return flag.maybe<bool>().value_or(false); }

/// Its rates are of the time of the processor, but for benchmarks that say otherwise.
const char* clock_of_rates(const std::string& name) {
  const bool real = name.find("/real_time") != std::string::npos ||
                    name.find("/manual_time") != std::string::npos;
  return real ? "real_time" : "cpu_time";
}

void take_row(ForeignCase& one, const At& row) {
  one.threads = row["threads"].maybe<int>();
  if (is_true(row["error_occurred"]) || is_true(row["skipped"])) {
    one.no_time = row["error_message"].text() + row["skip_message"].text();
    return;
  }
  if (!is_sample(row)) one.seconds.clear();
  one.seconds.push_back(row["real_time"].number() * row["time_unit"].unit("ns"));
  const auto rate = row["bytes_per_second"].maybe<double>();
  if (!rate) return;
  const double seconds = row[clock_of_rates(one.name)].number() * row["time_unit"].unit("ns");
  if (!one.bytes) one.bytes = *rate * seconds;
}

ForeignRun read_google_benchmark(const Json& json, const std::filesystem::path& /*folder*/) {
  const At file(json);
  const At context = file["context"];
  ForeignRun run;
  run.started = context["date"].text();
  run.node = context["host_name"].text();
  run.logical_cpus = context["num_cpus"].maybe<std::size_t>();
  if (is_true(context["cpu_scaling_enabled"])) {
    run.warnings.emplace_back("CPU scaling was enabled");
  }
  if (context["library_build_type"].text() == "debug") {
    run.warnings.emplace_back("Google Benchmark was built as a debug library");
  }
  const std::string program = name_of_program(context["executable"].text());
  const std::vector<At> rows = file["benchmarks"].list();
  std::set<std::string> sampled;
  for (const At& row : rows) {
    if (is_sample(row)) sampled.insert(benchmark_of(row));
  }
  for (const At& row : rows) {
    const std::string name = benchmark_of(row);
    const bool counts = sampled.contains(name) ? is_sample(row) : is_middle(row);
    if (!counts) continue;
    // Benchmarks of several source files may share a name.
    const std::string family =
        row["family_index"].as_text() + "/" + row["per_family_instance_index"].as_text();
    ForeignCase& one = case_named(run, program, name + "/" + family);
    one.name = name;
    take_row(one, row);
  }
  return run;
}

}  // namespace

const JsonFormat google_benchmark{
    "google_benchmark", {"/context", "/benchmarks"}, read_google_benchmark};

}  // namespace bench

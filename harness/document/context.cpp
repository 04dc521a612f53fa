#include "harness/document/context.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/document/doctor.hpp"
#include "harness/node/binding.hpp"
#include "harness/node/build_info.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/distortions.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"
#include "harness/plan/input_files.hpp"
#include "harness/workload/case_name.hpp"

namespace bench {
namespace {

/// What Google Benchmark's own JSON writer says of the node, so that its tools find their keys.
Json google_benchmark_context() {
  std::ostringstream text;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  reporter.SetErrorStream(&text);
  if (!reporter.ReportContext(benchmark::BenchmarkReporter::Context())) return Json::object();
  // The reporter stops inside of "benchmarks": [
  Json document = Json::parse(text.str() + "]}", nullptr, false);
  Json context = document.is_object() ? document.value("context", Json::object()) : Json::object();
  context["json_schema_version"] = 1;
  return context;
}

std::vector<GuestFile> files_of(const std::vector<GuestVariant>& guests) {
  std::vector<GuestFile> files;
  for (const GuestVariant& one : guests) {
    const bool known = std::any_of(files.begin(), files.end(), [&](const GuestFile& file) {
      return file.path == one.file.path;
    });
    if (!known) files.push_back(one.file);
  }
  return files;
}

/// Whether user kernels see the arrays: some that are named have nothing that could run.
bool shares_arrays(const Planning& settings) {
  const auto& guests = settings.guest_variants;
  return std::any_of(guests.begin(), guests.end(),
                     [](const GuestVariant& one) { return one.shared_pages != nullptr; });
}

RunRecord run_facts(const Planning& settings, const std::vector<std::string>& argv,
                    const Host& host) {
  RunRecord run;
  run.node = node_name(host);
  run.started = utc_now();
  run.seed = settings.seed;
  if (settings.inputs) run.input_files = settings.inputs->facts();
  run.guests = files_of(settings.guest_variants);
  run.sandbox = settings.forbidden_to_guests;
  run.argv = argv;
  run.selection = settings;
  run.selection->graded = settings.forbidden_to_guests.has_value();
  run.threads = settings.job_threads;
  run.threads_measured = threads_in_region();
  run.thread_cpus = thread_cpus();
  run.bound_by = bound_by(run.thread_cpus, host);
  run.isa = name_of(settings.isa);
  run.cache = settings.cache;
  run.last_level_cache_bytes = settings.last_level_cache_bytes;
  run.max_samples = settings.max_samples;
  run.min_time_s = settings.min_seconds;
  run.max_time_s = settings.max_seconds;
  run.clock = "steady_clock";
  run.clock_floor_s = clock_floor();
  run.allocation = shares_arrays(settings)
                       ? "pages shared with user kernels, parallel first touch, MADV_COLLAPSE"
                       : "anonymous pages, MADV_HUGEPAGE, parallel first touch";
  return run;
}

}  // namespace

Context make_context(const Planning& settings, const std::vector<std::string>& argv,
                     const Machine& machine, const Host& host) {
  Context context;
  context.engine = google_benchmark_context();
  context.run = run_facts(settings, argv, host);
  read(build_info(), Where(), context.build);
  context.machine = machine;
  context.slurm = slurm(host);
  // Those of the other executions at this time are among them.
  if (settings.of_part.contains(together_parameter)) context.machine.running_tasks.reset();
  context.run.warnings = doubts(context);
  for (std::string& one : distortions(host)) context.run.warnings.emplace_back(std::move(one));
  if (shares_arrays(settings) && !shared_pages_are_huge()) {
    context.run.warnings.emplace_back(
        "arrays shared with user kernels are in small pages here, for all variants: jumps through "
        "memory, as in transpose, are slower");
  }
  if (const auto& sandbox = settings.forbidden_to_guests; sandbox && !sandbox->lacks.empty()) {
    context.run.warnings.emplace_back(fmt::format(
        "Linux here cannot keep user kernels from {}: no Landlock, or no filters of system calls",
        fmt::join(sandbox->lacks, ", ")));
  }
  return context;
}

}  // namespace bench

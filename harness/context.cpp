#include "harness/context.hpp"

#include <benchmark/benchmark.h>

#include <sstream>

#include "harness/binding.hpp"
#include "harness/build_info.hpp"
#include "harness/clock.hpp"
#include "harness/doctor.hpp"
#include "harness/host_place.hpp"
#include "harness/input_files.hpp"
#include "harness/job.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

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

Json run_facts(const Settings& settings, const std::vector<std::string>& argv, const Host& host) {
  return {{"node", node_name(host)},
          {"started", utc_now()},
          {"finished", false},
          {"ended_by", nullptr},
          {"seed", settings.seed},
          {"input_hash", Json::object()},
          {"input_files", settings.inputs ? settings.inputs->facts() : Json::array()},
          {"argv", argv},
          {"threads", settings.job_threads},
          {"threads_measured", threads_in_region()},
          {"thread_cpus", thread_cpus()},
          {"isa", simd::name(settings.isa)},
          {"cache", settings.cache == CacheMode::cold ? "cold" : "hot"},
          {"last_level_cache_bytes", settings.last_level_cache_bytes},
          {"max_samples", settings.max_samples},
          {"min_time_s", settings.min_seconds},
          {"max_time_s", settings.max_seconds},
          {"clock", "steady_clock"},
          {"clock_floor_s", clock_floor()},
          {"allocation", "anonymous pages, MADV_HUGEPAGE, parallel first touch"},
          {"warnings", Json::array()}};
}

}  // namespace

Json make_context(const Settings& settings, const std::vector<std::string>& argv,
                  const Json& machine_facts, const Host& host) {
  Json context = google_benchmark_context();
  context["run"] = run_facts(settings, argv, host);
  context["build"] = build_info();
  context["machine"] = machine_facts;
  context["slurm"] = slurm(host);
  for (const std::string& doubt : doubts(context)) context["run"]["warnings"].push_back(doubt);
  return context;
}

}  // namespace bench

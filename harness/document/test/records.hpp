// Cases as they might have been measured, and result files of them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/document/crossovers.hpp"
#include "harness/document/document.hpp"
#include "harness/document/record.hpp"
#include "harness/plan/result.hpp"

namespace bench::test {

/// The object of a result file's list whose name begins with `path`.
inline Json find_row(const Json& list, const std::string& path) {
  for (const Json& row : list) {
    if (row.at("name").get<std::string>().starts_with(path + "/")) return row;
  }
  ADD_FAILURE() << "no row " << path;
  return {};
}

/// Nine samples or more, a few percent apart, whose median is `seconds`.
inline std::vector<double> samples_around(double seconds, std::size_t n = 9) {
  std::vector<double> samples(n);
  for (std::size_t i = 0; i < n; ++i) {
    samples[i] = seconds * (1 + 0.01 * (static_cast<double>(i % 5) - 2));
  }
  return samples;
}

/// Names a case after its fields.
inline Case named(Case one) {
  one.name = case_name(one.workload, one.backend, one.variant, one.dtype, one.size, one.scope,
                       one.parameters, one.beside);
  return one;
}

/// A case as the runner might have measured it; copies run with the group `work:10`.
inline Case measured(const std::string& workload, const std::string& backend,
                     const std::string& variant, double seconds) {
  Case result;
  result.workload = workload;
  result.backend = backend;
  result.variant = variant;
  result.idea = "an idea";
  result.size = "10";
  result.elements = 10;
  result.shape = {10};
  if (workload == "copy") result.beside = Beside{"work", "10"};
  result.isa = "avx2";
  result.threads = runs_on(backend, RunsOn::all_threads) ? 2 : 1;
  result.bandwidth_reference = workload == "copy";
  result.bytes = 4'000'000;
  result.flops = 7;
  result.footprint_bytes = 8'000'000;
  result.status = Status::measured;
  result.verdict = Verdict{true, "ulp", 0.5, 4, ""};
  result.first_use_s = 50 * seconds;
  result.timing.samples = samples_around(seconds);
  result.timing.stop = Stop::noise;
  return named(std::move(result));
}

/// A copy in a group of its own.
inline Case copy_alone(const std::string& backend, const std::string& variant, double seconds) {
  Case result = measured("copy", backend, variant, seconds);
  result.beside.reset();
  return named(std::move(result));
}

/// A CUDA case with a scope and a device.
inline Case measured_on_gpu(const std::string& workload, const std::string& variant, Scope scope,
                            double seconds) {
  Case result = measured(workload, "cuda", variant, seconds);
  result.scope = scope;
  result.threads.reset();
  result.isa.reset();
  result.launch = cuda::LaunchShape{{40, 2, 1}, {256, 1, 1}, 1024, 3};
  result.gpu = GpuUse{"GPU-1", {1900, 1980, 1950}, 2, {{"heat", 2}}};
  return named(std::move(result));
}

/// A CUDA case of a library.
inline Case measured_of_library(const std::string& workload, Scope scope, double seconds) {
  Case result = measured_on_gpu(workload, "library", scope, seconds);
  result.library = true;
  result.launch.reset();
  return result;
}

inline Group group_of(std::vector<Case> cases) {
  return {"work", Dtype::f32, "10", "xxh3:0123456789abcdef", std::move(cases)};
}

/// What a result file says of groups, as JSON.
struct Tables {
  Json cases;
  Json speedups;
  Json benchmarks;
  Json scaling;
};

inline Tables tables_of(const std::vector<Group>& groups) {
  Document document;
  for (const Group& group : groups) record(document, group);
  const Json json = written(document);
  return {json.at("cases"), json.at("speedups"), json.at("benchmarks"), json.at("scaling")};
}
inline Tables tables_of(const Group& group) { return tables_of(std::vector<Group>{group}); }

/// What a result file says of where and how it was measured.
inline Context context() {
  Context context;
  context.engine = {{"date", "2026-01-31T12:00:00+00:00"}, {"json_schema_version", 1}};
  RunRecord& run = context.run;
  run.node = "gpu1";
  run.started = "2026-01-31T12:00:00Z";
  run.seed = 42;
  run.argv = {"bench"};
  run.threads = run.threads_measured = 2;
  run.isa = "avx2";
  run.max_samples = 100;
  run.min_time_s = 0.5;
  run.max_time_s = 5;
  context.build.revision = "0123456789abcdef";
  context.build.dirty = false;
  context.build.build_type = "Release";
  context.machine.cpu_model = "Some Processor";
  context.machine.logical_cpus = 8;
  return context;
}

/// A context without warnings.
inline Context healthy() {
  Context context;
  context.build.build_type = "Release";
  context.run.threads = context.run.threads_measured = 4;
  context.machine.allowed_cpus = 4;
  context.machine.logical_cpus = 4;
  context.machine.running_tasks = 1;
  context.machine.governor = "performance";
  return context;
}

/// A finished result file of groups.
inline Document document_of_groups(const std::vector<Group>& groups) {
  Document document{context(), {}, {}, {}};
  for (const Group& group : groups) record(document, group);
  document.crossovers = crossovers(document.cases);
  document.context.run.finished = true;
  return document;
}

/// The case of a result file whose name begins so.
inline const CaseRecord& row(const Document& document, const std::string& path) {
  for (const CaseRecord& one : document.cases) {
    if (one.name.starts_with(path + "/")) return one;
  }
  throw std::logic_error("no case " + path);
}

}  // namespace bench::test

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/document/document.hpp"

namespace bench {
namespace {

/// A row of the tables, which repeats what it needs of its case.
struct SpeedupRow : CaseIdentity {
  std::optional<double> seconds;
  std::optional<RatioRecord> over_serial;
  std::optional<RatioRecord> over_best_cpu;
  Status status = Status::skipped;
  std::optional<Reason> reason;
  std::map<std::string, std::optional<double>> share_of;
  std::optional<bool> other_run;
};

void fields(auto& visit, Of<SpeedupRow> auto& one) {
  visit(FIELD(name), "that of the case");
  visit(FIELD(workload));
  visit(FIELD(backend));
  visit(FIELD(variant));
  visit(FIELD(dtype));
  visit(FIELD(size));
  visit(FIELD(scope));
  visit(FIELD(seconds), "median time; null if not measured");
  visit(FIELD(over_serial), "time of serial/naive divided by this time");
  visit(FIELD(over_best_cpu), "time of the fastest CPU variant divided by this time");
  visit(FIELD(status));
  visit(FIELD(reason), "why there is no time or no ratio");
  visit.each("share_of_", one.share_of, "as in cases");
  visit.maybe(FIELD(other_run), "in merged files, true: a baseline was measured in another run");
}

SpeedupRow speedup_row(const CaseRecord& one) {
  return {part_of<CaseIdentity>(one),
          one.seconds ? std::optional(one.seconds->median) : std::nullopt,
          one.over_serial,
          one.over_best_cpu,
          one.status,
          one.measured() ? one.no_ratio : one.reason,
          one.share_of,
          one.other_run ? std::optional(true) : std::nullopt};
}

/// A row as Google Benchmark writes it.
struct BenchmarkRow {
  std::string name;
  std::string run_name;
  std::string run_type = "iteration";
  std::size_t repetitions = 1;
  std::size_t repetition_index = 0;
  int threads = 1;
  std::size_t iterations = 1;
  double real_time = 0;
  double cpu_time = 0;
  std::string time_unit = "ns";
};

void fields(auto& visit, Of<BenchmarkRow> auto& one) {
  visit(FIELD(name));
  visit(FIELD(run_name));
  visit(FIELD(run_type));
  visit(FIELD(repetitions), {"at most 30: each is the mean of some samples in a row", positive});
  visit(FIELD(repetition_index));
  visit(FIELD(threads));
  visit(FIELD(iterations), {"runs per sample", positive});
  visit(FIELD(real_time));
  visit(FIELD(cpu_time));
  visit(FIELD(time_unit));
}

/// The samples as few repetitions: means of equal runs of consecutive samples.
std::vector<double> repetitions(const std::vector<double>& samples) {
  constexpr std::size_t most_rows = 30;
  const std::size_t rows = std::min(samples.size(), most_rows);
  std::vector<double> means(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = row * samples.size() / rows;
    const std::size_t end = (row + 1) * samples.size() / rows;
    const auto at = [&](std::size_t i) { return samples.begin() + static_cast<std::ptrdiff_t>(i); };
    means[row] = std::accumulate(at(begin), at(end), 0.0) / static_cast<double>(end - begin);
  }
  return means;
}

/// The same measurements as Google Benchmark writes them, for its tools.
void append_rows(std::vector<BenchmarkRow>& rows, const CaseRecord& one) {
  const std::vector<double> means = repetitions(one.seconds->samples);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double nanoseconds = means[i] * 1e9;
    rows.push_back({.name = one.name,
                    .run_name = one.name,
                    .repetitions = means.size(),
                    .repetition_index = i,
                    .iterations = one.batch.value_or(1),
                    .real_time = nanoseconds,
                    .cpu_time = nanoseconds});
  }
}

/// What a file repeats of its cases.
struct DerivedRows {
  std::vector<SpeedupRow> speedups;
  std::vector<BenchmarkRow> benchmarks;
  Explanations reasons;
};

void parts(auto& visit, Of<Document> auto& one, const DerivedRows& rows) {
  visit("schema", std::string(schema_name), "name and version of this format");
  visit(FIELD(context), "the keys of Google Benchmark, then those of bench");
  visit(FIELD(cases),
        "one entry per variant, size, element type and scope, with all samples, verification and "
        "status");
  visit("speedups", rows.speedups, "the rows of the tables: one entry per case");
  visit.later(FIELD(scaling),
              "variants that were measured with several numbers of threads: strong scaling");
  visit.later(FIELD(crossovers),
              "from which size on the fastest CUDA variant beats the fastest CPU variant, of the "
              "workloads measured at several sizes");
  visit("benchmarks", rows.benchmarks, "the same measurements for Google Benchmark's tools");
  visit.later("reasons", rows.reasons,
              "what the sentences above were made of: reasons, warnings and their parts, by their "
              "English text");
}

// What follows from a status and from a verdict.
constexpr const char* rule_of_cases = R"({"if": {"properties": {"status": {"const": "measured"}}},
  "then": {"properties": {"seconds": {"type": "object"}, "reason": {"type": "null"},
                          "rounds": {"type": "integer"}}},
  "else": {"properties": {"seconds": {"type": "null"}, "reason": {"type": "string"},
                          "gb_per_s": {"type": "null"}}}})";
// Of another program's cases, or of bench's.
constexpr const char* rule_of_checks = R"([{"properties": {"dtype": {"type": "null"},
                                            "verification": {"type": "null"}}},
  {"properties": {"dtype": {"type": "string"}},
   "if": {"properties": {"status": {"const": "measured"}}},
   "then": {"properties": {"verification": {"type": "object",
                                            "properties": {"passed": {"const": true}}}}}}])";
constexpr const char* rule_of_speedups = R"({
  "if": {"properties": {"status": {"const": "measured"}}},
  "else": {"properties": {"seconds": {"type": "null"}, "over_serial": {"type": "null"},
                          "over_best_cpu": {"type": "null"}, "reason": {"type": "string"}}}})";
constexpr const char* rule_of_crossovers =
    R"({"allOf": [{"properties": {"points": {"minItems": 2}}}],
  "if": {"properties": {"verdict": {"const": "from"}}},
  "then": {"anyOf": [{"properties": {"size": {"type": "integer"}}},
                     {"properties": {"ci95": {"prefixItems": [{}, {"type": "integer"}]}}}]},
  "else": {"properties": {"size": {"type": "null"}}}})";

}  // namespace

std::size_t Document::count(Status status) const {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [&](const CaseRecord& one) { return one.status == status; }));
}

std::string Context::date() const {
  const auto found = engine.find("date");
  return found != engine.end() && found->is_string() ? found->get<std::string>() : "";
}

namespace {

// The parts of a context that bench adds to Google Benchmark's keys.
void parts(auto& visit, Of<Context> auto& one) {
  visit(FIELD(run), "how this run measured");
  visit(FIELD(build), "the program");
  visit(FIELD(machine), "facts of the node; null or absent where unknown");
  visit.later(FIELD(slurm), "job, step, task and limits of the Slurm job; null outside of one");
}

bool is_part(const std::string& key) {
  return key == "run" || key == "build" || key == "machine" || key == "slurm";
}

/// What its sentences were made of.
Explanations explanations_of(const Document& document) {
  Explanations all;
  const Machine& machine = document.context.machine;
  for (const Reason& warning : document.context.run.warnings) add_explanations(warning, all);
  for (const auto& why : {machine.memory_limited_by, machine.energy_reason, machine.counters_reason,
                          machine.gpu_reason, machine.gpu_energy_reason}) {
    add_explanations(why.value_or(""), all);
  }
  for (const CaseRecord& one : document.cases) {
    for (const auto& why : {one.reason, one.unchecked, one.energy_reason, one.no_ratio}) {
      add_explanations(why.value_or(""), all);
    }
  }
  return all;
}

}  // namespace

void read(const Json& json, const Where& where, Context& context) {
  FieldReader reader(json, where);
  std::string date;
  reader("date", date);
  parts(reader, context);
  context.engine = Json::object();
  for (const auto& [key, value] : json.items()) {
    if (!is_part(key)) context.engine[key] = value;
  }
}

Json written(const Context& context) {
  Json json = context.engine;
  FieldWriter writer;
  parts(writer, context);
  json.update(std::move(writer).object());
  return json;
}

Json schema_of(const Context*) {
  SchemaWriter writer;
  writer("date", std::string(), "when the run began, with the time zone");
  writer("num_cpus", 0, "hardware threads of the node");
  writer("json_schema_version", 1, "of Google Benchmark's format");
  Context context;
  parts(writer, context);
  writer.keep(context.engine);
  return std::move(writer).schema();
}

Json written(const Document& document) {
  DerivedRows rows;
  for (const CaseRecord& one : document.cases) {
    rows.speedups.push_back(speedup_row(one));
    if (one.measured()) append_rows(rows.benchmarks, one);
  }
  rows.reasons = explanations_of(document);
  FieldWriter writer;
  parts(writer, document, rows);
  return std::move(writer).object();
}

Json result_file_schema() {
  SchemaWriter writer;
  const Document document;
  parts(writer, document, DerivedRows());
  Json all{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
           {"title", schema_name},
           {"description",
            "Every run of bench writes a result file. Times are in seconds, sizes in bytes, "
            "bandwidths in 10^9 bytes/s. Null where there is no number."}};
  all.update(std::move(writer).schema());
  Json& lists = all["properties"];
  lists["schema"]["const"] = schema_name;
  for (const char* const rows : {"cases", "speedups"}) {
    lists[rows]["items"]["properties"]["dtype"]["enum"].push_back(nullptr);
  }
  Json& cases = lists["cases"]["items"];
  cases.update(Json::parse(rule_of_cases));
  cases["anyOf"] = Json::parse(rule_of_checks);
  cases["anyOf"][1]["properties"]["name"]["pattern"] = case_name_pattern;
  lists["speedups"]["items"].update(Json::parse(rule_of_speedups));
  lists["crossovers"]["items"].update(Json::parse(rule_of_crossovers));
  return all;
}

}  // namespace bench

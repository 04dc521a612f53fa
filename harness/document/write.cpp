#include <algorithm>
#include <numeric>

#include "harness/document/document.hpp"

namespace bench {
namespace {

/// A row of the tables, which repeats what it needs of its case.
Json speedup_json(const CaseRecord& one) {
  Json row{{"name", one.name},
           {"workload", one.workload},
           {"backend", one.backend},
           {"variant", one.variant},
           {"dtype", written(one.dtype)},
           {"size", one.size},
           {"scope", written(one.scope)},
           {"seconds", one.seconds ? Json(one.seconds->median) : Json(nullptr)},
           {"over_serial", written(one.over_serial)},
           {"over_best_cpu", written(one.over_best_cpu)},
           {"status", written(one.status)},
           {"reason", written(one.measured() ? one.no_ratio : one.reason)}};
  for (const auto& [workload, share] : one.share_of) row["share_of_" + workload] = written(share);
  if (one.other_run) row["other_run"] = true;
  return row;
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
void append_rows(Json& rows, const CaseRecord& one) {
  const std::vector<double> means = repetitions(one.seconds->samples);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double nanoseconds = means[i] * 1e9;
    rows.push_back({{"name", one.name},
                    {"run_name", one.name},
                    {"run_type", "iteration"},
                    {"repetitions", means.size()},
                    {"repetition_index", i},
                    {"threads", 1},
                    {"iterations", one.batch.value_or(1)},
                    {"real_time", nanoseconds},
                    {"cpu_time", nanoseconds},
                    {"time_unit", "ns"}});
  }
}

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

// The parts of a context that are ours, beside the engine's own keys.
template <class V>
void parts(V& visit, Of<Context> auto& context) {
  visit("run", context.run);
  visit("build", context.build);
  visit("machine", context.machine);
  visit.later("slurm", context.slurm);
}

bool is_part(const std::string& key) {
  return key == "run" || key == "build" || key == "machine" || key == "slurm";
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

Json written(const Document& document) {
  Json speedups = Json::array();
  Json rows = Json::array();
  for (const CaseRecord& one : document.cases) {
    speedups.push_back(speedup_json(one));
    if (one.measured()) append_rows(rows, one);
  }
  return {{"schema", schema_name},
          {"context", written(document.context)},
          {"cases", written(document.cases)},
          {"speedups", speedups},
          {"scaling", written(document.scaling)},
          {"crossovers", written(document.crossovers)},
          {"benchmarks", rows}};
}

}  // namespace bench

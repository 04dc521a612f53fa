#include "harness/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/crossovers.hpp"
#include "harness/doctor.hpp"
#include "harness/job.hpp"
#include "harness/scaling.hpp"

namespace bench {
namespace {

constexpr std::size_t most_rows = 30;  // Google Benchmark rows per case

/// JSON has no NaN and no infinity: null stands for them.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json interval(const Interval& ci) { return Json::array({number(ci.low), number(ci.high)}); }

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

double gigabytes_per_second(const Case& result) {
  return static_cast<double>(result.bytes) / median(result.timing.samples) / 1e9;
}

/// GB/s relative to the fastest yardstick of the same backend, threads and scope in the group;
/// which yardstick `is_it` says.
Json share(const Case& result, std::span<const Case> group, bool Case::*is_it) {
  double best = 0;
  for (const Case& other : group) {
    if (other.*is_it && other.measured() && other.backend == result.backend &&
        other.threads == result.threads && other.scope == result.scope) {
      best = std::max(best, gigabytes_per_second(other));
    }
  }
  return best > 0 ? number(gigabytes_per_second(result) / best) : Json(nullptr);
}

Json seconds_json(const Timing& timing) {
  const Estimate middle = bootstrap_median(timing.samples);
  return {{"samples", timing.samples},
          {"median", middle.value},
          {"q1", quantile(timing.samples, 0.25)},
          {"q3", quantile(timing.samples, 0.75)},
          {"min", *std::min_element(timing.samples.begin(), timing.samples.end())},
          {"ci95", interval(middle.ci95)},
          {"noise", number(timing.noise)},
          {"drift", number(drift(timing.samples))},
          {"outliers", outliers(timing.samples)},
          {"preempted", timing.preempted ? Json(*timing.preempted) : Json(nullptr)},
          {"too_short", timing.too_short},
          {"stop", timing.stop}};
}

Json verification_json(const Verdict& verdict) {
  return {{"metric", verdict.metric},
          {"max_error", number(verdict.max_error)},
          {"tolerance", verdict.tolerance},
          {"passed", verdict.passed}};
}

Json launch_json(const std::optional<cuda::LaunchShape>& launch) {
  if (!launch) return nullptr;
  return {{"grid", launch->grid}, {"block", launch->block}, {"shared_bytes", launch->shared_bytes}};
}

Json gpu_json(const std::optional<GpuUse>& gpu) {
  if (!gpu) return nullptr;
  const auto& clocks = gpu->sm_clocks_mhz;
  const auto& throttled = gpu->throttled_samples;
  return {{"uuid", gpu->uuid},
          {"sm_clock_mhz", clocks.empty() ? Json(nullptr) : number(median(clocks))},
          {"throttled_samples", throttled ? Json(*throttled) : Json(nullptr)}};
}

/// The shares of the yardsticks: of the first one always, of a nearer one where the group has it.
void put_shares(Json& json, const Case& result, std::span<const Case> group) {
  const auto put = [&](const std::string& yardstick, bool Case::*is_it) {
    json["share_of_" + yardstick] = result.measured() ? share(result, group, is_it) : Json(nullptr);
  };
  put("copy", &Case::yardstick);
  const auto nearer = std::find_if(group.begin(), group.end(),
                                   [](const Case& one) { return one.nearer_yardstick; });
  if (nearer != group.end()) put(nearer->workload, &Case::nearer_yardstick);
}

Json case_json(const Case& result, std::span<const Case> group) {
  const bool measured = result.measured();
  Json json{
      {"name", result.name},
      {"workload", result.workload},
      {"backend", result.backend},
      {"variant", result.variant},
      {"idea", result.idea},
      {"dtype", result.dtype},
      {"size", result.size},
      {"scope", result.scope},
      {"status", result.status},
      {"reason", text_or_null(result.reason)},
      {"reference", result.reference},
      {"library", result.library},
      {"threads", result.threads > 0 ? Json(result.threads) : Json(nullptr)},
      {"isa", text_or_null(result.isa)},
      {"bytes", result.bytes},
      {"flops", result.flops},
      {"cache", result.cache},
      {"footprint_bytes", result.footprint},
      {"batch", measured ? Json(result.timing.batch) : Json(nullptr)},
      {"rounds", measured ? Json(result.timing.samples.size()) : Json(nullptr)},
      {"first_use_s", result.first_use_seconds ? number(*result.first_use_seconds) : Json(nullptr)},
      {"seconds", measured ? seconds_json(result.timing) : Json(nullptr)},
      {"verification", result.verdict ? verification_json(*result.verdict) : Json(nullptr)},
      {"gb_per_s", measured ? number(gigabytes_per_second(result)) : Json(nullptr)},
  };
  put_shares(json, result, group);
  json["launch"] = launch_json(result.launch);
  json["gpu"] = gpu_json(result.gpu);
  return json;
}

/// How many times faster than `baseline` a case is, with the interval over paired rounds.
Estimate speedup(const Case& result, const Case& baseline) {
  if (&result == &baseline) return {1, {1, 1}};
  return bootstrap_ratio(baseline.timing.samples, result.timing.samples);
}

Json ratio_json(const Case& result, const Case* baseline) {
  if (baseline == nullptr || !result.measured()) return nullptr;
  const Estimate ratio = speedup(result, *baseline);
  return {{"value", number(ratio.value)}, {"ci95", interval(ratio.ci95)}};
}

Json speedup_json(const Case& result, const Case* serial, const Case* best_cpu,
                  const Json& as_case) {
  Json over_best = ratio_json(result, best_cpu);
  if (!over_best.is_null()) over_best["baseline"] = best_cpu->name;
  std::string reason = result.reason;
  if (result.measured() && serial == nullptr) reason = "no baseline: serial/naive was not measured";
  Json json{{"name", result.name},
            {"workload", result.workload},
            {"backend", result.backend},
            {"variant", result.variant},
            {"dtype", result.dtype},
            {"size", result.size},
            {"scope", result.scope},
            {"seconds", result.measured() ? number(median(result.timing.samples)) : Json(nullptr)},
            {"over_serial", ratio_json(result, serial)},
            {"over_best_cpu", over_best},
            {"status", result.status},
            {"reason", text_or_null(reason)}};
  for (const auto& [key, value] : as_case.items()) {
    if (key.starts_with("share_of_")) json[key] = value;
  }
  return json;
}

/// The samples as at most most_rows repetitions: means of equal runs of consecutive samples.
std::vector<double> repetitions(const std::vector<double>& samples) {
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

void append_rows(Json& rows, const Case& result) {
  const std::vector<double> means = repetitions(result.timing.samples);
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double nanoseconds = means[i] * 1e9;
    rows.push_back({{"name", result.name},
                    {"run_name", result.name},
                    {"run_type", "iteration"},
                    {"repetitions", means.size()},
                    {"repetition_index", i},
                    {"threads", 1},
                    {"iterations", result.timing.batch},
                    {"real_time", nanoseconds},
                    {"cpu_time", nanoseconds},
                    {"time_unit", "ns"}});
  }
}

/// Cases of one workload within a group: ratios are taken among them only.
std::vector<const Case*> of_workload(const Group& group, const std::string& workload) {
  std::vector<const Case*> cases;
  for (const Case& result : group.cases) {
    if (result.workload == workload) cases.push_back(&result);
  }
  return cases;
}

const Case* serial_baseline(const std::vector<const Case*>& cases) {
  const auto found = std::find_if(cases.begin(), cases.end(), [](const Case* result) {
    return result->backend == "serial" && result->variant == "naive" && result->measured();
  });
  return found == cases.end() ? nullptr : *found;
}

const Case* best_cpu_variant(const std::vector<const Case*>& cases) {
  const Case* best = nullptr;
  for (const Case* result : cases) {
    if (!result->measured() || result->backend == cuda_backend || result->library) continue;
    if (best == nullptr || median(result->timing.samples) < median(best->timing.samples)) {
      best = result;
    }
  }
  return best;
}

}  // namespace

std::string serialised(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append(Tables& tables, const Group& group) {
  for (const Case& result : group.cases) {
    const std::vector<const Case*> peers = of_workload(group, result.workload);
    const Json as_case = case_json(result, group.cases);
    tables.speedups.push_back(
        speedup_json(result, serial_baseline(peers), best_cpu_variant(peers), as_case));
    tables.cases.push_back(as_case);
    if (result.measured()) append_rows(tables.benchmarks, result);
  }
  for (Json& entry : scaling(group)) tables.scaling.push_back(std::move(entry));
}

std::filesystem::path numbered(const std::filesystem::path& path, int number) {
  std::filesystem::path other = path;
  other.replace_filename(
      fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string()));
  return other;
}

WriteLock lock_document(const std::filesystem::path& path) {
  if (auto lock = lock_file(path)) return std::move(*lock);
  throw std::runtime_error(
      fmt::format("{} is being written by another run: wait for its end", path.string()));
}

Report::Report(Json context, std::filesystem::path path)
    : context_(std::move(context)), path_(std::move(path)) {}

void Report::create(bool may_rename) {
  const std::lock_guard lock(mutex_);
  if (path_.empty()) return;
  const std::string text = serialised(assemble()) + "\n";
  const std::filesystem::path wanted = path_;
  for (int attempt = 2; true; ++attempt) {
    lock_ = create_file(path_, text);
    if (lock_) return;
    if (!may_rename) {
      throw std::runtime_error(
          fmt::format("{} exists already: choose another --output or remove it", path_.string()));
    }
    path_ = numbered(wanted, attempt);
  }
}

void Report::go_on(WriteLock of_file, const Json& earlier, std::size_t groups) {
  const std::lock_guard lock(mutex_);
  lock_ = std::move(of_file);
  const Json& before = earlier.at("context").at("run");
  Json& run = context_["run"];
  Json parts = before.value("resumed", Json::array());
  parts.push_back({{"at", utc_now()}, {"after", before.value("ended_by", Json())}});
  run["resumed"] = parts;
  for (const char* key : {"started", "argv"}) {
    if (before.contains(key)) run[key] = before.at(key);
  }
  const Json earlier_duration = before.value("duration_s", Json());
  if (earlier_duration.is_number()) earlier_seconds_ = earlier_duration.get<double>();
  run["input_hash"] = before.at("input_hash");
  for (const Json& warning : before.at("warnings")) {
    Json& warnings = run["warnings"];
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back("before the interruption: " + warning.get<std::string>());
    }
  }
  tables_.cases = earlier.at("cases");
  tables_.speedups = earlier.at("speedups");
  tables_.benchmarks = earlier.value("benchmarks", Json::array());
  tables_.scaling = earlier.value("scaling", Json::array());
  groups_ = groups;
  write_locked();
}

void Report::add(const Group& group) {
  const std::lock_guard lock(mutex_);
  append(tables_, group);
  if (!group.input_hash.empty()) {
    const std::string which = fmt::format("{}/{}", group.dtype, group.size);
    context_["run"]["input_hash"][group.workload][which] = group.input_hash;
  }
  ++groups_;
  note_duration();
  write_locked();
}

bool Report::finish(const std::string& ended_by) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(concluded_, true)) return false;
  warn_of_samples();
  context_["run"]["finished"] = ended_by.empty();
  context_["run"]["ended_by"] = text_or_null(ended_by);
  note_duration();
  write_locked();
  return true;
}

void Report::move_to(const std::filesystem::path& folder) {
  {
    const std::lock_guard lock(mutex_);
    path_ = folder / path_.filename();
  }
  create(true);
}

void Report::note_duration() {
  context_["run"]["duration_s"] = earlier_seconds_ + since_begin_.seconds();
}

void Report::warn_of_samples() {
  constexpr double tolerable = 0.2;
  const auto warn = [this](const char* text, const std::string& remedy, auto disturbed) {
    std::size_t cases = 0;
    const Json* worst = nullptr;
    double worst_share = tolerable;
    for (const Json& result : tables_.cases) {
      if (result.at("status") != "measured") continue;
      const Json& samples = disturbed(result);
      if (samples.is_null()) continue;
      const double share = samples.get<double>() / result.at("rounds").get<double>();
      if (share > tolerable) ++cases;
      if (share <= worst_share) continue;
      worst = &result;
      worst_share = share;
    }
    if (worst == nullptr) return;
    context_["run"]["warnings"].push_back(fmt::format(
        "in {} of {} cases {} in more than a fifth of the samples (most: {}, {} of {}): {}", cases,
        tables_.cases.size(), text, worst->at("name").get<std::string>(), disturbed(*worst).dump(),
        worst->at("rounds").dump(), remedy));
  };
  static const Json nothing;
  warn("our threads waited for a processor",
       "others were working here; " + how_to_be_alone(context_),
       [](const Json& result) -> const Json& { return result.at("seconds").at("preempted"); });
  warn("the GPU was throttled", "its power or temperature limit is the limit of these numbers",
       [](const Json& result) -> const Json& {
         const Json& gpu = result.at("gpu");
         return gpu.is_null() ? nothing : gpu.at("throttled_samples");
       });
}

Json Report::document() const {
  const std::lock_guard lock(mutex_);
  return assemble();
}

std::filesystem::path Report::path() const {
  const std::lock_guard lock(mutex_);
  return path_;
}

std::size_t Report::groups() const {
  const std::lock_guard lock(mutex_);
  return groups_;
}

Json Report::assemble() const {
  return {{"schema", "bench-report/1"},
          {"context", context_},
          {"cases", tables_.cases},
          {"speedups", tables_.speedups},
          {"scaling", tables_.scaling},
          // Anew each time: of all groups, those of an earlier run too.
          {"crossovers", crossovers(tables_.cases, tables_.speedups)},
          {"benchmarks", tables_.benchmarks}};
}

void Report::write_locked() {
  if (!path_.empty()) lock_ = replace_file(path_, {serialised(assemble()), "\n"});
}

}  // namespace bench

#include "harness/job.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <ctime>
#include <optional>

namespace bench {
namespace {

std::string env_or(const Host& host, const char* name, const char* otherwise) {
  const char* value = host.env(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

std::optional<int> env_number(const Host& host, const char* name) {
  const std::string text = env_or(host, name, "");
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// Names of nodes and clusters become part of a file name.
std::string file_name_part(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; },
      '_');
  return text;
}

std::string utc_time(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32] = "";
  const std::size_t length = std::strftime(text, sizeof text, format, &parts);
  return {text, length};
}

}  // namespace

int job_threads(const Host& host) {
  if (host.env("OMP_NUM_THREADS") != nullptr) return std::max(1, omp_get_max_threads());
  const int allowed = std::max(1, static_cast<int>(host.cpus().size()));
  const int given = env_number(host, "SLURM_CPUS_PER_TASK").value_or(allowed);
  return std::clamp(given, 1, allowed);
}

int task_rank(const Host& host) { return env_number(host, "SLURM_PROCID").value_or(0); }

int local_rank(const Host& host) { return env_number(host, "SLURM_LOCALID").value_or(0); }

std::filesystem::path default_result_path(const Host& host) {
  const std::filesystem::path folder = env_or(host, "BENCH_RESULTS_DIR", "results");
  const std::string node = node_name(host);
  if (env_or(host, "SLURM_JOB_ID", "").empty()) {
    return folder / file_name_part(fmt::format("{}-{}.json", utc_time("%Y%m%dT%H%M%SZ"), node));
  }
  return folder / file_name_part(fmt::format(
                      "{}-{}.{}-{}-{}.json", env_or(host, "SLURM_CLUSTER_NAME", "cluster"),
                      env_or(host, "SLURM_JOB_ID", "0"), env_or(host, "SLURM_STEP_ID", "0"), node,
                      task_rank(host)));
}

std::string utc_now() { return utc_time("%Y-%m-%dT%H:%M:%SZ"); }

}  // namespace bench

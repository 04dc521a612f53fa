#include "harness/node/job.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <ctime>
#include <optional>
#include <set>
#include <string_view>

#include "harness/node/environment.hpp"
#include "harness/node/places.hpp"
#include "harness/node/text_file.hpp"
#include "harness/node/topology.hpp"

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

/// Names of nodes and clusters become part of a file name, of one that is not hidden.
std::string file_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c != '.'; },
      '_');
  if (text.starts_with('.')) text.front() = '_';
  return text;
}

/// The bytes that OMP_STACKSIZE asks for: "512", "512k", "1M"; nothing where it makes no sense.
std::optional<double> stack_size(const Host& host) {
  const std::string text = env_or(host, "OMP_STACKSIZE", "");
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [unit, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc()) return {};
  const char letter = unit == end ? 'K' : static_cast<char>(std::toupper(*unit));
  const std::size_t power = std::string_view("BKMG").find(letter);
  if (power == std::string_view::npos) return {};
  return value * std::pow(1024.0, static_cast<double>(power));
}

/// The CPUs instead where the system does not report its cores; at least one.
int cores_to_use(const Host& host) {
  const std::vector<int> cpus = host.cpus();
  if (cpus.size() < 2) return 1;
  // Counted already; the topology takes milliseconds.
  if (places_are_ours(host)) {
    return static_cast<int>(places_in(host.env(own_places_variable)).size());
  }
  const std::size_t cores = cores_of(host.topology(), cpus);
  return static_cast<int>(cores > 0 ? cores : cpus.size());
}

/// `16`, or `16_3` for a task of an array, as squeue shows it.
std::string number_of_job(const Host& host) {
  const std::string array = env_or(host, "SLURM_ARRAY_JOB_ID", "");
  if (array.empty()) return env_or(host, "SLURM_JOB_ID", "0");
  return array + "_" + env_or(host, "SLURM_ARRAY_TASK_ID", "0");
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
  const int cores = cores_to_use(host);
  const int given = env_number(host, "SLURM_CPUS_PER_TASK").value_or(cores);
  return std::clamp(given, 1, cores);
}

int task_rank(const Host& host) { return env_number(host, "SLURM_PROCID").value_or(0); }

int local_rank(const Host& host) { return env_number(host, "SLURM_LOCALID").value_or(0); }

std::filesystem::path default_result_path(const Host& host) {
  const std::filesystem::path folder = env_or(host, "BENCH_RESULTS_DIR", "results");
  const std::string node = node_name(host);
  if (env_or(host, "SLURM_JOB_ID", "").empty()) {
    return folder / file_name(fmt::format("{}-{}.json", utc_time("%Y%m%dT%H%M%SZ"), node));
  }
  return folder /
         file_name(fmt::format("{}-{}.{}-{}-{}.json", env_or(host, "SLURM_CLUSTER_NAME", "cluster"),
                               number_of_job(host), env_or(host, "SLURM_STEP_ID", "0"), node,
                               task_rank(host)));
}

std::filesystem::path path_of_task(const std::filesystem::path& path, const Host& host) {
  if (env_number(host, "SLURM_STEP_NUM_TASKS").value_or(1) < 2) return path;
  std::filesystem::path other = path;
  other.replace_filename(fmt::format("{}-{}-{}{}", path.stem().string(), file_name(node_name(host)),
                                     task_rank(host), path.extension().string()));
  return other;
}

int most_threads(std::size_t cpus) {
  constexpr int many = 1024;
  constexpr int many_per_cpu = 8;
  return std::max(many, many_per_cpu * static_cast<int>(cpus));
}

std::string openmp_obstacle(const Host& host) {
  constexpr double least_stack = 256 * 1024;
  if (stack_size(host).value_or(least_stack) < least_stack) {
    return fmt::format(
        "OMP_STACKSIZE={}: too little for a thread; ask for 256k or more, or unset it",
        env_or(host, "OMP_STACKSIZE", ""));
  }
  const int cpus = std::max(1, static_cast<int>(host.cpus().size()));
  const int threads = std::min(omp_get_max_threads(), omp_get_thread_limit());
  if (threads <= most_threads(host.cpus().size())) return "";
  return fmt::format("OMP_NUM_THREADS: {} threads on {} cpus; set it to {}, or unset it", threads,
                     cpus, cpus);
}

std::size_t jobs_beside(const Host& host) {
  constexpr std::string_view begin = "slurmstepd: [";  // and then JOB.STEP]
  std::set<std::string> jobs;
  std::error_code none;
  for (const auto& process : std::filesystem::directory_iterator(host.root / "proc", none)) {
    const std::string title = text_in(process.path() / "cmdline").value_or("");
    if (!title.starts_with(begin)) continue;
    jobs.insert(title.substr(begin.size(), title.find('.') - begin.size()));
  }
  jobs.erase(env_or(host, "SLURM_JOB_ID", ""));
  return jobs.size();
}

std::string utc_now() { return utc_time("%Y-%m-%dT%H:%M:%SZ"); }

}  // namespace bench

#include "harness/command/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/clock.hpp"
#include "harness/base/signals.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/interrupt.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/streams.hpp"
#include "harness/compare/health.hpp"
#include "harness/compare/read_nodes.hpp"
#include "harness/document/doubt.hpp"
#include "harness/guests/read_files.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// A fast variant of each: where the fastest one is another, it is compared with itself all the
/// same.
const std::vector<std::string> checked_workloads{"copy", "hypot", "multiply_add"};
const std::vector<std::string> checked_on_processors{"copy/openmp/streaming", "hypot/openmp/simd",
                                                     "multiply_add/openmp/simd"};
const std::vector<std::string> checked_on_gpu{"copy/cuda/wide", "hypot/cuda/wide",
                                              "multiply_add/cuda/several"};
/// What jobs/submit nodes --quick measures on nodes without a GPU.
constexpr const char* quick_size = "4000000";

std::vector<std::string> variants() {
  std::vector<std::string> all = checked_on_processors;
  all.insert(all.end(), checked_on_gpu.begin(), checked_on_gpu.end());
  return all;
}

std::set<std::string> computing(const Suite& suite) {
  std::set<std::string> names;
  for (const Workload* const one : suite.workloads) {
    if (!one->memory_bound) names.insert(one->name);
  }
  return names;
}

/// The one check of this node, as long as this lives: a name of the kernel's, no file. Nothing
/// where another one runs.
class OnlyCheck {
 public:
  OnlyCheck() : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    constexpr char name[] = "\0bench-check";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name, sizeof name - 1);
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + sizeof name - 1);
    const int bound = bind(socket_, reinterpret_cast<const sockaddr*>(&address), length);
    another_ = bound != 0 && errno == EADDRINUSE;
  }
  ~OnlyCheck() { close(socket_); }
  OnlyCheck(const OnlyCheck&) = delete;
  OnlyCheck& operator=(const OnlyCheck&) = delete;

  bool another_runs() const { return another_; }

 private:
  int socket_;
  bool another_ = false;
};

/// `1 task`, `2 tasks`
std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? " runs" : "s run");
}

/// Why this is not the moment to measure; empty where it is.
std::string at_work(const Machine& machine) {
  const int most = std::max(1, machine.allowed_cpus.value_or(1) / 8);
  const int others = machine.running_tasks.value_or(1) - 1;
  if (others > most) return counted(static_cast<std::size_t>(others), "task");
  const auto nvml = machine.gpu ? machine.gpu->nvml : std::nullopt;
  const std::size_t processes = nvml ? nvml->processes.value_or(0) : 0;
  return processes > 0 ? counted(processes, "process on the GPU") : "";
}

/// Of all samples, those that waited for a processor.
double waited(const std::vector<NodeRun>& runs) {
  double most = 0;
  for (const NodeRun& run : runs) {
    const auto found = run.figures.find(facts::waited);
    if (found != run.figures.end()) most = std::max(most, found->second);
  }
  return most;
}

/// What is known of the node so far, and how it is told: once.
class Checking {
 public:
  Checking(CheckRequest request, const Session& session)
      : request_(std::move(request)), computing_(computing(session.suite)) {}

  int tell(const Health& health) {
    std::call_once(told_, [&] {
      code_ = exit_code(health.word, request_.nagios);
      const double seconds = since_begin_.seconds();
      print(health_line(node_, health, seconds) + "\n");
      write_metrics(
          health_metrics(node_, health, code_, seconds, static_cast<double>(std::time(nullptr))));
    });
    return code_;
  }
  int tell(HealthWord word, const std::string& why) { return tell(Health{word, {why}, {}, {}}); }

  /// Why nothing can be compared; empty where something may be.
  std::string read_reference() {
    if (request_.expected.empty()) return "no reference: name one with --expected FOLDER";
    std::vector<std::string> files;
    for (const std::string& path : request_.expected) {
      if (!fs::exists(path)) refuse("--expected", path, "does not exist");
      if (!fs::is_directory(path) || holds_files(path)) files.push_back(path);
    }
    if (!files.empty()) recorded_ = read_expected(files, variants());
    const auto nothing =
        fmt::format("no reference: {} is empty", fmt::join(request_.expected, ", "));
    return recorded_.empty() ? nothing : "";
  }

  /// That of quick surveys where the reference has no other one.
  std::string size() const {
    std::set<std::string> sizes;
    for (const NodeRun& run : recorded_) {
      for (const NodeTime& time : run.times) {
        if (!time.column.best && time.column.workload == "copy") sizes.insert(time.column.size);
      }
    }
    return sizes == std::set<std::string>{quick_size} ? quick_size : "default";
  }

  /// What is to be said before anything is measured.
  std::optional<int> before(const Context& context) {
    const NodeRun node = node_run({context, {}, {}, {}}, "", {});
    if (!recorded_.empty()) {
      std::string why;
      const auto reference = reference_for(node, recorded_, why);
      if (reference.empty()) return tell(HealthWord::unknown, why);
      const auto absent = absent_parts(node, reference);
      if (!absent.empty()) return tell(Health{HealthWord::absent, absent, {}, {}});
    }
    const std::string work = request_.force ? "" : at_work(context.machine);
    if (!work.empty()) return tell(HealthWord::busy, work + ": not measured");
    return {};
  }

  Finding judge(const Document& document) {
    const auto runs = node_runs(document, "", variants());
    const auto& ended_by = document.context.run.ended_by;
    if (recorded_.empty())
      return {"", tell(HealthWord::unknown, "no reference; measured and kept")};
    Health found =
        health(runs, recorded_, checked_workloads, computing_, request_.threshold_percent / 100);
    if (found.word == HealthWord::unknown && ended_by) found.said = {"nothing measured in time"};
    const bool of_times = found.word == HealthWord::slow || found.word == HealthWord::unclear;
    if (of_times && !request_.force && waited(runs) > disturbed_share) {
      found.word = HealthWord::busy;
      found.said = {fmt::format("{:.0f} % of samples waited", 100 * waited(runs))};
    }
    return {"", tell(found)};
  }

 private:
  static bool holds_files(const std::string& folder) {
    const auto files = fs::directory_iterator(folder);
    return std::any_of(fs::begin(files), fs::end(files),
                       [](const auto& file) { return file.path().extension() == ".json"; });
  }

  void write_metrics(const std::string& text) {
    if (request_.metrics.empty()) return;
    try {
      replace_file(request_.metrics, {text});
    } catch (const std::runtime_error& error) {
      complain(error.what());
      if (code_ == Exit::fine) code_ = Exit::wrong;
    }
  }

  Stopwatch since_begin_;
  CheckRequest request_;
  std::set<std::string> computing_;
  std::string node_ = node_name();
  std::vector<NodeRun> recorded_;
  std::once_flag told_;
  int code_ = Exit::fine;
};

/// The same words, where this is one of several processes, and where it is the first.
RunRequest run_of(const CheckRequest& request, const std::string& size) {
  constexpr double for_the_end = 0.15;  // leaving, and samples that take longer than planned
  RunRequest run = request.run;
  Settings& settings = run.wanted.settings;
  settings.filters = checked_on_processors;
  if (cuda::built_with_cuda()) {
    settings.filters = variants();
    settings.scopes = {Scope::kernel, Scope::end_to_end};
  }
  settings.sizes = {size};
  settings.no_baseline = true;
  settings.all_devices = true;
  settings.budget = Budget{(1 - for_the_end) * request.seconds};
  run.output = request.keep.empty()
                   ? "none"
                   : (fs::path(request.keep) / default_result_path().filename()).string();
  run.progress = false;
  return run;
}

bool writable(const fs::path& folder) { return access(folder.c_str(), W_OK) == 0; }

/// SIGALRM after that many seconds.
void end_after(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6) + 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

int check(const CheckRequest& request, const Session& session) {
  const auto checking = std::make_shared<Checking>(request, session);
  if (!request.metrics.empty() && !writable(fs::absolute(request.metrics).parent_path())) {
    refuse("--metrics", request.metrics, "its folder is not there or cannot be written");
  }
  fs::path kept = fs::absolute(request.keep.empty() ? "/" : request.keep);
  while (!fs::exists(kept)) kept = kept.parent_path();  // the rest of it will be made
  if (!request.keep.empty() && !writable(kept)) {
    refuse("--keep", request.keep, "cannot be written");
  }
  const OnlyCheck only;
  if (only.another_runs()) return checking->tell(HealthWord::busy, "another check runs");
  const std::size_t jobs = jobs_beside();
  if (jobs > 0 && !request.force) {
    return checking->tell(HealthWord::busy, counted(jobs, "job") + ": not measured");
  }
  const std::string why = checking->read_reference();
  if (!why.empty() && request.keep.empty()) return checking->tell(HealthWord::unknown, why);
  block_interrupts();
  on_interrupt([checking](int signal) {
    const int code = checking->tell(HealthWord::unknown, "nothing measured in time");
    return signal == SIGALRM ? code : Exit::by(signal);
  });
  constexpr double for_leaving = 0.07;
  end_after((1 - for_leaving) * request.seconds);
  RunRequest run = run_of(request, checking->size());
  run.before = [checking](const Context& context) { return checking->before(context); };
  run.judge = [checking](const Document& document) { return checking->judge(document); };
  return execute(std::move(run), session);
}

// ---- --learn ----

/// What a pattern in quotes stands for.
std::vector<std::string> expanded(const std::vector<std::string>& patterns) {
  std::vector<std::string> paths;
  for (const std::string& pattern : patterns) {
    glob_t found{};
    if (glob(pattern.c_str(), GLOB_NOCHECK, nullptr, &found) == 0) {
      paths.insert(paths.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    globfree(&found);
  }
  return paths;
}

int make_reference(const CheckRequest& request, const Session& session) {
  if (request.keep.empty()) {
    throw UsageError("--learn: name the folder of the reference, e.g. --keep reference");
  }
  std::error_code none;
  if (!fs::is_empty(request.keep, none) && !none) {
    refuse("--keep", request.keep, "holds files already: name a new folder for the reference");
  }
  std::vector<std::string> patterns{request.learn};
  patterns.insert(patterns.end(), request.paths.begin(), request.paths.end());
  const NodeComparisonInput input = read_nodes(expanded(patterns), "", variants());
  for (const std::string& line : input.unreadable) complain("left out: " + line);
  const auto kinds = learn(input.runs, computing(session.suite));
  if (kinds.empty()) {
    throw UsageError(fmt::format("--learn: none of these {} runs has one of {}", input.runs.size(),
                                 fmt::join(variants(), ", ")));
  }
  std::size_t number = 0;
  for (const LearnedKind& kind : kinds) {
    for (const std::string& file : kind.files) {
      const std::string name =
          fmt::format("{:04}-{}", ++number, fs::path(file).filename().string());
      create_file(fs::path(request.keep) / name, guests::whole_file(file));
    }
    std::string line = fmt::format("{}: {} of {} runs", kind.name, kind.files.size(), kind.runs);
    for (const auto& [part, deviation] : kind.scatter) {
      line += fmt::format(", {} ± {:.1f} %", part, 100 * deviation);
    }
    print(line + "\n");
  }
  print(fmt::format("next: {} check --expected {}\n", session.argv.front(), request.keep));
  return Exit::fine;
}

}  // namespace

void add_options(CLI::App& app, CheckRequest& request, const Abilities& node) {
  start_from(request.run.wanted.settings, node);
  by_default(add_duration(
                 app, "--budget", [&request](double seconds) { request.seconds = seconds; },
                 "end within TIME (20s, 1m), including setup; what does not fit is named"),
             "20s");
  add_list(app, "--expected", request.expected,
           "recorded runs (files or folders) of equal nodes: the reference", "PATH");
  by_default(add_number(app, "--threshold", request.threshold_percent, "percent",
                        "smallest slowdown that matters"),
             "10");
  add_text(app, "--metrics", request.metrics,
           "also write the answer for Prometheus (node_exporter's textfile collector)", "FILE");
  add_text(app, "--keep", request.keep,
           "keep the result file in this folder; with --learn: the reference", "FOLDER");
  add_flag(app, "--nagios", request.nagios,
           "exit with 1 where the node is slow, 2 where hardware is missing or a result is wrong, "
           "3 where "
           "nothing was compared");
  add_flag(app, "--force", request.force, "measure even if the node is busy");
  auto* const learning = add_text(
      app, "--learn", request.learn,
      "make the reference of the runs of many nodes, a folder such as results/nodes-TIME", "PATH");
  exclude(learning, options_of(app, {"--budget", "--expected", "--threshold", "--metrics",
                                     "--nagios", "--force"}));
  add_words(app, "PATH", request.paths, "with --learn: more folders to learn from", "PATH");
  finally(app, [&request] {
    if (!request.paths.empty() && request.learn.empty()) {
      refuse("check", request.paths.front(), "is for --learn; a reference is named by --expected");
    }
  });
}

int execute(CheckRequest request, const Session& session) {
  if (one_of_several()) {
    Checking checking(request, session);
    checking.read_reference();
    return execute(run_of(request, checking.size()), session);
  }
  try {
    return request.learn.empty() ? check(request, session) : make_reference(request, session);
  } catch (const UsageError& error) {
    if (!request.nagios) throw;
    return Checking(request, session).tell(HealthWord::unknown, error.what());
  }
}

}  // namespace bench

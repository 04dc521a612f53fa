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
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/clock.hpp"
#include "harness/base/files.hpp"
#include "harness/base/phases.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/signals.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/interrupt.hpp"
#include "harness/command/links.hpp"
#include "harness/command/measuring.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/result_file.hpp"
#include "harness/command/streams.hpp"
#include "harness/compare/health_text.hpp"
#include "harness/compare/read_nodes.hpp"
#include "harness/compare/slow_cores.hpp"
#include "harness/compare/slow_links.hpp"
#include "harness/compare/slow_memory.hpp"
#include "harness/compare/sustained.hpp"
#include "harness/document/doubt.hpp"
#include "harness/node/core_times.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"
#include "harness/node/memory_times.hpp"
#include "harness/node/topology.hpp"

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
/// More than are taken: no file holds them.
constexpr std::size_t sustained_samples = 1'000'000;
/// What jobs/submit nodes --quick measures on nodes without a GPU.
constexpr const char* quick_size = "4000000";

/// One of a part is enough to confirm that it is slow.
std::string confirming(const std::string& part) {
  return part.ends_with("cores") ? "multiply_add" : "copy";
}

/// The variants of these workloads only.
std::vector<std::string> variants_of(const std::set<std::string>& workloads,
                                     std::vector<std::string> all) {
  std::erase_if(all, [&](const std::string& variant) {
    return !workloads.contains(variant.substr(0, variant.find('/')));
  });
  return all;
}

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

/// What the job asked for, where the process has it: nothing is wrong with the node then.
std::string given_less(const Context& context) {
  if (!context.slurm) return "";
  const int here = context.machine.allowed_cpus.value_or(0);
  int given = 0;
  for (const Text& cpus : {context.slurm->cpus_on_node, context.slurm->cpus_per_task}) {
    const int count = std::atoi(cpus.value_or("").c_str());
    if (count > 0 && (given == 0 || count < given)) given = count;
  }
  if (given == 0 || given > here) return "";
  return fmt::format("cpus of this job: {}; ask for the node, srun --exclusive", given);
}

/// Why times cannot be compared with those of a reference; empty where they can.
std::string other_threads(const NodeRun& node, const std::vector<NodeRun>& reference) {
  const auto threads = [](const NodeRun& run) {
    return text_of_fact(run.facts.at(facts::threads));
  };
  const bool any = std::any_of(reference.begin(), reference.end(),
                               [&](const NodeRun& one) { return threads(one) == threads(node); });
  if (any) return "";
  return fmt::format("threads: {} here, {} in the reference (OMP_NUM_THREADS, OMP_THREAD_LIMIT)",
                     threads(node), threads(reference.front()));
}

/// The largest share of samples that waited for a processor, of these runs.
double waited(const std::vector<NodeRun>& runs) {
  double most = 0;
  for (const NodeRun& run : runs) {
    const auto found = run.figures.find(facts::waited);
    if (found != run.figures.end()) most = std::max(most, found->second);
  }
  return most;
}

Finding not_judged(const std::string& why) { return {Found::not_judged, {}, {{"reason", why}}}; }

/// What is known of the node so far, and how it is told: once.
class Checking {
 public:
  Checking(CheckRequest request, const Session& session)
      : request_(std::move(request)),
        since_begin_(session.since_begin),
        computing_(computing(session.suite)) {}

  int tell(Health health) {
    std::call_once(told_, [&] {
      code_ = exit_code(health.word, request_.nagios);
      const double seconds = since_begin_.seconds();
      if (!unread_.empty()) {
        health.findings.push_back({Found::unread, {}, {{"count", unread_.size()}}});
      }
      std::string line = health_line(node_, health, seconds);
      if (request_.nagios) {  // which expects figures past a bar
        std::replace(line.begin(), line.end(), '|', '/');
        line += " | " + performance_data(health, seconds);
      }
      if (request_.planted > 1) line += fmt::format(", planted {:.2f}x", request_.planted);
      write_metrics(health, seconds);
      try {
        print(line + "\n");
      } catch (const std::exception& error) {  // of a full disk nothing is known of the node
        complain(error.what());
        print_nothing_more();
        code_ = exit_code(HealthWord::unknown, request_.nagios);
      }
    });
    return code_;
  }
  int tell(HealthWord word, const std::string& why) {
    return tell(Health{word, {}, {not_judged(why)}});
  }

  /// Why nothing can be compared; empty where something may be.
  std::string read_reference() {
    if (request_.expected.empty()) return "no reference: name one with --expected FOLDER";
    std::error_code none;
    std::vector<std::string> files;
    for (const std::string& path : request_.expected) {
      if (!fs::exists(path, none)) {
        unread_.push_back(fmt::format("--expected {}: does not exist", path));
      } else if (!fs::is_directory(path, none) || holds_files(path)) {
        files.push_back(path);
      }
    }
    recorded_ = read_expected(files, variants(), &unread_);
    for (const std::string& line : unread_) complain("left out of the reference: " + line);
    if (!recorded_.empty()) return "";
    if (!unread_.empty()) return std::exchange(unread_, {}).front();
    return fmt::format("no reference: {} is empty", fmt::join(request_.expected, ", "));
  }

  /// The size of quick surveys where the reference has no other one.
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
    const auto& gpu = context.machine.gpu;
    gpus_ = gpu ? gpu->visible_devices.value_or(1) : 0;
    const NodeRun node = node_run({context, {}, {}, {}}, "", {});
    if (!recorded_.empty()) {
      Finding why;
      const auto reference = reference_for(node, recorded_, why);
      if (reference.empty()) return tell(Health{HealthWord::unknown, {}, {why}});
      const auto absent = absent_parts(node, reference);
      const std::string less = absent.empty() ? "" : given_less(context);
      if (!less.empty() && absent.front().differs.front().name == facts::cpus) {
        return tell(HealthWord::unknown, less);
      }
      if (!absent.empty()) return tell(Health{HealthWord::absent, {}, absent});
      if (const std::string other = other_threads(node, reference); !other.empty()) {
        return tell(HealthWord::unknown, other);
      }
    }
    const std::string work = request_.force ? "" : at_work(context.machine);
    if (work.empty()) return {};
    if (passes_.size() == 1) return tell(HealthWord::busy, work + ": not measured");
    return tell_now(work + ": not measured again");
  }

  void look_at_neighbours() {
    const auto cores = core_times(this_topology(), request_.planted);
    const auto memory = memory_times(this_topology());
    const std::lock_guard lock(passes_lock_);
    keep_quicker(cores_, cores);
    memory_.push_back(memory);
    ++passes_of_neighbours_;
  }

  /// Judges a pass; the last one is told. Returns the exit code.
  int judge(const Document& document) {
    if (recorded_.empty()) return tell(HealthWord::unknown, "no reference; measured and kept");
    const std::lock_guard lock(passes_lock_);
    passes_.back() = {node_runs(document, "", variants()), since_begin_.seconds()};
    const bool ended = document.context.run.ended_by.has_value();
    return conclude(ended, ended || out_of_time(document));
  }

  /// Whether the next pass is of its own kind: with --sustained processors and the GPU are at work
  /// by turns, each for long. The first pass is of both.
  std::vector<std::string> turn(const std::vector<std::string>& filters) const {
    const bool with_gpu = std::any_of(
        passes_.front().runs.begin(), passes_.front().runs.end(), [](const NodeRun& run) {
          return std::any_of(run.times.begin(), run.times.end(),
                             [](const NodeTime& time) { return time.on_gpu; });
        });
    if (!request_.sustained || !with_gpu) return filters;
    return passes_.size() % 2 == 0 ? checked_on_processors : checked_on_gpu;
  }

  /// What the next pass measures; nothing where all is said.
  std::set<std::string> begin_next() {
    const std::lock_guard lock(passes_lock_);
    if (next_.empty()) return {};
    passes_.emplace_back();
    since_last_pass_ = {};
    return std::exchange(next_, {});
  }

  /// What the passes before this one say.
  int tell_now(const std::string& busy = "") {
    const std::lock_guard lock(passes_lock_);
    busy_ = busy;
    return conclude(true, true);
  }

  /// Before anything is measured.
  std::string hangs_at() const {
    if (phase_now() != Phase::device) return "nothing measured in time";
    return fmt::format("the GPU driver did not answer within {:.0f} s", since_begin_.seconds());
  }

  /// Until the alarm.
  double left() const {
    constexpr double for_leaving = 0.07;
    return (1 - for_leaving) * request_.seconds - since_begin_.seconds();
  }

 private:
  Health judged(const std::vector<NodeRun>& runs) const {
    return health(runs, recorded_, checked_workloads, computing_, request_.threshold_percent / 100);
  }

  /// Each part of the node with its passes from this one on, as one run.
  std::vector<NodeRun> since_pass(std::size_t first) const {
    std::map<std::string, std::vector<NodeRun>> parts;
    for (std::size_t i = first; i < passes_.size(); ++i) {
      for (const NodeRun& run : passes_[i].runs) parts[run.gpu_number].push_back(run);
    }
    std::vector<NodeRun> all;
    for (const auto& [gpu, passes] : parts) all.push_back(merged(passes));
    return all;
  }

  /// All of it where there is time, else what is to be confirmed.
  std::set<std::string> to_measure_again(const Health& found) const {
    constexpr std::size_t most_passes = 3;
    std::set<std::string> workloads;
    if (left() <= 0) return workloads;
    if ((request_.sustained || passes_.size() < most_passes) &&
        left() > since_last_pass_.seconds()) {
      workloads.insert(checked_workloads.begin(), checked_workloads.end());
    } else if (passes_.size() == 1) {
      for (const PartHealth& part : found.parts) {
        if (part.verdict == NodeVerdict::slow) workloads.insert(confirming(part.name));
      }
    }
    return workloads;
  }

  /// `ended`: this is the last pass.
  int conclude(bool ended, bool in_haste) {
    const auto runs = since_pass(0);
    Health found = judged(runs);
    const bool of_times = found.word == HealthWord::slow || found.word == HealthWord::unclear;
    if (found.word == HealthWord::unknown && in_haste)
      found.findings = {not_judged("nothing measured in time")};
    next_.clear();
    if (!ended && (of_times || found.word == HealthWord::ok)) next_ = to_measure_again(found);
    if (!next_.empty()) return Exit::unclear;  // nothing is told before the last pass
    const double disturbed = request_.force ? 0 : waited(runs);
    if (disturbed > disturbed_share) {
      busy_ = fmt::format("{:.0f} % of samples waited", 100 * disturbed);
    }
    if (of_times && !busy_.empty()) {
      found.word = HealthWord::busy;
      found.findings.push_back(not_judged(busy_));
    }
    confirm(found, judged(since_pass(1)));
    const bool of_speed = found.word == HealthWord::ok || found.word == HealthWord::unclear ||
                          found.word == HealthWord::slow;
    if (of_speed) {
      const double threshold = request_.threshold_percent / 100;
      add_slow_cores(found, cores_, passes_of_neighbours_, threshold);
      add_slow_memory(found, memory_, threshold);
      add_slow_links(found, links_in_time(), threshold);
    }
    if (request_.sustained && of_speed) {
      std::vector<Pass> passes = passes_;
      std::erase_if(passes, [](const Pass& one) { return one.runs.empty(); });
      for (const std::string& line : course_of(passes, computing_)) bench::tell(line);
      add_sustained(found, passes, computing_, request_.threshold_percent / 100);
    }
    return tell(found);
  }

  /// Copies between GPUs, where there are enough of them and time is left after the passes.
  std::vector<LinkTimes> links_in_time() const {
    constexpr int fewest = 3;
    constexpr double least = 5;  // seconds
    const double patience = 0.8 * left();
    if (gpus_ < fewest) return {};
    try {
      if (patience < least) throw std::runtime_error("no time is left after the passes");
      return links_of_gpus(patience);
    } catch (const std::exception& error) {
      complain(fmt::format("links of GPUs are not compared: {}", error.what()));
      return {};
    }
  }

  static bool out_of_time(const Document& document) {
    const auto& cases = document.cases;
    return std::any_of(cases.begin(), cases.end(), [](const CaseRecord& one) {
      return one.reason &&
             (one.reason->is(reasons::budget_used_up) || one.reason->is(reasons::budget_too_small));
    });
  }

  static bool holds_files(const std::string& folder) {
    const auto files = fs::directory_iterator(folder);
    return std::any_of(fs::begin(files), fs::end(files),
                       [](const auto& file) { return file.path().extension() == ".json"; });
  }

  /// The exit code stays that of the answer: nothing is wrong with the node.
  void write_metrics(const Health& health, double seconds) const {
    if (request_.metrics.empty()) return;
    try {
      const auto now = static_cast<double>(std::time(nullptr));
      const std::string old = whole_file(request_.metrics);
      const CheckTimes times{now, is_verdict(health.word) ? now : last_verdict(old)};
      replace_file(request_.metrics, {health_metrics(node_, health, code_, seconds, times)});
      constexpr auto readers =
          fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
      fs::permissions(request_.metrics, readers, fs::perm_options::add);  // whatever the umask
    } catch (const std::exception& error) {
      complain(error.what());
    }
  }

  CheckRequest request_;
  Stopwatch since_begin_;
  std::set<std::string> computing_;
  std::string node_ = node_name();
  std::vector<NodeRun> recorded_;
  std::vector<std::string> unread_;  ///< of the reference, a line each
  std::mutex passes_lock_;           ///< a signal ends the check in a thread of its own
  std::vector<Pass> passes_ = std::vector<Pass>(1);
  Stopwatch since_last_pass_;
  std::vector<CoreTime> cores_;
  std::vector<std::vector<MemoryTime>> memory_;  // of each pass
  std::size_t passes_of_neighbours_ = 0;
  int gpus_ = 0;
  std::set<std::string> next_;  ///< workloads of the next pass
  std::string busy_;            ///< why times may be those of a busy node
  std::once_flag told_;
  int code_ = Exit::fine;
};

/// The same words, where this is one of several processes, and where it is the first.
RunRequest run_of(const CheckRequest& request, const std::string& size) {
  constexpr double for_the_end = 0.15;  // leaving, and samples that take longer than planned
  constexpr double of_a_group = 0.05;   // so that there is time to confirm what is slow
  RunRequest run = request.run;
  Settings& settings = run.wanted.settings;
  settings.filters = checked_on_processors;
  if (cuda::built_with_cuda()) {
    settings.filters = variants();
    settings.scopes = {Scope::kernel, Scope::end_to_end};
  }
  settings.max_seconds = std::min(settings.max_seconds, of_a_group * request.seconds);
  settings.min_seconds = std::min(settings.min_seconds, settings.max_seconds);
  settings.planted = request.sustained ? 1 : request.planted;
  if (request.sustained) {  // at work, and not only now and then
    constexpr double passes = 20;
    settings.max_samples = sustained_samples;
    settings.max_seconds = settings.min_seconds = request.seconds / passes / 3;
    settings.energy = true;
  }
  settings.sizes = {size};
  settings.no_baseline = true;
  settings.all_devices = true;
  settings.budget = Budget{(1 - for_the_end) * request.seconds};
  run.output = request.keep.empty()
                   ? "none"
                   : (fs::path(request.keep) / default_result_path().filename()).string();
  run.compares = run.writes_file();  // for readers of the file
  run.progress = false;
  run.in_short = true;
  return run;
}

bool writable(const fs::path& folder) { return access(folder.c_str(), W_OK) == 0; }

/// SIGALRM after that many seconds, at once if that is over.
void end_after(double seconds) {
  seconds = std::max(seconds, 0.0);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6) + 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

/// One pass over what is checked, and what it says. The alarm ends it with what it has so far.
int measure_and_judge(const std::shared_ptr<Checking>& checking, RunRequest run,
                      const Session& session) {
  Prepared prepared = prepare(std::move(run), session);
  Context context = prepared.context;
  if (!prepared.parts.empty()) {  // each opens its own device
    context.machine.gpu.emplace().visible_devices = static_cast<int>(prepared.parts.size());
  }
  if (const auto prevented = checking->before(context)) return *prevented;
  checking->look_at_neighbours();
  const auto judged = [checking](const Report& report, const std::string& unwritten,
                                 std::optional<int> signal) {
    if (!unwritten.empty()) complain(unwritten);
    const int code = checking->judge(report.document());
    return signal && *signal != SIGALRM ? Exit::by(*signal) : code;
  };
  const Measured measured = measure(std::move(prepared), session, [judged](const Ended& ended) {
    return judged(*ended.report, ended.unwritten, ended.signal);
  });
  return judged(*measured.report, measured.unwritten, measured.signal);
}

/// A signal between two passes, or before the next one measures, finds what they say.
std::set<std::string> begin_next(const std::shared_ptr<Checking>& checking) {
  on_interrupt([checking](int signal) {
    const int code = checking->tell_now();
    return signal == SIGALRM ? code : Exit::by(signal);
  });
  return checking->begin_next();
}

/// Measures again: one moment is not enough for a verdict.
RunRequest again(const std::set<std::string>& workloads, double seconds, RunRequest run) {
  Settings& settings = run.wanted.settings;
  settings.filters = variants_of(workloads, settings.filters);
  settings.budget = Budget{seconds};
  run.output = "none";
  run.compares = false;
  return run;
}

/// The first pass, without a file where it cannot be kept: the node is fine all the same.
int measure_first(const std::shared_ptr<Checking>& checking, RunRequest& run,
                  const Session& session) {
  try {
    return measure_and_judge(checking, run, session);
  } catch (const FileRefused& error) {
    complain("--keep: " + error.why);
    run.output = "none";
    return measure_and_judge(checking, run, session);
  }
}

int check(const std::shared_ptr<Checking>& checking, const CheckRequest& request,
          const Session& session) {
  std::error_code none;
  if (fs::exists(request.metrics, none) && !fs::is_regular_file(request.metrics, none)) {
    refuse("--metrics", request.metrics, "is not a regular file");
  }
  if (!request.metrics.empty() && !writable(fs::absolute(request.metrics).parent_path())) {
    refuse("--metrics", request.metrics, "its folder is not there or cannot be written");
  }
  fs::path kept = fs::absolute(request.keep.empty() ? "/" : request.keep);
  while (!fs::exists(kept)) kept = kept.parent_path();  // the rest of it will be made
  if (!request.keep.empty() && !writable(kept)) {
    refuse("--keep", request.keep, "cannot be written");
  }
  // It will have none on an idle node either.
  if (request.expected.empty() && request.keep.empty()) {
    return checking->tell(HealthWord::unknown, checking->read_reference());
  }
  const OnlyCheck only;
  if (only.another_runs()) return checking->tell(HealthWord::busy, "another check runs");
  const std::size_t jobs = jobs_beside();
  if (jobs > 0 && !request.force) {
    return checking->tell(HealthWord::busy, counted(jobs, "job") + ": not measured");
  }
  block_interrupts();
  on_interrupt([checking](int signal) {
    const int code = checking->tell(HealthWord::unknown, checking->hangs_at());
    return signal == SIGALRM ? code : Exit::by(signal);
  });
  end_after(checking->left());
  const std::string why = checking->read_reference();
  if (!why.empty() && request.keep.empty()) return checking->tell(HealthWord::unknown, why);
  RunRequest run = run_of(request, checking->size());
  int code = measure_first(checking, run, session);
  for (auto next = begin_next(checking); !next.empty(); next = begin_next(checking)) {
    RunRequest more = again(next, checking->left(), run);
    Settings& settings = more.wanted.settings;
    settings.filters = checking->turn(settings.filters);
    if (checking->left() < request.seconds / 2) settings.planted = request.planted;
    code = measure_and_judge(checking, more, session);
  }
  return code;
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

/// The runs that were not disturbed and have a time; of the others a line each.
std::vector<NodeRun> learnable(const NodeComparisonInput& input, bool forced) {
  std::vector<std::string> left_out;
  for (const Finding& one : input.findings) {
    if (one.key == Found::unreadable) left_out.push_back(text_of_fact(one.values["reason"]));
  }
  std::vector<NodeRun> runs;
  for (const NodeRun& run : input.runs) {
    const auto is_chosen = [](const NodeTime& time) { return !time.column.best; };
    const double disturbed = forced ? 0 : waited({run});
    if (std::none_of(run.times.begin(), run.times.end(), is_chosen)) {
      left_out.push_back(
          fmt::format("{}: has no time of {}", run.file, fmt::join(variants(), ", ")));
    } else if (disturbed > disturbed_share) {
      left_out.push_back(
          fmt::format("{}: {:.0f} % of its samples waited for a processor: measure again while the "
                      "node is idle, or --force",
                      run.file, 100 * disturbed));
    } else {
      runs.push_back(run);
    }
  }
  if (runs.empty()) throw UsageError("--learn: no run is left: " + left_out.front());
  for (const std::string& line : left_out) complain("left out: " + line);
  return runs;
}

/// What finds no slow node is not a reference.
void refuse_noise(const LearnedKind& kind) {
  constexpr double most = 2;
  for (const auto& [part, learned] : kind.parts) {
    if (learned.finds_from <= most) continue;
    throw UsageError(
        fmt::format("--learn: {}: {} ± {:.0f} % would find a node from {:.1f}x on only: measure "
                    "while the nodes are idle, or --force",
                    kind.name, part, 100 * learned.scatter, learned.finds_from));
  }
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
  const auto kinds = learn(learnable(input, request.force), computing(session.suite),
                           request.threshold_percent / 100);
  if (!request.force) {
    for (const LearnedKind& kind : kinds) refuse_noise(kind);
  }
  std::size_t number = 0;
  for (const LearnedKind& kind : kinds) {
    for (const std::string& file : kind.files) {
      const std::string name =
          fmt::format("{:04}-{}", ++number, fs::path(file).filename().string());
      create_file(fs::path(request.keep) / name, whole_file(file));
    }
    for (const auto& [file, ratios] : kind.outliers) {
      std::vector<std::string> parts;
      for (const auto& [part, ratio] : ratios)
        parts.push_back(fmt::format("{} {:.2f}x", part, ratio));
      tell(fmt::format("left out: {}: {} of the others", file, fmt::join(parts, ", ")));
    }
    std::string line =
        fmt::format("{}: {} files of {} runs", kind.name, kind.files.size(), kind.runs);
    for (const auto& [part, learned] : kind.parts) {
      line += fmt::format(", {} ± {:.1f} % (finds a node from {:.2f}x on)", part,
                          100 * learned.scatter, learned.finds_from);
    }
    print(line + "\n");
  }
  print(fmt::format("next: {} check --expected {}\n", session.argv.front(), request.keep));
  return Exit::fine;
}

}  // namespace

void add_options(CLI::App& app, CheckRequest& request, const Abilities& node) {
  start_from(request.run.wanted.settings, node);
  add_duration(
      app, "--budget", [&request](double seconds) { request.seconds = seconds; },
      "end within TIME (20s, 1m), including setup; what does not fit is named", "20s");
  add_list(app, "--expected", request.expected,
           "recorded runs (files or folders) of equal nodes: the reference", "PATH");
  add_number(app, "--threshold", request.threshold_percent, "percent",
             "smallest slowdown that matters", "10");
  add_text(app, "--metrics", request.metrics,
           "also write the answer for Prometheus (node_exporter's textfile collector)", "FILE");
  add_text(app, "--keep", request.keep,
           "keep the result file in this folder; with --learn: the reference", "FOLDER");
  add_flag(app, "--sustained", request.sustained,
           "measure until the budget is used up (2m or more), and also compare its end with its "
           "beginning: heat and power limits");
  auto* const planted = add_text(
      app, "--self-test",
      [&request](const std::string& text) {
        request.planted = number_of("--self-test", text, "times");
        if (request.planted <= 1) refuse("--self-test", text, "must be above 1, e.g. 1.2");
      },
      "plant work in each sample, which then takes FACTOR times as long: does a check find it?",
      "FACTOR");
  exclude(planted, options_of(app, {"--metrics", "--keep"}));
  exclude(options_of(app, {"--sustained"}).front(), options_of(app, {"--keep"}));
  add_flag(app, "--nagios", request.nagios,
           "exit with 1 where the node is slow, 2 where hardware is missing or a result is wrong, "
           "3 where nothing was compared");
  add_flag(
      app, "--force", request.force,
      "measure even if the node is busy; with --learn: take runs that were disturbed or scatter");
  auto* const learning = add_text(
      app, "--learn", request.learn,
      "make the reference of the runs of many nodes, a folder such as results/nodes-TIME", "PATH");
  exclude(learning, options_of(app, {"--budget", "--expected", "--metrics", "--nagios",
                                     "--sustained", "--self-test"}));
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
  if (!request.learn.empty()) return make_reference(request, session);
  const auto checking = std::make_shared<Checking>(request, session);
  try {
    return check(checking, request, session);
  } catch (const UsageError& error) {
    if (!request.nagios) throw;
    return checking->tell(HealthWord::unknown, error.what());
  } catch (const std::exception& error) {  // of the check, and not of the node
    return checking->tell(HealthWord::unknown, error.what());
  }
}

}  // namespace bench

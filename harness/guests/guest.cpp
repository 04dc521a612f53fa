#include "harness/guests/guest.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/json.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"
#include "harness/guests/sandbox.hpp"
#include "harness/node/preemption.hpp"
#include "harness/plan/memory_room.hpp"

namespace bench::guests {
namespace {

template <class T>
T answer_as(const Json& json, const Explanations& reasons = {}) {
  try {
    T answer;
    read(json, Where(&reasons), answer);
    return answer;
  } catch (const Misfit& misfit) {
    throw RunError(said<reasons::answered_otherwise>(std::string(misfit.what())));
  }
}

std::string tasks_of(const Child& child) { return fmt::format("/proc/{}/task", child.pid()); }

/// What it says of its sentences.
Explanations explanations_in(const Json& answer) {
  return answer.contains(reasons_key) ? answer_as<Explanations>(answer[reasons_key])
                                      : Explanations();
}

/// One of them, in one line.
Reason sentence_in(const Json& answer, const char* key) {
  const Reason whole = answer_as<Reason>(answer[key], explanations_in(answer));
  const std::string line = last_line(whole.text);
  return line == whole.text ? whole : Reason(line);
}

/// Values nested so deeply that reading or writing them could end this program are not taken.
Json parsed(const std::string& line) {
  constexpr int deepest = 64;
  bool deep = false;
  const auto look = [&](int depth, Json::parse_event_t, const Json&) {
    deep = deep || depth > deepest;
    return !deep;
  };
  Json json = Json::parse(line, look, false);
  if (deep) throw RunError(said<reasons::answered_too_deeply>(deepest));
  if (json.is_object()) return json;
  throw RunError(said<reasons::answered_with_no_object>(last_line(line)));
}

bool says_memory_ran_out(const std::string& what) {
  return what.find("std::bad_alloc") != std::string::npos ||
         what.find("MemoryError") != std::string::npos;
}

}  // namespace

Variables variables_for(const Means& means) {
  const std::string count = std::to_string(means.threads);
  Variables all;
  for (const char* const name :
       {"OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS",
        "NUMEXPR_NUM_THREADS", "NUMEXPR_MAX_THREADS", "BLIS_NUM_THREADS"}) {
    all.emplace_back(name, count);
  }
  all.insert(all.end(), means.variables.begin(), means.variables.end());
  if (means.gpu) all.emplace_back("BENCH_DEVICE", std::to_string(*means.gpu));
  return all;
}

Guest::Guest(std::vector<std::string> command, std::shared_ptr<const NamelessFile> program,
             Means means)
    : command_(std::move(command)), program_(std::move(program)), means_(std::move(means)) {}

std::vector<int> Guest::inherited() const {
  std::vector<int> all;
  if (program_) all.push_back(program_->descriptor());
  if (means_.arrays) {
    const std::vector<int>& arrays = means_.arrays->descriptors();
    all.insert(all.end(), arrays.begin(), arrays.end());
  }
  return all;
}

std::string Guest::path_of(int descriptor) const {
  const std::vector<int> all = inherited();
  const auto found = std::find(all.begin(), all.end(), descriptor);
  if (found != all.end()) return inherited_path(static_cast<std::size_t>(found - all.begin()));
  return fmt::format("/proc/{}/fd/{}", getpid(), descriptor);
}

/// Its next line. Throws RunError, where that is a complaint with what it says, and Unavailable.
Json Guest::answer(bool compiles) {
  constexpr double compiling = 4;  // times as long
  const bool late = compiles && means_.compiles_late;
  Json json = parsed(
      child_->receive(late ? compiling * means_.patience : means_.patience,
                      late ? said<reasons::does_it_compile>() : said<reasons::an_endless_loop>()));
  if (means_.graded) json.erase(reasons_key);
  if (json.contains(error_key)) throw RunError(sentence_in(json, error_key));
  if (!json.contains(unavailable_key)) return json;
  const Reason what = sentence_in(json, unavailable_key);
  if (means_.graded) throw RunError(said<reasons::says_of_itself>(what));
  child_->freeze();
  throw Unavailable(what);
}

void Guest::launch() {
  opened_ = nullptr;
  greeted_ = false;
  called_.clear();
  Limits limits{.cpus = means_.cpus,
                .memory = {},
                .processor_seconds = means_.processor_seconds,
                .fixed_addresses = means_.fixed_addresses,
                .inherited = inherited()};
  if (means_.memory) limits.memory = means_.memory();
  Variables variables = variables_for(means_);
  std::optional<Sandbox> sandbox;
  if (means_.graded) {
    if (means_.writable.empty()) {
      scratch_ = std::make_unique<const Folder>("cannot be started");
      means_.writable = scratch_->path;
    }
    // A runtime that binds its threads binds the first to one processor, and cannot bind those that
    // inherit it from there.
    variables.emplace_back("OMP_PROC_BIND", "false");
    variables.emplace_back("KMP_AFFINITY", "disabled");
    // What is compiled at run time is kept there.
    for (const char* const name : {"TMPDIR", "NUMBA_CACHE_DIR"}) {
      variables.emplace_back(name, means_.writable);
    }
    limits.sandbox = &sandbox.emplace(means_.writable);
  }
  child_.emplace(command_, variables, limits);
}

void Guest::greet() {
  greeted_ = true;
  const Json first = answer(true);
  const Hello hello = answer_as<Hello>(first, explanations_in(first));
  if (hello.bench != protocol_version) {
    throw RunError(said<reasons::other_protocol>(hello.bench, protocol_version));
  }
  offers_ = hello.variants;
  packages_ = hello.packages;
  child_->freeze();
}

const std::vector<Offer>& Guest::offers() {
  try {
    if (!child_) launch();
    if (!greeted_) greet();
  } catch (const NotJudged&) {
    child_.reset();
    throw;
  } catch (const RunError&) {
    child_.reset();
    throw;
  }
  return offers_;
}

/// Sends one message and returns the answer. A process that breaks the protocol is ended. Until it
/// is asked again it neither writes nor spins next to others.
Json Guest::ask(const char* what, const Json& message, bool compiles) {
  try {
    const std::string request = Json{{what, message}}.dump();
    const Stopwatch stopwatch;
    child_->send(request);
    Json found = answer(compiles);
    passed_ = stopwatch.seconds();
    // Threads that have just been woken must be awake when their own clock starts.
    if (means_.graded || what != std::string_view(ready_key)) child_->freeze();
    // A system call that it makes after its answer ends before it stops.
    if (means_.graded) passed_ = stopwatch.seconds();
    refuse_large_files();
    return found;
  } catch (const NotJudged&) {
    child_.reset();
    throw;
  } catch (const RunError& error) {
    child_.reset();
    if (!says_memory_ran_out(error.what()) || most_memory_ == 0) throw;
    throw RunError(said<reasons::may_have_memory>(error.reason, bytes_text(most_memory_)));
  }
}

/// Each file has a limit of its own; there may be many.
void Guest::refuse_large_files() {
  constexpr std::uintmax_t most = std::uintmax_t{1} << 30U;
  constexpr std::uintmax_t little = std::uintmax_t{1} << 20U;
  if (!scratch_) return;
  const std::uintmax_t bytes = scratch_->bytes();
  std::error_code none;
  const std::uintmax_t left = std::filesystem::space(scratch_->path, none).available;
  if (bytes <= std::clamp(left, little, most)) return;
  child_.reset();
  scratch_.reset();
  means_.writable.clear();
  throw RunError(said<reasons::wrote_too_much>(bytes / 1'000'000));
}

void Guest::open(const Open& problem) {
  offers();
  const Json wanted = written(problem);
  // The same arrays for all of its variants in a group: they are mapped once.
  if (opened_ == wanted) return;
  opened_ = nullptr;
  ask(open_key, wanted);
  opened_ = wanted;
  if (!means_.graded) return;
  limit_memory(problem);
  measure_asking();
}

/// More than any kernel needs next to its arrays, so that one that takes all there is harms nobody.
void Guest::limit_memory(const Open& problem) {
  // A sanitizer has memory of its own, for each thread of a kernel as well.
  const std::size_t least = std::size_t{means_.memory ? 1U : 16U} << 30U;
  constexpr std::size_t times = 16;
  std::size_t arrays = 0;
  for (const SharedArray& one : problem.arrays) arrays += one.count * bytes_of(one.dtype);
  memory_ = child_->own_memory();
  if (memory_ == 0) return;
  most_memory_ = memory_ + std::max(least, times * arrays);
  child_->limit_memory(most_memory_);
}

/// What leaks is started again before it has no memory left.
void Guest::end_one_that_leaks() {
  constexpr std::size_t part = 4;
  if (!means_.graded || !child_ || opened_.is_null()) return;
  if (child_->own_memory() > memory_ + (most_memory_ - memory_) / part) child_.reset();
}

/// Measures how long asking for no call at all takes, without waiting for a processor. Each sample
/// has that in it, and it is taken off. A user kernel may try to make it long: no more than that of
/// honest ones counts. What varies of it, and a part of what is taken off, is the resolution.
void Guest::measure_asking() {
  constexpr double most = 250e-6;  // seconds
  constexpr double part = 0.2;
  const std::string tasks = tasks_of(*child_);
  std::vector<double> readings(21);
  for (double& reading : readings) {
    const double before = thread_times(tasks).waited;
    ask(run_key, written(RunCalls{0, 0, 1}));
    reading = std::max(0.0, passed_ - std::max(0.0, thread_times(tasks).waited - before));
  }
  asking_ = std::min(most, quantile(readings, 0.25));
  floor_ = std::max(median(readings) - asking_, part * asking_);
}

void Guest::get_ready(const Open& problem, const Ready& ready) {
  end_one_that_leaks();
  open(problem);
  ask(ready_key, written(ready));
}

void Guest::fetch(const Open& problem, const Fetch& wanted) {
  // Started again, it would have nothing that has been computed.
  if (!has(problem)) throw RunError(said<reasons::has_no_result>());
  ask(fetch_key, written(wanted));
}

Ran Guest::run(const Open& problem, const RunCalls& calls) {
  open(problem);
  const std::string tasks = tasks_of(*child_);
  const ThreadTimes before = means_.graded ? thread_times(tasks) : ThreadTimes();
  child_->spread(before.had);
  const double used = child_->processor_seconds();
  const bool first = !called_.contains(calls.variant);
  Ran ran = answer_as<Ran>(ask(run_key, written(calls), first));
  called_.insert(calls.variant);
  const double worked = child_->processor_seconds() - used;
  processor_seconds_ += worked;
  if (ran.seconds < 0 || ran.seconds > passed_) {
    child_.reset();
    throw RunError(said<reasons::says_it_took>(fmt::format("{:g}", ran.seconds),
                                               fmt::format("{:g}", passed_)));
  }
  if (means_.graded) {
    const ThreadTimes after = thread_times(tasks);
    constexpr double least = 0.1;  // of it: such a sample is marked as too short
    ran.seconds = std::max(passed_ - asking_, least * passed_);
    ran.waited.reset();
    if (!before.had.empty() && !after.had.empty()) {
      // Each thread waits a little whenever it is continued or stopped.
      constexpr double by_ourselves = 1e-4;
      ran.waited =
          after.waited - before.waited - by_ourselves * static_cast<double>(after.had.size());
      ran.busiest = busiest(before.had, after.had, worked, calls.threads);
    }
  }
  // Who has ended some of its threads has less in sum than before.
  if (ran.waited) ran.waited = std::clamp(*ran.waited, 0.0, passed_ * std::max(1, calls.threads));
  return ran;
}

bool Guest::has(const Open& problem) const { return child_ && opened_ == written(problem); }

void Guest::close(const Open& problem) {
  if (!has(problem)) return;
  opened_ = nullptr;
  try {
    ask(close_key, Json::object());
  } catch (const RunError&) {
    // Everything that it was asked for is there; it will be started again.
  }
}

}  // namespace bench::guests

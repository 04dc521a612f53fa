#include "harness/measure/host_place.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/reasons.hpp"
#include "harness/measure/tbb_team.hpp"
#include "harness/node/preemption.hpp"
#include "harness/plan/hash.hpp"
#include "harness/plan/input_files.hpp"

namespace bench {
namespace {

// Arrays this many times larger than the last-level cache leave nothing of use in it.
constexpr std::size_t cache_is_negligible = 8;

/// One thread takes longer to prepare such arrays than a team takes for it and to go to sleep.
bool worth_help(std::size_t bytes) {
  constexpr int many = 4;
  constexpr std::size_t large = std::size_t{64} << 20U;
  return std::min(omp_get_max_threads(), omp_get_num_procs()) >= many && bytes >= large;
}
/// Whether others than the calling thread use a processor now.
bool others_are_awake() {
  constexpr double a_while = 2e-4;  // seconds
  const ThreadSeconds before = own_thread_seconds();
  work_for(a_while);
  const ThreadSeconds after = own_thread_seconds();
  // glibc has gettid() from 2.30 on, and the wheel runs with 2.28.
  const std::string mine = fmt::format("{}", syscall(SYS_gettid));
  return std::any_of(after.begin(), after.end(), [&](const auto& one) {
    const auto found = before.find(one.first);
    return one.first != mine && (found == before.end() || one.second > found->second);
  });
}

/// Parallel regions have this many threads until the end of the scope.
class Team {
 public:
  explicit Team(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~Team() { omp_set_num_threads(before_); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

 private:
  int before_;
};

}  // namespace

void let_the_team_sleep() {
  // They spin for milliseconds after their work (GOMP_SPINCOUNT, KMP_BLOCKTIME, TBB), or for ever.
  constexpr double long_enough = 10e-3;
  const Stopwatch stopwatch;
  while (others_are_awake() && stopwatch.seconds() < long_enough) {
  }
}

HostArrays::HostArrays(const PlannedGroup& group, const Allocate& allocate)
    : problem_(*group.problem), output_(group.problem->output.bytes(), allocate) {
  for (const ArraySpec& input : problem_.inputs) inputs_.emplace_back(input.bytes(), allocate);
  for (const ArraySpec& work : problem_.workspace) workspace_.emplace_back(work.bytes(), allocate);
  const std::size_t scratch = scratch_bytes(group);
  if (scratch > 0) scratch_.emplace(scratch, allocate);
}

Arrays HostArrays::arrays() const {
  Arrays arrays;
  for (const Buffer& input : inputs_) arrays.inputs.push_back(input.data());
  arrays.result = output_.data();
  for (const Buffer& work : workspace_) arrays.workspace.push_back(work.data());
  return arrays;
}

Arrays HostArrays::reference_arrays(std::size_t inputs) const {
  Arrays arrays = this->arrays();
  arrays.inputs.resize(inputs);
  arrays.workspace.clear();
  if (scratch_) arrays.result = scratch_->data();
  return arrays;
}

std::vector<Buffer*> HostArrays::buffers() {
  std::vector<Buffer*> all;
  for (Buffer& input : inputs_) all.push_back(&input);
  for (Buffer& work : workspace_) all.push_back(&work);
  all.push_back(&output_);
  if (scratch_) all.push_back(&*scratch_);
  return all;
}

std::string array_name(const Problem& problem, std::size_t number) {
  const std::size_t inputs = problem.inputs.size();
  if (number < inputs) return fmt::format("input {}", number);
  return number < inputs + problem.workspace.size() ? "the workspace" : "the output";
}

void HostArrays::fill(std::function<void(const Arrays&)> fill) {
  fill_ = std::move(fill);
  fill_(arrays());
  hashes_ = hashes_of_inputs();
}

void HostArrays::generate(std::uint32_t seed) {
  fill([this, seed](const Arrays& arrays) { problem_.generate(NumpyRandom(seed), arrays); });
}

void HostArrays::load(const InputFiles& files, std::size_t turned) {
  fill([this, &files, turned](const Arrays& arrays) {
    for (std::size_t i = 0; i < arrays.inputs.size(); ++i) {
      files.load(i, arrays.inputs[i]);
      const ArraySpec& spec = problem_.inputs[i];
      if (spec.count == 0) continue;
      unsigned char* const first = at(arrays.inputs[i], 0);
      std::rotate(first, first + turned % spec.count * spec.element_bytes, first + spec.bytes());
    }
  });
}

std::string HostArrays::input_hash() const { return hash_inputs(problem_.inputs, arrays()); }

/// After every round: by all threads.
std::vector<std::uint64_t> HostArrays::hashes_of_inputs() const {
  std::vector<std::uint64_t> hashes;
  for (const Buffer& input : inputs_) hashes.push_back(hash_bytes(input.data(), input.bytes()));
  return hashes;
}

bool HostArrays::take_inputs(const HostArrays& from) {
  bool differed = false;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Buffer& wanted = from.inputs_[i];
    if (make_same(inputs_[i].data(), wanted.data(), wanted.bytes())) differed = true;
  }
  return differed;
}

bool HostArrays::repair_inputs() {
  if (hashes_of_inputs() == hashes_) return false;
  fill(fill_);
  return true;
}

std::vector<Buffer*> HostArrays::outputs(const Arrays& arrays) {
  std::vector<Buffer*> all{scratch_ && arrays.result == scratch_->data() ? &*scratch_ : &output_};
  if (arrays.workspace.empty()) return all;
  for (Buffer& work : workspace_) all.push_back(&work);
  return all;
}

void HostArrays::poison_output(const Arrays& arrays, bool team) {
  for (Buffer* const buffer : outputs(arrays)) buffer->poison(team);
}

std::optional<Reason> HostArrays::repair_guards() {
  std::optional<Reason> damage;
  const std::vector<Buffer*> all = buffers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const auto found = all[i]->damage()) {
      damage = said<reasons::found_when>(*found, array_name(problem_, i));
      all[i]->restore_guards();
    }
  }
  return damage;
}

void HostArrays::evict(const Arrays& poisoned, bool team) {
  const std::vector<Buffer*> gone = outputs(poisoned);
  for (Buffer* const buffer : buffers()) {
    if (std::find(gone.begin(), gone.end(), buffer) != gone.end()) continue;
    bench::evict(buffer->data(), buffer->bytes(), team);
  }
}

HostPlace::HostPlace(const Case& planned, const Settings& settings, HostArrays& host, Arrays arrays)
    : has_team_(uses(planned.backend, Pool::openmp)),
      by_tbb_(uses(planned.backend, Pool::tbb)),
      helped_(!has_team_ && worth_help(planned.footprint_bytes)),
      threads_(planned.threads.value_or(1)),
      graded_(settings.graded),
      in_caches_(settings.last_level_cache_bytes == 0 ||
                 planned.footprint_bytes <= cache_is_negligible * settings.last_level_cache_bytes),
      host_(host),
      arrays_(std::move(arrays)) {}

double HostPlace::seconds(const Run& run, std::size_t calls) {
  const Team team(threads_);
  const auto before = graded_ ? own_thread_seconds() : ThreadSeconds();
  double seconds = 0;
  const auto time = [&] {
    const Stopwatch stopwatch;
    for (std::size_t i = 0; i < calls; ++i) run(arrays_);
    seconds = stopwatch.seconds();
  };
  by_tbb_ ? in_tbb_team(threads_, time) : time();
  // Our own threads stay: none has ended.
  if (!before.empty()) busiest_ = bench::busiest(before, own_thread_seconds(), 0, threads_);
  return seconds;
}

double HostPlace::clock_floor() const {
  static const double floor = bench::clock_floor();
  return floor;
}

std::optional<double> HostPlace::waited() const {
  if (!has_team_ && !by_tbb_) return this_thread_waited_for_processor();
  const std::optional<double> seconds = waited_for_processor();
  return seconds ? std::optional(*seconds - waking_) : std::nullopt;
}

void HostPlace::poison_output() {
  const Team team(helpers());
  host_.poison_output(arrays_, has_team_ || helped_);
  awake_ = helped_;
}

void HostPlace::poison_output(const std::vector<Piece>& some) {
  for (const Piece& one : some) poison(arrays_, one);
}

void HostPlace::empty_caches() {
  if (!in_caches_) return;
  const Team team(helpers());
  host_.evict(arrays_, has_team_ || helped_);
  awake_ = helped_;
}

void HostPlace::get_ready() {
  // Threads that a smaller team before ended are made again here, not in the sample.
  if (has_team_) threads();
  if (std::exchange(awake_, false)) let_the_team_sleep();
  if (by_tbb_) wake_tbb();
}

/// The threads of TBB sleep between samples. The kernel counts as waiting what it takes to wake
/// them, although nobody else has their processors.
void HostPlace::wake_tbb() {
  const double before = waited_for_processor().value_or(0);
  wake_tbb_team(threads_);
  waking_ += waited_for_processor().value_or(0) - before;
}

std::optional<Reason> HostPlace::repair_inputs() {
  if (!host_.repair_inputs()) return {};
  return said<reasons::wrote_into_input>();
}

int HostPlace::helpers() const { return helped_ ? omp_get_max_threads() : threads_; }

int HostPlace::threads() const {
  const Team team(threads_);
  return has_team_ || by_tbb_ ? threads_in_region() : 1;
}

}  // namespace bench

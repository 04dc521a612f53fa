#include "harness/runner.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "harness/clock.hpp"
#include "harness/hash.hpp"
#include "harness/memory.hpp"
#include "harness/preemption.hpp"
#include "harness/rounds.hpp"

namespace bench {
namespace {

constexpr double noise_target = 0.01;
constexpr std::size_t rounds_before_noise_counts = 15;
constexpr double tolerable_wait = 0.02;      // of a sample, waiting for a processor
constexpr double hot_batch_seconds = 20e-6;  // the clock's 20 to 50 ns are well below 1 % of it
// Arrays this many times larger than the last-level cache leave nothing of use in it.
constexpr std::size_t cache_is_negligible = 8;

/// Bytes of the array that the yardstick writes where the group's own output is too small for it.
std::size_t scratch_bytes(const PlannedGroup& group) {
  if (!group.yardstick) return 0;
  const std::size_t bytes = group.yardstick->output.bytes();
  return bytes > group.problem->output.bytes() ? bytes : 0;
}

/// The arrays of a group in host memory, shared by all of its CPU variants.
class HostArrays {
 public:
  explicit HostArrays(const PlannedGroup& group)
      : problem_(*group.problem), output_(group.problem->output.bytes()) {
    for (const Extent& extent : problem_.inputs) inputs_.emplace_back(extent.bytes());
    if (const std::size_t bytes = scratch_bytes(group); bytes > 0) scratch_.emplace(bytes);
  }

  Arrays arrays() const {
    Arrays arrays;
    for (const Buffer& input : inputs_) arrays.inputs.push_back(input.data());
    arrays.result = output_.data();
    return arrays;
  }
  /// What the yardstick copies: the first input into the output, or into the scratch array.
  Arrays yardstick_arrays() const {
    return {{inputs_.front().data()}, (scratch_ ? *scratch_ : output_).data()};
  }

  void generate(std::uint32_t seed) {
    problem_.generate(NumpyRandom(seed), arrays());
    hash_ = hash_inputs(problem_.inputs, arrays());
    seed_ = seed;
  }
  const std::string& input_hash() const { return hash_; }

  /// Puts the inputs back if a variant wrote into them.
  bool repair_inputs() {
    if (hash_inputs(problem_.inputs, arrays()) == hash_) return false;
    generate(seed_);
    return true;
  }

  void poison_output() {
    output_.poison();
    if (scratch_) scratch_->poison();
  }

  std::optional<std::string> repair_guards() {
    std::optional<std::string> damage;
    for_each([&](Buffer& buffer) {
      if (auto found = buffer.damage()) {
        damage = found;
        buffer.restore_guards();
      }
    });
    return damage;
  }

  void evict_all(bool team) {
    for_each([team](Buffer& buffer) { evict(buffer.data(), buffer.bytes(), team); });
  }

 private:
  template <class F>
  void for_each(F f) {
    for (Buffer& input : inputs_) f(input);
    f(output_);
    if (scratch_) f(*scratch_);
  }

  const Problem& problem_;
  std::vector<Buffer> inputs_;
  Buffer output_;
  std::optional<Buffer> scratch_;
  std::string hash_;
  std::uint32_t seed_ = 0;
};

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

/// The number of threads that a parallel region really gets.
int threads_in_region() {
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

/// One case while its group is on the machine.
class Live {
 public:
  Live(const PlannedGroup& group, const PlannedCase& planned, HostArrays& host)
      : result(planned.identity),
        problem_(planned.beside ? *group.yardstick : *group.problem),
        run_(planned.run),
        host_(host),
        arrays_(planned.beside ? host.yardstick_arrays() : host.arrays()) {}

  Case result;

  bool alive() const { return result.status.empty(); }
  const Problem& problem() const { return problem_; }
  const Arrays& arrays() const { return arrays_; }

  void fail(const std::string& reason) {
    result.status = "failed";
    result.reason = reason;
    result.timing = {};
    if (result.verdict) result.verdict->passed = false;
  }
  /// True where a wrong result was, bit for bit, the one before it.
  bool replayed() const { return replayed_; }

  /// Calls f; what it throws, whatever it is, becomes the reason to fail.
  template <class F>
  bool survives(const std::string& when, F f) {
    std::string what;
    try {
      f();
      return true;
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
      what = "something that is no std::exception";
    }
    // Nobody else may be blamed for what it left behind.
    host_.repair_guards();
    host_.repair_inputs();
    fail(fmt::format("{}threw: {}", when, what));
    return false;
  }

  /// Runs once on poisoned output and checks; false and a reason when wrong.
  bool run_and_check(const std::string& when) {
    host_.poison_output();
    return survives(when,
                    [&] {
                      const Team team(result.threads);
                      const Stopwatch stopwatch;
                      run_(arrays_);
                      const double seconds = stopwatch.seconds();
                      if (!result.first_use_seconds) result.first_use_seconds = seconds;
                    }) &&
           check(when);
  }

  /// Checks what now stands in the arrays.
  bool check(const std::string& when) {
    const auto damage = host_.repair_guards();
    const bool inputs_changed = host_.repair_inputs();
    if (damage || inputs_changed) {
      fail(when + damage.value_or("wrote into its input"));
      return false;
    }
    result.verdict = problem_.check(arrays_);
    const std::uint64_t before = std::exchange(answer_, output_hash());
    if (result.verdict->passed) return true;
    replayed_ = answer_ == before;
    fail(when + result.verdict->reason);
    return false;
  }
  /// Fails if the last runs wrote outside of an array. Cheap enough for every sample.
  void check_guards(const std::string& when) {
    if (const auto damage = host_.repair_guards()) fail(when + *damage);
  }

  /// One sample: `batch` runs between two readings of the clock. Returns seconds per run.
  double sample(const Settings& settings, bool poisoned) {
    const Team team(result.threads);
    const auto waited_before = waited_for_processor();
    const Stopwatch with_preparation;
    // Poison lies in the output when the timed runs begin: a warm-up run must not write over it,
    // and in cold mode it must not stay in a cache.
    const bool hot = settings.cache == CacheMode::hot;
    if (hot) run_(arrays_);
    if (poisoned) host_.poison_output();
    if (!hot) empty_caches(settings);
    // Threads that a smaller team before ended are made again here, not in the sample.
    if (result.backend != "serial") threads_in_region();
    const std::size_t batch = result.timing.batch;
    const Stopwatch stopwatch;
    for (std::size_t i = 0; i < batch; ++i) run_(arrays_);
    const double seconds = stopwatch.seconds() / static_cast<double>(batch);
    if (waited_before) {
      const double waited = waited_for_processor().value_or(0) - *waited_before;
      const double all_threads = with_preparation.seconds() * result.threads;
      const bool preempted = waited > tolerable_wait * all_threads;
      result.timing.preempted = result.timing.preempted.value_or(0) + (preempted ? 1 : 0);
    }
    result.timing.samples.push_back(seconds);
    return seconds;
  }

  /// Hot mode: as many runs per sample as make the clock's cost negligible.
  void choose_batch() {
    const Team team(result.threads);
    std::size_t batch = 1;
    for (; batch < std::size_t{1} << 20U; batch *= 2) {
      const Stopwatch stopwatch;
      for (std::size_t i = 0; i < batch; ++i) run_(arrays_);
      if (stopwatch.seconds() >= hot_batch_seconds) break;
    }
    result.timing.batch = batch;
  }

  void measure_threads() {
    const Team team(result.threads);
    if (result.backend != "serial") result.threads = threads_in_region();
  }

 private:
  void empty_caches(const Settings& settings) {
    const std::size_t cache = settings.last_level_cache_bytes;
    if (cache > 0 && result.footprint > cache_is_negligible * cache) return;
    // A serial case evicts alone: a team would still be spinning beside it while it is measured.
    host_.evict_all(result.backend != "serial");
  }

  const Problem& problem_;
  std::function<void(const Arrays&)> run_;
  HostArrays& host_;
  Arrays arrays_;
  std::uint64_t answer_ = 0;
  bool replayed_ = false;

  std::uint64_t output_hash() const { return hash_bytes(arrays_.result, problem_.output.bytes()); }
};

/// Gives every case without a status this one.
void skip_all(std::vector<Case>& cases, const std::string& reason) {
  for (Case& result : cases) {
    if (!result.status.empty()) continue;
    result.status = "skipped";
    result.reason = reason;
  }
}

std::string memory_reason(std::size_t needed, std::size_t available) {
  constexpr double giga = 1e9;
  if (available == 0) {
    return fmt::format("memory: the system refused {:.1f} GB", static_cast<double>(needed) / giga);
  }
  return fmt::format("memory: needs {:.1f} GB, {:.1f} GB available",
                     static_cast<double>(needed) / giga, static_cast<double>(available) / giga);
}

/// A group placed on the machine: verification and, if wanted, rounds.
class Session {
 public:
  Session(const PlannedGroup& group, const Settings& settings, const Progress& progress)
      : settings_(settings), progress_(progress), host_(group), order_(settings.seed) {
    for (const PlannedCase& planned : group.cases) cases_.emplace_back(group, planned, host_);
  }

  /// Every case once, on the inputs that stay for the rounds.
  void verify(const Inspect& inspect) {
    host_.generate(settings_.seed);
    input_hash_ = host_.input_hash();
    for_live([&](Live& live) {
      report("verifying", live, 0);
      live.measure_threads();
      if (live.run_and_check("") && inspect) inspect(live.result, live.problem(), live.arrays());
    });
  }

  /// Every case once more, on other inputs. This comes last, so that an answer kept from any call
  /// before, the timed ones too, is caught.
  void verify_on_other_inputs() {
    host_.generate(settings_.seed + 1);
    for_live([&](Live& live) {
      report("verifying", live, 1);
      const auto verdict = live.result.verdict;
      if (live.run_and_check("on other inputs: ")) {
        live.result.verdict = verdict;  // the record speaks of the inputs that were measured
      } else if (live.replayed()) {
        live.fail("replayed an earlier answer: the inputs have changed, its output has not");
      }
    });
  }

  /// Rounds until the group is quiet enough or out of time, then one more on poisoned output, after
  /// which each case is checked once again, and at last on other inputs: only then is it measured.
  void measure() {
    if (settings_.cache == CacheMode::hot) {
      for_live([](Live& live) {
        if (live.survives(later, [&] { live.choose_batch(); })) live.check_guards(later);
      });
    }
    const Stopwatch stopwatch;
    std::size_t rounds = 0;
    std::string stop;
    while (stop.empty() && settings_.max_samples > 1) {
      round(false, stopwatch);
      if (host_.repair_inputs()) find_writer();
      stop = reason_to_stop(++rounds, stopwatch.seconds());
    }
    round(true, stopwatch);
    verify_on_other_inputs();
    for_live([&](Live& live) {
      live.result.status = "measured";
      live.result.timing.noise = relative_noise(live.result.timing.samples);
      live.result.timing.stop = stop.empty() ? "max_samples" : stop;
    });
  }

  std::vector<Case> results() const {
    std::vector<Case> results;
    for (const Live& live : cases_) results.push_back(live.result);
    return results;
  }
  void conclude(const char* status) {
    for_live([status](Live& live) { live.result.status = status; });
  }
  const std::string& input_hash() const { return input_hash_; }

 private:
  template <class F>
  void for_live(F f) {
    for (Live& live : cases_) {
      if (live.alive()) f(live);
    }
  }

  /// Every live case once, in random order.
  void round(bool closing, const Stopwatch& stopwatch) {
    std::vector<Measurable> items;
    for_live([&](Live& live) {
      items.push_back({live.result.name, [this, &live, closing, &stopwatch] {
                         report("measuring", live, stopwatch.seconds() / settings_.max_seconds);
                         return closing ? closing_sample(live) : opening_sample(live);
                       }});
    });
    if (items.empty()) return;
    std::shuffle(items.begin(), items.end(), order_);
    run_round(items);
  }

  double opening_sample(Live& live) {
    return sample(live, false, [&] { live.check_guards(later); });
  }

  double closing_sample(Live& live) {
    return sample(live, true, [&] { live.check(later); });
  }

  template <class Check>
  double sample(Live& live, bool poisoned, Check check) {
    double seconds = 0;
    if (live.survives(later, [&] { seconds = live.sample(settings_, poisoned); })) check();
    return live.alive() ? seconds : 0;
  }

  /// An input has changed during a round: the one who does it will do it again.
  void find_writer() {
    for_live([](Live& live) { live.run_and_check(later); });
  }

  /// Empty while the group should go on; the closing round is still to come.
  std::string reason_to_stop(std::size_t rounds, double seconds) {
    const std::size_t with_closing = rounds + 1;
    if (with_closing >= settings_.max_samples) return "max_samples";
    if (with_closing < Settings::min_samples) return "";
    const double next_round = seconds / static_cast<double>(rounds);
    if (seconds + next_round >= settings_.max_seconds) return "max_time";
    if (seconds < settings_.min_seconds || with_closing < rounds_before_noise_counts) return "";
    double worst = 0;
    for_live(
        [&](Live& live) { worst = std::max(worst, relative_noise(live.result.timing.samples)); });
    return worst <= noise_target ? "noise" : "";
  }

  void report(const char* what, const Live& live, double share) const {
    if (progress_) progress_(fmt::format("{} {}", what, live.result.name), std::min(share, 1.0));
  }

  static constexpr const char* later = "right at first, but not while measured: ";

  const Settings& settings_;
  const Progress& progress_;
  HostArrays host_;
  std::vector<Live> cases_;
  std::string input_hash_;
  std::mt19937 order_;
};

/// The part that measure() and verify() share: `work` is done with the placed group.
template <class Work>
Group place(const PlannedGroup& planned, const Settings& settings, const Progress& progress,
            Work work) {
  Group group{planned.workload, planned.dtype, planned.size, {}, {}};
  for (const PlannedCase& one : planned.cases) group.cases.push_back(one.identity);

  const std::string unsupported = planned.problem->unsupported();
  const std::size_t needed = planned.problem->footprint() + scratch_bytes(planned);
  if (!unsupported.empty()) {
    skip_all(group.cases, unsupported);
  } else if (settings.memory_bytes > 0 && needed > settings.memory_bytes) {
    skip_all(group.cases, memory_reason(needed, settings.memory_bytes));
  } else {
    try {
      Session session(planned, settings, progress);
      work(session);
      group.input_hash = session.input_hash();
      group.cases = session.results();
    } catch (const std::bad_alloc&) {
      skip_all(group.cases, memory_reason(needed, 0));
    }
  }
  return group;
}

}  // namespace

Group measure(const PlannedGroup& group, const Settings& settings, const Progress& progress) {
  return place(group, settings, progress, [](Session& session) {
    session.verify({});
    session.measure();
  });
}

Group verify(const PlannedGroup& group, const Settings& settings, const Inspect& inspect) {
  return place(group, settings, {}, [&](Session& session) {
    session.verify(inspect);
    session.verify_on_other_inputs();
    session.conclude("verified");
  });
}

}  // namespace bench

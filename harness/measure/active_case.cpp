#include "harness/measure/active_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/phases.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/range.hpp"
#include "harness/plan/hash.hpp"

namespace bench {
namespace {

constexpr double tolerable_wait = 0.02;  // of a sample, waiting for a processor
// A sample shorter than this says more of the clock than of the work.
constexpr double many_floors = 10;
/// The number of samples of what takes as long each time.
constexpr std::size_t samples_in_cache = 15;
/// What races is right now and then.
constexpr int demonstrations = 3;
/// Where every element of the output takes all of the input: a result up to this size is compared
/// with known ones each time, and one of this many is looked at, as of larger ones.
constexpr std::size_t quick_to_look_at_bytes = std::size_t{1} << 20U;
constexpr unsigned whole_checks = 4;
/// Events are counted over this many runs of a sample.
constexpr std::size_t counted = 3;

EventCounts per_run(EventCounts counts, std::size_t runs) {
  for (const auto figure : event_figures) {
    if (counts.*figure) *(counts.*figure) /= static_cast<double>(runs);
  }
  counts.runs = runs;
  return counts;
}

}  // namespace

SharedChanges::SharedChanges(Secret& secret) {
  for (Changes& one : all_) one.seed = drawn(secret);
}

void SharedChanges::forget() {
  for (Changes& one : all_) one.known.of.clear();
}

ActiveCase::ActiveCase(const PlannedGroup& group, const PlannedCase& planned,
                       const HostArrays& host)
    : result(planned.identity),
      problem_(planned.beside ? *planned.beside : *group.problem),
      run_(planned.run),
      transfers_(planned.transfers),
      needs_block_(planned.needs_block),
      needs_grid_(planned.needs_grid),
      elsewhere_(planned.place),
      examine_(planned.examine),
      beside_(planned.beside.get()),
      apart_(planned.apart),
      arrays_(planned.beside ? host.reference_arrays(problem_.inputs.size()) : host.arrays()) {
  arrays_.own_numbers = planned.identity.own_numbers;
}

bool ActiveCase::run_on_poison(const Reason& when) {
  survives(when, [&] {
    place_->poison_inputs();
    place_->poison_output();
    cuda::forget_launch();
    // What a user kernel does before each run is not part of the first one either.
    if (elsewhere_ && result.threads && !result.first_use_s) place_->get_ready();
    const Stopwatch stopwatch;
    place_->seconds(run_, 1);
    const double seconds = stopwatch.seconds();
    if (!result.first_use_s) result.first_use_s = seconds;
    result.launch = cuda::last_launch();
    skip_without_choice();
  });
  return alive();
}

/// What is the same with each of several launches is not measured as if it were another.
void ActiveCase::skip_without_choice() {
  const auto launch = result.launch.value_or(cuda::LaunchShape{});
  if (needs_block_ && !launch.chosen_block)
    skip(said<reasons::no_choice_of_block>());
  else if (needs_grid_ && !launch.chosen_grid)
    skip(said<reasons::no_choice_of_grid>());
}

bool ActiveCase::run_and_check(const Reason& when, KnownResults& known) {
  const InPhase checks(Phase::checks);
  const bool looked =
      run_on_poison(when) && survives(when, [&] { judge(when, look_at_all(known), true); });
  // It may have changed the inputs before they were looked at.
  if (!alive()) known.of.erase(&problem_);
  return looked && alive();
}

void ActiveCase::settle() {
  survives("", [&] { place_->settle(); });
}

void ActiveCase::sample_anew(const Reason& when) {
  survives(when, [&] {
    place_->poison_inputs();
    place_->poison_output();
    place_->empty_caches();
    place_->get_ready();
    kept_answers_.on_new_inputs(effort(1));
    KnownResults unknown;
    judge(when, look_at_all(unknown), true);
  });
}

void ActiveCase::compare_with_anew(bool skips_in_doubt) {
  if (!kept_answers_.seems_slow()) return;
  const bool too_short = kept_answers_.is_too_short();
  if (too_short || !kept_answers_.is_certain()) {
    if (!skips_in_doubt) return;
    return skip(too_short ? said<reasons::too_short_for_new_inputs>()
                          : said<reasons::waited_on_new_inputs>());
  }
  fail(said<reasons::keeps_answers>(fmt::format("{:.1f}", kept_answers_.times())));
}

void ActiveCase::show_mistake() {
  const InPhase checks(Phase::checks);
  std::optional<Verdict> worst;
  int wrong = 0;
  for (int i = 0; i < demonstrations; ++i) {
    const bool looked = run_on_poison("") && survives("", [&] {
                          const Verdict verdict = look(Elements::all(problem_.output.count));
                          wrong += verdict.passed ? 0 : 1;
                          if (!worst || verdict.max_error > worst->max_error) worst = verdict;
                          const auto damage = place_->repair_guards();
                          const auto changed = place_->repair_inputs();
                          if (damage || changed) fail(damage ? *damage : *changed);
                        });
    if (!looked || !alive()) return;
  }
  result.verdict = worst;
  end(Status::expected_wrong, wrong > 0
                                  ? said<reasons::in_runs>(worst->reason, wrong, demonstrations)
                                  : said<reasons::not_seen_here>(demonstrations));
}

void ActiveCase::check_guards(const Reason& when) {
  survives(when, [&] {
    if (const auto damage = place_->repair_guards()) fail(when, *damage);
  });
}

void ActiveCase::check_clock(const Reason& when) {
  const InPhase clock(Phase::clock);
  survives(when, [&] {
    if (const auto unseen = place_->off_the_clock(run_)) fail(when, *unseen);
  });
}

void ActiveCase::clean_up() {
  place_->repair_guards();
  place_->repair_inputs();
}

double ActiveCase::sample(const Settings& settings, LastRound* last, SharedChanges& shared,
                          const Reason& when, Secret& secret) {
  const InPhase spot_checks(Phase::spot_checks);
  if (settings.cache == CacheMode::hot) {
    hot_sample(settings, last, shared, when, secret);
  } else {
    cold_sample(settings, last, shared, when, secret);
  }
  return alive() ? result.timing.samples.back() : 0;
}

void ActiveCase::sample_in_cache(bool closing, const Reason& when) {
  const bool enough = result.timing.in_cache.size() >= samples_in_cache && !closing;
  if (!in_cache_ || enough) return;
  const InPhase timing(Phase::in_cache);
  survives(when, [&] {
    result.timing.in_cache.push_back(in_cache_->sample());
    if (closing && !in_cache_->known()) result.timing.in_cache.clear();
    const auto fault = closing ? in_cache_->fault() : std::nullopt;
    if (fault) fail(when, *fault);
  });
}

/// The state of the caches is that of a sample.
void ActiveCase::get_ready_to_count(CacheMode cache) {
  if (cache == CacheMode::hot) {
    place_->seconds(run_, 1);
  } else {
    place_->poison_output();
    place_->empty_caches();
  }
  place_->get_ready();
}

void ActiveCase::count_events(const Settings& settings, const Reason& when) {
  if (on_device() || result.guest || beside_ != nullptr) return;
  survives(when, [&] {
    place_->get_ready();  // the threads are counted that there are now
    const auto counter = settings.event_counter();
    if (!counter->reason().empty()) return;
    for (std::size_t i = 0; i < counted; ++i) {
      get_ready_to_count(settings.cache);
      counter->start();
      place_->seconds(run_, result.timing.batch);
      counter->stop();
    }
    result.counts = per_run(counter->totals(), counted * result.timing.batch);
  });
  if (alive()) check_guards(when);
}

/// Empty, or why runs that follow each other are not to be had or not those that were timed.
Reason ActiveCase::why_no_energy(CacheMode cache) const {
  constexpr double too_long = 60;  // seconds
  if (result.guest) return said<reasons::not_of_user_kernels>();
  if (of_other_memory(result.scope)) return said<reasons::not_with_this_memory>();
  if (median(result.timing.samples) > too_long) {
    return said<reasons::run_too_long>();
  }
  if (cache == CacheMode::hot || place_->beyond_caches()) return {};
  return said<reasons::arrays_fit_caches>();
}

void ActiveCase::add_energy(const Settings& settings, const Reason& when) {
  const EnergyMeter& meter = on_device() ? settings.gpu_energy : settings.socket_energy;
  if (!meter.joules || beside_ != nullptr || !result.no_energy.empty()) return;
  result.no_energy = why_no_energy(settings.cache);
  if (!result.no_energy.empty()) return;
  survives(when, [&] { take_span(meter); });
  if (alive()) check_guards(when);
}

void ActiveCase::take_span(const EnergyMeter& meter) {
  place_->get_ready();
  const auto span = energy_of(
      meter, [&](std::size_t runs) { place_->seconds(run_, runs); }, median(result.timing.samples));
  if (!span) {
    result.no_energy = said<reasons::energy_counter_stands>();
    result.energy.reset();
    return;
  }
  if (!result.energy) result.energy.emplace().of = meter.of;
  result.energy->joules.push_back(span->joules / static_cast<double>(span->runs));
  result.energy->seconds += span->seconds;
  result.energy->runs += span->runs;
}

void ActiveCase::choose_batch() {
  constexpr std::size_t most = std::size_t{1} << 20U;
  const auto seconds_of = [this](std::size_t runs) {
    place_->get_ready();
    return place_->seconds(run_, runs);
  };
  std::size_t batch = 1;
  while (batch < most && seconds_of(batch) < place_->batch_seconds()) batch *= 2;
  result.timing.batch = batch;
}

void ActiveCase::end(Status status, const Reason& reason) {
  result.status = status;
  result.reason = reason;
  result.timing = {};
  result.gpu.reset();
  result.energy.reset();
  result.no_energy = {};
  result.counts.reset();
  if (result.verdict) result.verdict->passed = false;
}

/// A watch from the preparation of a sample on.
struct ActiveCase::Watch {
  explicit Watch(const Place& place) : waited(place.waited()) {}

  std::optional<double> waited;
  Stopwatch stopwatch;
};

/// The time of `runs` runs, which a profiler shows as this case.
double ActiveCase::seconds_in_range(std::size_t runs) {
  const cuda::Range range(result.name);
  return place_->seconds(run_, runs);
}

/// The effort of `runs` runs; the work is known where another process runs them.
Effort ActiveCase::effort(std::size_t runs) {
  InPhase samples(Phase::samples);
  const std::optional<double> before = place_->processor_seconds();
  const std::optional<double> waited_before = place_->waited();
  const double seconds = seconds_in_range(runs);
  samples.count(seconds);
  const std::optional<double> after = place_->processor_seconds();
  Effort effort{seconds, 0, 0, place_->busiest()};
  if (effort.busiest) effort.busiest = std::min(*effort.busiest, seconds);
  if (!before || !after) return effort;
  effort.worked = *after - *before;
  effort.waited = std::max(0.0, place_->waited().value_or(0) - waited_before.value_or(0));
  return effort;
}

void ActiveCase::time_return(const Reason& when) {
  const InPhase clock(Phase::clock);
  survives(when, [&] { result.launch_s = place_->seconds_to_return(run_); });
}

void ActiveCase::profile() {
  survives("", [&] {
    const cuda::Range range("profiled");
    result.timing.samples = {seconds_in_range(1)};
  });
}

/// `batch` runs between two readings of the clock.
void ActiveCase::time_runs(const Settings& settings, const Watch& watch) {
  Timing& timing = result.timing;
  place_->get_ready();
  const Effort took = effort(timing.batch);
  const double planted = settings.planted > 1 ? work_for((settings.planted - 1) * took.seconds) : 0;
  const double all_runs = took.seconds + planted;
  kept_answers_.usual(took);
  if (place_->processor_seconds()) {
    timing.processor_seconds = timing.processor_seconds.value_or(0) + took.worked;
  }
  if (watch.waited) {
    const double waited = place_->waited().value_or(0) - *watch.waited;
    // A user kernel reports the runs only.
    const double span = !result.guest ? watch.stopwatch.seconds() : all_runs;
    const double all_threads = span * result.threads.value_or(1);
    const bool preempted = waited > tolerable_wait * all_threads;
    timing.preempted = timing.preempted.value_or(0) + (preempted ? 1 : 0);
  }
  if (!result.threads && settings.device) look_at(*settings.device);
  if (all_runs < many_floors * place_->clock_floor()) ++timing.too_short;
  // Less than the clock's unit is not a time.
  constexpr double least = 1e-9;
  const auto of_a_run = [&](double seconds) {
    return std::max(seconds, least) / static_cast<double>(timing.batch);
  };
  timing.samples.push_back(of_a_run(all_runs));
  if (took.busiest) timing.busiest.push_back(of_a_run(*took.busiest));
}

/// What the device says of its clocks right after a sample.
void ActiveCase::look_at(const cuda::Device& device) {
  const InPhase clock(Phase::clock);
  const cuda::GpuState state = device.state();
  if (!result.gpu) result.gpu.emplace().uuid = device.uuid();
  if (state.sm_clock_mhz) result.gpu->sm_clocks_mhz.push_back(*state.sm_clock_mhz);
  if (state.throttle_reasons) {
    result.gpu->throttled_samples = result.gpu->throttled_samples.value_or(0) +
                                    (cuda::throttled(*state.throttle_reasons) ? 1 : 0);
    for (const std::string& why : cuda::throttled_by(*state.throttle_reasons))
      ++result.gpu->throttled_by[why];
  }
}

/// Takes a sample on poisoned output and changed inputs, so that neither doing nothing nor an
/// answer from an earlier call is right.
void ActiveCase::cold_sample(const Settings& settings, LastRound* last, SharedChanges& shared,
                             const Reason& when, Secret& secret) {
  const Watch watch(*place_);
  place_->settle();
  on_changed_inputs(last, shared, when, secret, [&](const Perturbation&) {
    {
      const InPhase poison(Phase::poison);
      if (last != nullptr) place_->poison_inputs();
      place_->poison_output();
    }
    const InPhase caches(Phase::caches);
    place_->empty_caches();
    time_runs(settings, watch);
  });
}

/// The timed runs find everything where a run before them left it. Whether they compute is seen
/// in a run of its own, which a variant cannot tell from them.
void ActiveCase::hot_sample(const Settings& settings, LastRound* last, SharedChanges& shared,
                            const Reason& when, Secret& secret) {
  const Watch watch(*place_);
  place_->settle();
  place_->seconds(run_, 1);
  if (last != nullptr) place_->poison_output();
  time_runs(settings, watch);
  if (last != nullptr) judge(when, look_at_all(last->before), true);
  if (!alive()) return;
  on_changed_inputs(last, shared, when, secret, [&](const Perturbation& changed) {
    if (last != nullptr) {
      place_->poison_inputs();
      place_->poison_output();
    } else {
      place_->poison_output(pieces(problem_.output, changed.outputs()));
    }
    place_->seconds(run_, 1);
  });
}

/// Null where the changes are of this case alone.
Changes* ActiveCase::changes_of(LastRound* last, SharedChanges& shared, Secret& secret) const {
  if (result.guest) return nullptr;
  if (last != nullptr) return &last->changes;
  const bool quick_to_look_at = problem_.output.bytes() <= quick_to_look_at_bytes;
  return takes_all_inputs(problem_) && quick_to_look_at ? &shared.any(secret) : nullptr;
}

/// Calls `run` while some elements of the inputs are others than at the call before, and checks
/// what it makes of them: that part of the output, or all of it in the closing round.
template <class F>
void ActiveCase::on_changed_inputs(LastRound* last, SharedChanges& shared, const Reason& when,
                                   Secret& secret, F run) {
  std::optional<InPhase> changes(Phase::changes);
  Changes* const common = changes_of(last, shared, secret);
  Perturbation changed(problem_, arrays_, common != nullptr ? common->seed : drawn(secret));
  place_->perturbed(changed.spots());
  changes.reset();
  run(changed);
  std::optional<Verdict> verdict;
  if (last != nullptr) {
    const InPhase checks(Phase::checks);
    KnownResults of_its_own;
    verdict = look_at_all(common != nullptr ? common->known : of_its_own, last->before,
                          changed.outputs());
  } else if (common != nullptr) {
    verdict = look_at_some(common->known, secret);
  } else if (!changed.outputs().are_all() || secret() % whole_checks == 0) {
    verdict = look(changed.outputs());
  }
  changes.emplace(Phase::changes);
  const bool intact = changed.undo();
  place_->restored(changed.spots());
  changes.reset();
  if (!intact) fail(when, said<reasons::wrote_into_input>());
  const bool wrong = verdict && !verdict->passed;
  // A variant before may have changed the inputs. It will do so again. A user kernel that returns
  // an answer of before may have changed them to be asked again without changes.
  const bool again = alive() && wrong && last == nullptr && !result.guest;
  if (again && place_->repair_inputs() && run_on_poison(when)) verdict = look(changed.outputs());
  if (alive()) judge(when, verdict, last != nullptr);
  if (common != nullptr && !alive()) common->known.of.erase(&problem_);
}

/// Compares elements of the arrays, as they are now, with the reference.
Verdict ActiveCase::look(const Elements& elements) {
  place_->fetch(pieces(problem_.output, elements));
  return problem_.check(arrays_, elements);
}

/// Nothing where these bits have not been right before. User kernels are always looked at.
std::optional<Verdict> ActiveCase::known(const KnownResults::OfProblem& known) {
  seen_ = bits();
  const auto found = known.right.find(seen_);
  if (found == known.right.end() || result.guest) return {};
  return found->second;
}

/// `kept`: where the reference result is, or is to be, kept; null: nowhere.
Verdict ActiveCase::look_anew(KnownResults::OfProblem& known, ReferenceResult* kept,
                              const Elements* changed) {
  const auto elements = Elements::all(problem_.output.count);
  place_->fetch(pieces(problem_.output, elements));
  Arrays arrays = arrays_;
  arrays.kept = kept;
  arrays.changed = changed;
  Verdict verdict = problem_.check(arrays, elements);
  if (verdict.passed) known.right.emplace(seen_, verdict);
  return verdict;
}

Verdict ActiveCase::look_at_all(KnownResults& results) {
  KnownResults::OfProblem& of_problem = results.of[&problem_];
  if (const auto verdict = known(of_problem)) return *verdict;
  return look_anew(of_problem, results.place_for(of_problem));
}

/// `before`: known of the inputs of which few are others now, for these elements of the result.
Verdict ActiveCase::look_at_all(KnownResults& results, KnownResults& before,
                                const Elements& changed) {
  ReferenceResult& reference = before.of[&problem_].reference;
  if (!reference || changed.are_all()) return look_at_all(results);
  KnownResults::OfProblem& of_problem = results.of[&problem_];
  if (const auto verdict = known(of_problem)) return *verdict;
  return look_anew(of_problem, &reference, &changed);
}

/// All bits that are known, and some of the others: sums may have others each time.
std::optional<Verdict> ActiveCase::look_at_some(KnownResults& results, Secret& secret) {
  KnownResults::OfProblem& of_problem = results.of[&problem_];
  if (const auto verdict = known(of_problem)) return verdict;
  if (!of_problem.right.empty() && secret() % whole_checks != 0) return {};
  return look_anew(of_problem, results.place_for(of_problem));
}

/// The bits of the whole result, hashed where it is.
ResultBits ActiveCase::bits() {
  if (const auto digest = place_->output_digest()) return {true, *digest};
  place_->fetch(pieces(problem_.output, Elements::all(problem_.output.count)));
  return {false, hash_bytes(arrays_.result, problem_.output.bytes())};
}

/// True where a Python function that is right to read has probably named another array `out`.
bool ActiveCase::misread(const Verdict& verdict) const {
  return verdict.unwritten == Unwritten::all && result.guest && result.guest->ends_with(".py");
}

/// Draws the conclusions: of damage outside of the output first, then of the result. `whole`: all
/// of it was looked at, and the inputs are too.
void ActiveCase::judge(const Reason& when, const std::optional<Verdict>& verdict, bool whole) {
  const InPhase checks(whole ? Phase::checks : Phase::spot_checks);
  const bool wrong = verdict && !verdict->passed;
  const auto damage = place_->repair_guards();
  // An answer may be wrong because a call before changed the inputs: then that is the reason.
  const auto changed = whole || wrong ? place_->repair_inputs() : std::nullopt;
  if (whole) result.verdict = verdict;
  if (damage || changed) {
    fail(when, damage ? *damage : *changed);
  } else if (whole || wrong) {
    const ResultBits before = std::exchange(answer_, whole ? seen_ : bits());
    if (!wrong) return;
    // On the inputs of before it was right.
    if (answer_ == before) return fail(said<reasons::replayed>());
    fail(when, misread(*verdict)
                   ? said<reasons::with_hint>(verdict->reason, said<reasons::in_python_out>())
                   : verdict->reason);
  }
}

}  // namespace bench

#include "harness/measure/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/phases.hpp"
#include "harness/base/reasons.hpp"
#include "harness/cuda/offload.hpp"
#include "harness/measure/active_case.hpp"
#include "harness/measure/device_place.hpp"
#include "harness/measure/host_place.hpp"
#include "harness/measure/memory_kinds.hpp"
#include "harness/measure/rounds.hpp"
#include "harness/measure/stop_rule.hpp"
#include "harness/measure/trial.hpp"
#include "harness/plan/memory_room.hpp"

namespace bench {
namespace {

constexpr bool once_more = true;

/// The part of a group's time that is spent on something, roughly: for the progress bar.
struct Stage {
  double begin;
  double end;

  double at(double share) const { return begin + (end - begin) * std::min(share, 1.0); }
};
constexpr Stage first_check{0, 0.1};
constexpr Stage in_rounds{0.1, 0.9};
constexpr Stage last_check{0.9, 1};

/// Gives every case without a status this one.
void skip_all(std::vector<Case>& cases, const Reason& reason) {
  for (Case& result : cases) {
    if (result.status) continue;
    result.status = Status::skipped;
    result.reason = reason;
  }
}

/// A group placed on the machine: verification and, if wanted, rounds.
class GroupRun {
 public:
  GroupRun(const PlannedGroup& group, const Settings& settings, const Progress& progress)
      : settings_(settings),
        progress_(progress),
        group_(group),
        inputs_(group.inputs),
        host_(group, group.allocate),
        // Who is not trusted knows the seed of the inputs.
        order_(settings.graded ? secret_() : settings.seed) {
    if (group.apart) {
      PlannedGroup apart;
      apart.problem = group.apart;
      apart_.emplace(apart, anonymous_pages);
    }
    for (const PlannedCase& planned : group.cases) {
      cases_.emplace_back(group, planned, planned.apart ? apart_->host : host_);
    }
    open_device(group);
    // Of the inputs as they are, and of those of the last round.
    const std::size_t references = 2 * group.problem->output.count * sizeof(long double);
    known_.keep_reference = reason_not_to_fit(group, settings, references, once_more).empty();
    for_active([this](ActiveCase& active) { place(active); });
  }

  /// Lets measure() sample the cases of `group` on data in the caches, too; cases of as many
  /// threads share one copy. Where its memory is not to be had, only that is missing.
  void put_in_cache(const PlannedGroup& group) {
    const InPhase timing(Phase::in_cache);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      const auto& planned = group.cases[i].in_cache;
      if (!planned || !cases_[i].alive()) continue;
      try {
        cases_[i].put(in_cache(*planned, cases_[i]));
      } catch (const std::bad_alloc&) {
        forget_what_is_not_near();
      } catch (const cuda::Error&) {
        forget_what_is_not_near();
      }
    }
  }

  /// Others may have their data in the arrays that are there.
  void forget_what_is_not_near() {
    std::erase_if(near_, [](const auto& one) { return one.second == nullptr; });
  }

  /// Every case once, on the inputs that stay for the rounds, and user kernels on others' sizes.
  void verify(const Inspect& inspect, const Stage& stage) {
    const InPhase checks(Phase::checks);
    verify_once(inspect, stage);
    for_active([this](ActiveCase& active) { try_out(active); });
    try_edges();
  }

  void verify_once(const Inspect& inspect, const Stage& stage) {
    take_inputs();
    {
      const InPhase inputs(Phase::inputs);
      input_hash_ = host_.input_hash();
    }
    double checked = 0;
    for_active([&](ActiveCase& active) {
      report("verifying", active, stage.at(checked++ / static_cast<double>(cases_.size())));
      if (active.result.wrong) {
        active.show_mistake();
      } else if (active.run_and_check("", known_) && inspect) {
        inspect(active.result, active.problem(), active.arrays());
      }
    });
  }

  /// Every case again, on other inputs. This comes last, so that an answer kept from any call
  /// before, the timed ones too, is caught.
  void verify_on_other_inputs(const Stage& stage) {
    const InPhase checks(Phase::checks);
    generate(settings_.seed + 1);
    double checked = 0;
    for_active([&](ActiveCase& active) {
      report("verifying", active, stage.at(checked++ / static_cast<double>(cases_.size())));
      const auto verdict = active.result.verdict;
      // The record speaks of the inputs that were measured.
      if (active.run_and_check(on_others, known_)) active.result.verdict = verdict;
    });
  }

  /// An untrusted kernel is timed there as in the rounds: some inputs change from sample to sample,
  /// and a kernel that compares them with those of before has to compute only these. `all`: not
  /// only those of which that is likely.
  void time_on_other_inputs(bool all) {
    ++times_on_others_;
    for_active([&](ActiveCase& active) {
      if (!active.result.guest || !(all || active.kept_answers().seems_slow())) return;
      // Of each its own: several variants may be one process, which keeps what it has computed.
      active.settle();
      take_inputs(secret_());
      // All threads have drawn these, and the user kernel's would wait for those that still spin.
      let_the_team_sleep();
      const auto verdict = active.result.verdict;
      active.sample_anew(on_others);
      if (active.alive()) active.result.verdict = verdict;
    });
  }

  /// Watches at rounds that nobody can know, or else after them. A case that was only disturbed, on
  /// a busy node, will not be so each time.
  void watch_for_kept_answers(bool rounds_are_over) {
    constexpr unsigned times = 3;
    constexpr unsigned times_in_doubt = 24;
    if (!settings_.graded) return;
    if (!rounds_are_over) {
      if (times_on_others_ >= times || secret_() % times != 0) return;
      time_on_other_inputs(true);
      take_inputs();
      return;
    }
    while (times_on_others_ < times_in_doubt) time_on_other_inputs(times_on_others_ < times);
    for_active(
        [this](ActiveCase& active) { active.compare_with_anew(!settings_.for_their_author); });
  }

  /// Rounds until the group is quiet enough or out of time, then one more on poisoned output, after
  /// which each case is checked once again, and at last on other inputs: only then is it measured.
  void measure() {
    const InPhase rounds_around_samples(Phase::rounds);
    // Before batches are chosen by that clock, and again when nobody expects it.
    for_active([](ActiveCase& active) { active.check_clock(""); });
    for_active([this](ActiveCase& active) { active.time_return(later); });
    if (settings_.cache == CacheMode::hot) {
      for_active([this](ActiveCase& active) {
        if (active.survives(later, [&] { active.choose_batch(); })) active.check_guards(later);
      });
    }
    const Stopwatch stopwatch;
    double not_measured = 0;
    std::size_t rounds = 0;
    std::optional<Stop> stop;
    while (!stop && !out_of_time() && settings_.max_samples > 1) {
      const Stopwatch watching;
      watch_for_kept_answers(false);
      not_measured += watching.seconds();
      round(nullptr, rounds, stopwatch);
      if (host_.repair_inputs()) find_writer();
      stop = reason_to_stop(
          settings_, ++rounds, stopwatch.seconds() - not_measured, [this] { return worst_noise(); },
          [this] { return unjudged(); });
      let_rounds_end(true);
      if (!stop && rounds_ended()) stop = Stop::signal;
    }
    if (host_.repair_inputs() || device_inputs_changed()) find_writer();
    LastRound last{{drawn(secret_), {known_.keep_reference, {}}}, known_};
    round(&last, rounds, stopwatch);
    for_active([this](ActiveCase& active) { active.check_clock(later); });
    measure_beside_time();
    if (out_of_time()) return for_active([](ActiveCase& /*skipped*/) {});
    verify_on_other_inputs(last_check);
    watch_for_kept_answers(true);
    for_active([&](ActiveCase& active) {
      active.result.status = Status::measured;
      active.result.timing.stop = stop.value_or(Stop::max_samples);
    });
  }

  /// Seconds that a sample of each takes, where nobody disturbs it.
  double quickest_round() {
    constexpr std::size_t rounds = 5;
    // Output is poisoned before each, and inputs are hashed after it.
    constexpr double around_samples = 1.5;
    const Stopwatch stopwatch;
    for (std::size_t i = 0; i < rounds; ++i) round(nullptr, i, stopwatch);
    double seconds = 0;
    for_active([&](ActiveCase& active) {
      const auto& samples = active.result.timing.samples;
      if (samples.empty()) return;
      seconds += *std::min_element(samples.begin(), samples.end());
    });
    return around_samples * seconds;
  }

  /// Why they failed that did, and what is wrong with those that nobody could run: nobody is timed
  /// any more.
  void explain() {
    for (ActiveCase& active : cases_) {
      Case& one = active.result;
      if (one.status != Status::failed && one.status != Status::checked) continue;
      const Reason found = active.examined().fault;
      if (found.empty()) continue;
      one.status = Status::failed;
      one.reason = found;
    }
  }

  /// One run more of each.
  void profile() {
    for_active([](ActiveCase& active) { active.profile(); });
  }

  std::vector<Case> results() const {
    std::vector<Case> results;
    for (const ActiveCase& active : cases_) results.push_back(active.result);
    return results;
  }
  const std::string& input_hash() const { return input_hash_; }

 private:
  /// Seconds of processor time that a number of elements took, on a busy node too.
  struct Pace {
    std::size_t elements = 0;
    double seconds = 0;
  };

  /// Tests have tried the built-in variants; a user kernel is tried here.
  void try_out(ActiveCase& active) {
    if (!active.elsewhere() || group_.definition == nullptr) return;
    const Workload& workload = *group_.definition;
    std::optional<Pace> pace;
    for (const Trial& trial : trials(workload, group_.dtype, bins_of(active))) {
      const Pace now = tried(active, trial);
      // The first calls of a process are slow.
      if (!pace || now.elements > pace->elements ||
          (now.elements == pace->elements && now.seconds < pace->seconds)) {
        pace = now;
      }
    }
    for (const auto more : {long_trials, long_edges}) {
      for (const Trial& trial : more(workload, group_.dtype)) {
        const std::size_t most = active.result.most_elements;
        if (most != any_size && trial.shape.elements() > most) continue;
        if (tolerable(trial, *pace)) pace = tried(active, trial);
      }
    }
    look_closely(active);
  }

  static std::vector<std::size_t> bins_of(const ActiveCase& active) {
    return active.result.bins ? std::vector{*active.result.bins} : std::vector<std::size_t>();
  }

  /// True even where work takes the square of its elements: a simulated device would take minutes.
  static bool tolerable(const Trial& trial, const Pace& pace) {
    constexpr double enough = 10;  // seconds
    const double more =
        static_cast<double>(trial.shape.elements()) / static_cast<double>(pace.elements);
    return pace.seconds * more * more < enough;
  }

  Pace tried(ActiveCase& active, const Trial& trial) {
    const double before = active.processor_seconds();
    if (active.alive()) {
      active.survives(trial.when, [&] {
        const Verdict verdict =
            judged(trial, active.result, active.elsewhere(), settings_, group_.allocate);
        if (!verdict.passed) active.fail(verdict.reason);
      });
    }
    return {trial.shape.elements(), active.processor_seconds() - before};
  }

  void look_closely(ActiveCase& active) {
    if (!active.alive()) return;
    const Examined found = active.examined();
    active.result.unchecked = found.unchecked;
    if (!found.fault.empty()) {
      active.fail(found.fault);
    } else if (settings_.graded && found.undecided) {
      active.skip(said<reasons::not_judged>(found.unchecked));
    }
  }

  /// The edges with as many elements as are measured, where no trial of a user kernel has as many:
  /// a counter may overflow only then.
  void try_edges() {
    const auto& problem = group_.problem;
    const auto untried = [&](const ActiveCase& active) {
      return active.alive() && active.elsewhere() && group_.definition != nullptr &&
             active.result.elements > most_tried(*group_.definition);
    };
    if (std::none_of(cases_.begin(), cases_.end(), untried)) return;
    for (const Edge& edge : problem->edges()) {
      host_.fill(filled(problem, edge));
      known_.of.clear();
      const Reason when =
          said<reasons::with_edge>(said<reasons::where_edge>(std::string(edge.where)),
                                   said<reasons::with_this>(group_.size));
      for_active([&](ActiveCase& active) {
        if (!untried(active)) return;
        const auto verdict = active.result.verdict;
        if (active.run_and_check(when, known_)) active.result.verdict = verdict;
      });
    }
    take_inputs();
  }

  template <class F>
  void for_active(F f) {
    for (ActiveCase& active : cases_) with(active, f);
  }

  /// Calls f if the case is alive, and cleans up after one that f has made fail.
  template <class F>
  void with(ActiveCase& active, F f) {
    if (!active.alive()) return;
    if (out_of_time()) return active.skip(settings_.budget->used_up());
    f(active);
    if (active.result.status != Status::failed) return;
    if (!active.on_device()) {
      active.clean_up();
    } else if (settings_.device->survived(
                   said<reasons::found_when>(active.result.name, active.result.reason))) {
      on_device([&] { active.clean_up(); });
    } else {
      skip_on_device(settings_.device->reason());
    }
  }

  bool out_of_time() const { return settings_.budget && settings_.budget->left() <= 0; }

  void skip_on_device(const Reason& reason) {
    for (ActiveCase& active : cases_) {
      if (active.alive() && active.on_device()) active.skip(reason);
    }
  }

  /// Device memory for the cases that need it; where that is not to be had, they are skipped.
  void open_device(const PlannedGroup& group) {
    const bool needed = std::any_of(cases_.begin(), cases_.end(), [](const ActiveCase& active) {
      return active.alive() && active.on_device();
    });
    if (!needed) return;
    Reason reason =
        settings_.device == nullptr ? said<reasons::no_device>() : settings_.device->reason();
    if (reason.empty()) reason = allocate_on_device(group);
    if (!reason.empty()) {
      skip_on_device(reason);
      return;
    }
    pageable_reason_ = allocate_other(group, Scope::pageable, pageable_, anonymous_pages);
    managed_reason_ = allocate_other(group, Scope::managed, managed_, cuda::managed_memory);
  }

  /// Empty, or the reason why not.
  Reason allocate_on_device(const PlannedGroup& group) {
    const std::size_t bytes = bytes_needed(group);
    try {
      const std::size_t available = settings_.device->free_bytes();
      if (bytes > available)
        return memory_reason(group, bytes, available, said<reasons::free_on_device>());
      device_.emplace(group, host_);
      if (apart_) apart_->put_on_device();
    } catch (const cuda::OutOfMemory&) {
      return said<reasons::device_refused>(bytes_text(bytes));
    } catch (const cuda::Error& error) {
      return error.what();
    }
    return {};
  }

  /// The arrays of another problem than the group's; for cases on the device also there.
  struct Others {
    Others(PlannedGroup of, const Allocate& allocate)
        : group(std::move(of)), host(group, allocate) {}

    void put_on_device() { device.emplace(group, host); }
    void generate(std::uint32_t seed) {
      host.generate(seed);
      if (device) device->take_inputs();
    }

    PlannedGroup group;
    HostArrays host;
    std::optional<cuda::DeviceArrays> device;
  };

  std::unique_ptr<InCache> in_cache(const InCacheRun& planned, const ActiveCase& active) {
    auto half = planned.half ? in_cache(*planned.half, active) : nullptr;
    const bool shared = active.elsewhere() != nullptr;
    auto& near = near_[{planned.problem.get(), shared}];
    if (!near) {
      PlannedGroup small;
      small.problem = planned.problem;
      near = std::make_unique<Others>(small, shared ? group_.allocate : anonymous_pages);
      if (active.on_device()) near->put_on_device();
      near->generate(settings_.seed);
    }
    std::unique_ptr<Place> place;
    if (shared) {
      const Case small = of_shape(active.result, *group_.definition, planned.shape);
      place = active.elsewhere()(small, settings_, near->host);
    } else if (near->device) {
      place = std::make_unique<cuda::KernelPlace>(*settings_.device, *near->device, near->host,
                                                  nullptr);
    } else {
      place =
          std::make_unique<HostPlace>(active.result, settings_, near->host, near->host.arrays());
    }
    return std::make_unique<InCache>(planned, std::move(place), near->host.arrays(),
                                     std::move(half));
  }

  void place(ActiveCase& active) {
    if (active.elsewhere()) {
      active.put(active.elsewhere()(active.result, settings_, host_));
    } else if (!active.on_device()) {
      HostArrays& host = active.apart() ? apart_->host : host_;
      auto place = std::make_unique<HostPlace>(active.result, settings_, host, active.arrays());
      active.result.threads = place->threads();
      active.put(std::move(place));
    } else if (const Reason reason = why_not(active); !reason.empty()) {
      active.skip(reason);
    } else {
      try {
        active.put(place_on_device(active));
      } catch (const cuda::Error& error) {
        active.skip(error.what());
      }
    }
  }

  std::unique_ptr<Place> place_on_device(const ActiveCase& active) {
    switch (active.result.scope) {
      case Scope::kernel:
        if (active.apart()) {
          return std::make_unique<cuda::KernelPlace>(*settings_.device, *apart_->device,
                                                     apart_->host, active.beside());
        }
        return on_device<cuda::KernelPlace>(active);
      case Scope::end_to_end:
        if (active.transfers() && has_regions(active.result.backend)) {
          return on_device<cuda::HostArraysPlace>(active);
        }
        if (active.transfers()) return on_device<cuda::OverlappedPlace>(active);
        return on_device<cuda::EndToEndPlace>(active);
      case Scope::pageable:
        return on_device<cuda::PageablePlace>(active, *pageable_);
      case Scope::mapped:
        return on_device<cuda::MappedPlace>(active);
      case Scope::managed:
        return on_device<cuda::ManagedPlace>(active, *managed_);
    }
    throw std::logic_error("no such scope");
  }

  template <class DevicePlace, class... More>
  std::unique_ptr<Place> on_device(const ActiveCase& active, More&... more) {
    return std::make_unique<DevicePlace>(*settings_.device, *device_, host_, active.beside(),
                                         more...);
  }

  /// OpenMP's library ends the program where it has too little memory: for its stacks, and where
  /// the arrays move for copies of them.
  Reason why_no_region(bool moves) const {
    const std::size_t bytes = cuda::stacks_of_regions() + (moves ? bytes_needed(group_) : 0);
    const std::size_t available = settings_.device->free_bytes();
    if (bytes <= available) return cuda::why_no_offload();
    return memory_reason(group_, bytes, available, said<reasons::free_on_device>());
  }

  /// Empty, or why the host's memory is not as its scope needs it, or why regions cannot be on the
  /// device.
  Reason why_not(const ActiveCase& active) const {
    const Scope scope = active.result.scope;
    if (has_regions(active.result.backend)) {
      const Reason reason = why_no_region(active.transfers());
      if (!reason.empty()) return reason;
    }
    if (scope == Scope::end_to_end || scope == Scope::mapped) return device_->unpinned();
    if (scope == Scope::pageable) return pageable_reason_;
    return scope == Scope::managed ? managed_reason_ : "";
  }

  /// The host's arrays again, in memory of another kind. Empty, or the reason why not.
  Reason allocate_other(const PlannedGroup& group, Scope scope, std::optional<HostArrays>& arrays,
                        const Allocate& allocate) {
    const bool needed = std::any_of(cases_.begin(), cases_.end(), [&](const ActiveCase& active) {
      return active.alive() && active.result.scope == scope;
    });
    if (!needed) return {};
    const std::size_t bytes = bytes_needed(group);
    Reason reason = reason_not_to_fit(group, settings_, bytes, once_more);
    if (!reason.empty()) return reason;
    try {
      if (scope == Scope::managed) reason = no_room_for_managed(group, bytes);
      if (reason.empty()) arrays.emplace(group, allocate);
    } catch (const std::bad_alloc&) {
      return said<reasons::system_refused>(bytes_text(bytes));
    } catch (const cuda::Error& error) {
      return error.what();
    }
    return reason;
  }

  Reason no_room_for_managed(const PlannedGroup& group, std::size_t bytes) const {
    const std::size_t available = settings_.device->free_bytes();
    if (bytes > available) {
      return memory_reason(group, bytes, available, said<reasons::free_on_device>(), once_more);
    }
    return cuda::no_managed_memory();
  }

  /// Takes the inputs of the rounds, or others that take as long: drawn, or the user's own turned
  /// by as many elements. Random ones might take another time than the user's.
  void take_inputs(std::optional<std::uint32_t> others = {}) {
    if (!inputs_) return generate(others.value_or(settings_.seed));
    const InPhase inputs(Phase::inputs);
    host_.load(*inputs_, others.value_or(0));
    generate_apart(settings_.seed);
    upload();
  }

  void generate(std::uint32_t seed) {
    const InPhase inputs(Phase::inputs);
    host_.generate(seed);
    generate_apart(seed);
    upload();
  }

  void generate_apart(std::uint32_t seed) {
    if (!apart_) return;
    apart_->host.generate(seed);
    on_device([this] {
      if (apart_->device) apart_->device->take_inputs();
    });
  }

  void upload() {
    known_.of.clear();
    shared_.forget();
    on_device([this] {
      device_->take_inputs();
      settings_.device->wait();
      for (std::optional<HostArrays>* const arrays : {&pageable_, &managed_}) {
        if (*arrays) (*arrays)->take_inputs(host_);
      }
    });
  }

  bool device_inputs_changed() {
    bool changed = false;
    on_device([&] { changed = device_->repair_inputs(); });
    return changed;
  }

  /// Does what no case can be blamed for.
  template <class F>
  void on_device(F f) {
    if (!device_ || !settings_.device->reason().empty()) return;
    try {
      f();
    } catch (const cuda::Error& error) {
      settings_.device->survived(error.what());
      skip_on_device(error.what());
    }
  }

  /// Every case that is alive once, those on the device after the CPU's: one that waits for them
  /// between two samples lowers its clock. They follow each other several times where the CPU's
  /// slowest leaves time for few rounds only; those in other memory of the host come last, once.
  void round(LastRound* last, std::size_t rounds, const Stopwatch& stopwatch) {
    const auto share = [&](double part) {
      return in_rounds.at(
          share_of_rounds(settings_, static_cast<double>(rounds) + part, stopwatch.seconds()));
    };
    const Stopwatch since;
    pass(Part::host, last, share, stopwatch.seconds());
    const double host_seconds = since.seconds();
    on_device([&] { settings_.device->warm_up(host_seconds); });
    std::size_t passes = 1;
    for (std::size_t i = 0; i < passes; ++i) {
      if (last == nullptr && samples_on_device() + 1 >= settings_.max_samples) break;
      if (i > 0 && quiet_on_device()) break;
      const bool again = i > 0;
      if (!pass(Part::device, last, share, stopwatch.seconds(), again) || last != nullptr) break;
      if (i == 0) passes = device_passes(settings_, host_seconds, since.seconds() - host_seconds);
    }
    pass(Part::other_memory, last, share, stopwatch.seconds());
  }

  /// The cases of a round that take turns: what prepares memory of other kinds takes long.
  enum class Part { host, device, other_memory };
  static Part part_of(const ActiveCase& active) {
    // A user kernel on a device has no threads here.
    if (!active.on_device() && active.result.threads) return Part::host;
    return of_other_memory(active.result.scope) ? Part::other_memory : Part::device;
  }

  /// One sample of every case of a part that is alive, in random order; false where there is none.
  /// `share`: how much of all rounds is over after so much of this one. `seconds`: what they have
  /// taken. `again`: in this round, too, for which only short runs are worth their preparation.
  template <class Share>
  bool pass(Part part, LastRound* last, Share share, double seconds, bool again = false) {
    std::vector<ActiveCase*> turns;
    for_active([&](ActiveCase& active) {
      const Timing& timing = active.result.timing;
      const bool waits = last == nullptr && !active.result.guest &&
                         (sits_out(settings_, seconds, timing) || (again && is_long(timing)));
      if (part_of(active) == part && !waits) turns.push_back(&active);
    });
    if (turns.empty()) return false;
    std::shuffle(turns.begin(), turns.end(), order_);
    std::vector<Measurable> items;
    const auto before = std::count_if(cases_.begin(), cases_.end(), [part](const auto& active) {
      return part_of(active) < part;
    });
    auto begun = static_cast<double>(before);
    for (ActiveCase* const one : turns) {
      items.push_back({one->result.name, [&, one] {
                         report("measuring", *one,
                                share(begun++ / static_cast<double>(cases_.size())));
                         double of_run = 0;
                         with(*one, [&](ActiveCase& active) { of_run = sample(active, last); });
                         return of_run;
                       }});
    }
    run_round(items);
    return true;
  }

  bool quiet_on_device() {
    bool all = true;
    for_active([&](ActiveCase& active) {
      all = all && (part_of(active) != Part::device || is_quiet(active.result.timing));
    });
    return all;
  }

  std::size_t samples_on_device() {
    std::size_t most = 0;
    for_active([&](ActiveCase& active) {
      if (part_of(active) != Part::device) return;
      most = std::max(most, active.result.timing.samples.size());
    });
    return most;
  }

  /// Returns 0 for a case that does not survive it.
  double sample(ActiveCase& active, LastRound* last) {
    double seconds = 0;
    active.survives(later,
                    [&] { seconds = active.sample(settings_, last, shared_, later, secret_); });
    if (active.alive() && !active.elsewhere()) {
      active.sample_in_cache(last != nullptr, in_the_cache);
    }
    return active.alive() ? seconds : 0;
  }

  /// All at once: opening another problem takes longer than a sample.
  void sample_guest_in_cache(ActiveCase& active) {
    constexpr std::size_t few = 3;
    constexpr std::size_t many = 15;
    constexpr double enough = 0.3;  // seconds
    const std::size_t most = std::min(many, active.result.timing.samples.size());
    const Stopwatch stopwatch;
    bool last = false;
    for (std::size_t i = 1; !last && active.alive(); ++i) {
      last = i >= most || (i >= few && stopwatch.seconds() > enough);
      active.sample_in_cache(last, in_the_cache);
    }
  }

  /// What was asked for in addition to time, in runs of their own: nothing is added to a sample.
  /// Energy in turns, so that what changes on the node meanwhile changes it for all.
  void measure_beside_time() {
    constexpr int turns = 3;
    for_active([&](ActiveCase& active) {
      if (active.elsewhere()) sample_guest_in_cache(active);
    });
    if (settings_.event_counter) {
      for_active([&](ActiveCase& active) { active.count_events(settings_, later); });
    }
    for (int i = 0; settings_.energy && i < turns; ++i) {
      for_active([&](ActiveCase& active) {
        report("measuring", active, last_check.at(0));
        active.add_energy(settings_, later);
      });
    }
  }

  /// An input has changed during a round: the one who does it will do it again.
  void find_writer() {
    shared_.forget();
    on_device([this] { device_->take_inputs(); });
    for_active([this](ActiveCase& active) { active.run_and_check(later, known_); });
  }

  /// True for a graded file of somebody else, of which nothing can be said yet.
  bool unjudged() {
    return settings_.graded &&
           std::any_of(cases_.begin(), cases_.end(), [](const ActiveCase& active) {
             return active.alive() && active.result.guest && unclear(active.result.timing);
           });
  }

  double worst_noise() {
    double worst = 0;
    for_active([&](ActiveCase& active) {
      worst = std::max(worst, relative_noise(active.result.timing.samples));
    });
    return worst;
  }

  void report(const char* what, const ActiveCase& active, double share) const {
    if (progress_) progress_(fmt::format("{} {}", what, active.result.name), share);
  }

  const Reason on_others = said<reasons::on_other_inputs>();
  const Reason in_the_cache = said<reasons::in_the_cache>();
  const Reason later = said<reasons::while_measured>();

  const Settings& settings_;
  const Progress& progress_;
  const PlannedGroup& group_;
  std::shared_ptr<const InputFiles> inputs_;
  HostArrays host_;
  std::optional<cuda::DeviceArrays> device_;
  std::optional<Others> apart_;         ///< those of an arithmetic reference
  std::optional<HostArrays> pageable_;  ///< of their own, for that scope
  std::optional<HostArrays> managed_;   ///< of their own, too
  Reason pageable_reason_;              ///< empty, or why there are none although they are needed
  Reason managed_reason_;
  /// What is near each problem, by whether user kernels share its arrays.
  std::map<std::pair<const Problem*, bool>, std::unique_ptr<Others>> near_;
  std::vector<ActiveCase> cases_;
  std::string input_hash_;
  KnownResults known_;
  unsigned times_on_others_ = 0;
  Secret secret_{secret_source};
  SharedChanges shared_{secret_};
  std::mt19937 order_;
};

Group planned(const PlannedGroup& group) {
  Group all{group.workload, group.dtype, group.size, {}, {}};
  for (const PlannedCase& one : group.cases) all.cases.push_back(one.identity);
  return all;
}

/// The part that these share: `work` is done with the placed group.
template <class Work>
Group place(const PlannedGroup& wanted, const Settings& settings, const Progress& progress,
            Work work) {
  Group group = planned(wanted);
  const Reason unsupported = wanted.problem->unsupported();
  const std::size_t needed = bytes_needed(wanted);
  const Reason too_large = reason_not_to_fit(wanted, settings, needed);
  if (!unsupported.empty()) {
    skip_all(group.cases, unsupported);
  } else if (!too_large.empty()) {
    skip_all(group.cases, too_large);
  } else {
    try {
      const InPhase memory(Phase::memory);
      GroupRun run(wanted, settings, progress);
      work(run);
      group.input_hash = run.input_hash();
      group.cases = run.results();
    } catch (const std::bad_alloc&) {
      skip_all(group.cases, said<reasons::system_refused>(bytes_text(needed)));
    }
  }
  return group;
}

}  // namespace

Group measure(const PlannedGroup& group, const Settings& settings, const Progress& progress) {
  return place(group, settings, progress, [&](GroupRun& run) {
    run.verify({}, first_check);
    run.put_in_cache(group);
    run.measure();
    let_rounds_end(false);
    run.explain();
  });
}

Group skipped(const PlannedGroup& group, const Reason& reason) {
  Group all = planned(group);
  skip_all(all.cases, reason);
  return all;
}

Cost rehearse(const PlannedGroup& group, const Settings& settings) {
  Cost cost;
  const Group ran = place(group, settings, {}, [&](GroupRun& run) {
    run.verify_once({}, first_check);
    const Stopwatch stopwatch;
    run.verify_on_other_inputs(first_check);
    cost.checks = stopwatch.seconds();
    cost.round = run.quickest_round();
  });
  for (const Case& one : ran.cases) {
    if (one.status == Status::failed) cost.failed.insert(one.backend + "/" + one.variant);
  }
  return cost;
}

Group profile(const PlannedGroup& group, const Settings& settings) {
  return place(group, settings, {}, [](GroupRun& run) {
    run.verify({}, first_check);
    run.profile();
    run.explain();
  });
}

Group verify(const PlannedGroup& group, const Settings& settings, const Inspect& inspect,
             const Progress& progress) {
  return place(group, settings, progress, [&](GroupRun& run) {
    run.verify(inspect, {0, 0.5});
    run.verify_on_other_inputs({0.5, 1});
    run.explain();
  });
}

}  // namespace bench

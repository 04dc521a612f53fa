#include "harness/measure/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/measure/device_place.hpp"
#include "harness/measure/hash.hpp"
#include "harness/measure/host_place.hpp"
#include "harness/measure/perturbation.hpp"
#include "harness/measure/rounds.hpp"
#include "harness/node/preemption.hpp"
#include "harness/workload/unavailable.hpp"

namespace bench {
namespace {

constexpr double noise_target = 0.01;
constexpr std::size_t rounds_before_noise_counts = 15;
constexpr double tolerable_wait = 0.02;  // of a sample, waiting for a processor
// A sample shorter than this says more of the clock than of the work.
constexpr double many_floors = 10;
// What the process needs beside the arrays.
constexpr std::size_t reserve = 100'000'000;
constexpr const char* device_memory = "memory free on the device";

/// The part of a group's time that is spent on something, roughly: for whoever watches.
struct Stage {
  double begin;
  double end;

  double at(double share) const { return begin + (end - begin) * std::min(share, 1.0); }
};
constexpr Stage first_check{0, 0.1};
constexpr Stage in_rounds{0.1, 0.9};
constexpr Stage last_check{0.9, 1};

/// One case while its group is on the machine.
class Live {
 public:
  Live(const PlannedGroup& group, const PlannedCase& planned, const HostArrays& host)
      : result(planned.identity),
        problem_(planned.beside ? *planned.beside : *group.problem),
        run_(planned.run),
        transfers_(planned.transfers),
        beside_(planned.beside.get()),
        arrays_(planned.beside ? host.yardstick_arrays(problem_.inputs.size()) : host.arrays()) {}

  Case result;

  bool alive() const { return result.status.empty(); }
  bool on_device() const { return result.backend == cuda_backend; }
  /// It moves its data itself.
  bool transfers() const { return transfers_; }
  /// The yardstick; null for the group's own problem.
  const Problem* beside() const { return beside_; }
  const Problem& problem() const { return problem_; }
  /// The host's arrays: there inputs and results are looked at.
  const Arrays& arrays() const { return arrays_; }

  void put(std::unique_ptr<Place> place) { place_ = std::move(place); }

  void fail(const std::string& reason) { end("failed", reason); }
  void skip(const std::string& reason) { end("skipped", reason); }

  /// Calls f; what it throws, whatever it is, becomes the reason to fail, or to skip where
  /// something is missing.
  template <class F>
  bool survives(const std::string& when, F f) {
    try {
      f();
      return true;
    } catch (const Unavailable& missing) {
      skip(missing.what());
    } catch (const cuda::Error& error) {
      fail(when + error.what());
    } catch (const std::exception& error) {
      fail(fmt::format("{}threw: {}", when, error.what()));
    } catch (...) {
      fail(when + "threw: something that is no std::exception");
    }
    return false;
  }

  /// Runs once on poisoned output and checks; false and a reason when wrong.
  bool run_and_check(const std::string& when) {
    const bool ran = survives(when, [&] {
      place_->poison_inputs();
      place_->poison_output();
      cuda::forget_launch();
      const Stopwatch stopwatch;
      place_->seconds(run_, 1);
      const double seconds = stopwatch.seconds();
      if (!result.first_use_seconds) result.first_use_seconds = seconds;
      result.launch = cuda::last_launch();
    });
    return ran && survives(when, [&] { judge(when, look(problem_.output.count), true); }) &&
           alive();
  }

  /// Fails if the last runs wrote outside of an array. Cheap enough for every sample.
  void check_guards(const std::string& when) {
    survives(when, [&] {
      if (const auto damage = place_->repair_guards()) fail(when + *damage);
    });
  }

  /// Nobody else may be blamed for what a failed variant left behind.
  void clean_up() {
    place_->repair_guards();
    place_->repair_inputs();
  }

  /// One sample, whose result is checked: wholly in the `closing` round. Returns seconds per run.
  double sample(const Settings& settings, bool closing, const std::string& when, Secret& secret) {
    if (settings.cache == CacheMode::hot) {
      hot_sample(settings, closing, when, secret);
    } else {
      cold_sample(settings, closing, when, secret);
    }
    return alive() ? result.timing.samples.back() : 0;
  }

  /// Hot mode: as many runs per sample as make the clock's cost negligible.
  void choose_batch() {
    constexpr std::size_t most = std::size_t{1} << 20U;
    std::size_t batch = 1;
    while (batch < most && place_->seconds(run_, batch) < place_->batch_seconds()) batch *= 2;
    result.timing.batch = batch;
  }

 private:
  void end(const char* status, const std::string& reason) {
    result.status = status;
    result.reason = reason;
    result.timing = {};
    result.gpu.reset();
    if (result.verdict) result.verdict->passed = false;
  }

  /// From the preparation of a sample on.
  struct Watch {
    std::optional<double> waited = waited_for_processor();
    Stopwatch stopwatch;
  };

  /// `batch` runs between two readings of the clock.
  void time_runs(const Settings& settings, const Watch& watch) {
    Timing& timing = result.timing;
    place_->get_ready();
    const double all_runs = place_->seconds(run_, timing.batch);
    if (watch.waited) {
      const double waited = waited_for_processor().value_or(0) - *watch.waited;
      const double all_threads = watch.stopwatch.seconds() * std::max(1, result.threads);
      const bool preempted = waited > tolerable_wait * all_threads;
      timing.preempted = timing.preempted.value_or(0) + (preempted ? 1 : 0);
    }
    if (on_device()) look_at(*settings.device);
    if (all_runs < many_floors * place_->clock_floor()) ++timing.too_short;
    // Less than the clock's unit is no time.
    constexpr double least = 1e-9;
    timing.samples.push_back(std::max(all_runs, least) / static_cast<double>(timing.batch));
  }

  /// What the device says of its clocks right after a sample.
  void look_at(const cuda::Device& device) {
    const cuda::Look look = device.look();
    if (!result.gpu) result.gpu.emplace().uuid = device.uuid();
    if (look.sm_clock_mhz) result.gpu->sm_clocks_mhz.push_back(*look.sm_clock_mhz);
    if (look.throttle_reasons) {
      result.gpu->throttled_samples = result.gpu->throttled_samples.value_or(0) +
                                      (cuda::throttled(*look.throttle_reasons) ? 1 : 0);
    }
  }

  /// On poisoned output and changed inputs, so that neither doing nothing nor an answer from an
  /// earlier call is right.
  void cold_sample(const Settings& settings, bool closing, const std::string& when,
                   Secret& secret) {
    const Watch watch;
    on_changed_inputs(closing, when, secret, [&](const Perturbation&) {
      if (closing) place_->poison_inputs();
      place_->poison_output();
      place_->empty_caches();
      time_runs(settings, watch);
    });
  }

  /// The timed runs find everything where a run before them left it. Whether they compute is seen
  /// in a run of its own, which a variant cannot tell from them.
  void hot_sample(const Settings& settings, bool closing, const std::string& when, Secret& secret) {
    const Watch watch;
    place_->seconds(run_, 1);
    if (closing) place_->poison_output();
    time_runs(settings, watch);
    if (closing) judge(when, look(problem_.output.count), true);
    if (!alive()) return;
    on_changed_inputs(closing, when, secret, [&](const Perturbation& changed) {
      if (closing) {
        place_->poison_inputs();
        place_->poison_output();
      } else {
        place_->poison_output(pieces(problem_.output, changed.outputs()));
      }
      place_->seconds(run_, 1);
    });
  }

  /// Calls `run` while some elements of the inputs are others than at the call before, and checks
  /// what it makes of them: that part of the output, or all of it in the closing round.
  template <class F>
  void on_changed_inputs(bool closing, const std::string& when, Secret& secret, F run) {
    Perturbation changed(problem_, arrays_, secret);
    place_->perturbed(changed.spots());
    run(changed);
    std::optional<Verdict> verdict;
    if (closing) {
      verdict = look(problem_.output.count);
    } else if (!changed.outputs().all() || secret() % whole_checks == 0) {
      verdict = look(changed.outputs());
    }
    const bool intact = changed.undo();
    place_->restored(changed.spots());
    if (!intact) fail(when + wrote_into_input);
    if (alive()) judge(when, verdict, closing);
  }

  /// Holds elements of what now stands in the arrays against the definition.
  Verdict look(const Elements& elements) {
    place_->fetch(pieces(problem_.output, elements));
    return problem_.check(arrays_, elements);
  }

  /// Draws the conclusions: of damage outside of the output first, then of the result. `whole`: all
  /// of it was looked at, and the inputs are too.
  void judge(const std::string& when, const std::optional<Verdict>& verdict, bool whole) {
    const bool wrong = verdict && !verdict->passed;
    const auto damage = place_->repair_guards();
    const auto changed = whole ? place_->repair_inputs() : std::nullopt;
    if (whole) result.verdict = verdict;
    if (damage || changed) {
      fail(when + (damage ? *damage : *changed));
    } else if (whole || wrong) {
      if (!whole) place_->fetch(pieces(problem_.output, problem_.output.count));
      const std::uint64_t before = std::exchange(answer_, output_hash());
      if (!wrong) return;
      // On the inputs of before it was right.
      fail(answer_ == before ? replayed : when + verdict->reason);
    }
  }

  std::uint64_t output_hash() const { return hash_bytes(arrays_.result, problem_.output.bytes()); }

  static constexpr const char* replayed =
      "replayed an earlier answer: the inputs have changed, its output has not";
  /// Where every element of the output takes all of the input, one of so many results is checked.
  static constexpr unsigned whole_checks = 4;

  const Problem& problem_;
  Run run_;
  bool transfers_;
  const Problem* beside_;
  Arrays arrays_;
  std::unique_ptr<Place> place_;
  std::uint64_t answer_ = 0;
};

/// Gives every case without a status this one.
void skip_all(std::vector<Case>& cases, const std::string& reason) {
  for (Case& result : cases) {
    if (!result.status.empty()) continue;
    result.status = "skipped";
    result.reason = reason;
  }
}

/// Bytes for reading: `412 MB`, `3.2 GB`.
std::string bytes_text(std::size_t bytes) {
  const auto value = static_cast<double>(bytes);
  return value < 1e9 ? fmt::format("{:.0f} MB", value / 1e6)
                     : fmt::format("{:.1f} GB", value / 1e9);
}

/// Both figures, and the largest size that would do; `limit` says what it is that limits.
std::string memory_reason(const PlannedGroup& group, std::size_t needed, std::size_t available,
                          const std::string& limit) {
  const std::string largest = group.inputs ? "" : group.largest_within(available);
  return fmt::format(
      "memory: needs {}, {} available ({}){}", bytes_text(needed), bytes_text(available), limit,
      largest.empty() ? "" : fmt::format("; the largest size that fits is {}", largest));
}

/// What the system refused although it seemed to be there.
std::string refused(std::size_t needed, const char* who) {
  return fmt::format("memory: {} refused {}", who, bytes_text(needed));
}

/// Empty where the arrays fit into what the process may take.
std::string reason_not_to_fit(const PlannedGroup& group, const Settings& settings,
                              std::size_t needed) {
  const auto allowance = settings.memory_allowance ? settings.memory_allowance() : std::nullopt;
  if (!allowance) return "";
  const std::size_t available = allowance->bytes > reserve ? allowance->bytes - reserve : 0;
  if (needed <= available) return "";
  return memory_reason(group, needed, available, allowance->limited_by);
}

/// A group placed on the machine: verification and, if wanted, rounds.
class Session {
 public:
  Session(const PlannedGroup& group, const Settings& settings, const Progress& progress)
      : settings_(settings),
        progress_(progress),
        inputs_(group.inputs),
        host_(group),
        order_(settings.seed) {
    for (const PlannedCase& planned : group.cases) cases_.emplace_back(group, planned, host_);
    open_device(group);
    for_live([this](Live& live) { place(live); });
  }

  /// Every case once, on the inputs that stay for the rounds.
  void verify(const Inspect& inspect, const Stage& stage) {
    if (inputs_) {
      host_.load(*inputs_);
      upload();
    } else {
      generate(settings_.seed);
    }
    input_hash_ = host_.input_hash();
    double checked = 0;
    for_live([&](Live& live) {
      report("verifying", live, stage.at(checked++ / static_cast<double>(cases_.size())));
      if (live.run_and_check("") && inspect) inspect(live.result, live.problem(), live.arrays());
    });
  }

  /// Every case once more, on other inputs. This comes last, so that an answer kept from any call
  /// before, the timed ones too, is caught.
  void verify_on_other_inputs(const Stage& stage) {
    generate(settings_.seed + 1);
    double checked = 0;
    for_live([&](Live& live) {
      report("verifying", live, stage.at(checked++ / static_cast<double>(cases_.size())));
      const auto verdict = live.result.verdict;
      // The record speaks of the inputs that were measured.
      if (live.run_and_check("on other inputs: ")) live.result.verdict = verdict;
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
      round(false, rounds, stopwatch);
      if (host_.repair_inputs()) find_writer();
      stop = reason_to_stop(++rounds, stopwatch.seconds());
    }
    if (device_inputs_changed()) find_writer();
    round(true, rounds, stopwatch);
    verify_on_other_inputs(last_check);
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
    for (Live& live : cases_) with(live, f);
  }

  /// Calls f if the case is alive, and cleans up after one that f has made fail.
  template <class F>
  void with(Live& live, F f) {
    if (!live.alive()) return;
    f(live);
    if (live.result.status != "failed") return;
    if (!live.on_device()) {
      live.clean_up();
    } else if (settings_.device->survived(live.result.name + ": " + live.result.reason)) {
      on_device([&] { live.clean_up(); });
    } else {
      skip_on_device(settings_.device->reason());
    }
  }

  void skip_on_device(const std::string& reason) {
    for (Live& live : cases_) {
      if (live.alive() && live.on_device()) live.skip(reason);
    }
  }

  /// Device memory for the cases that need it; where that is not to be had, they are skipped.
  void open_device(const PlannedGroup& group) {
    const bool needed = std::any_of(cases_.begin(), cases_.end(), [](const Live& live) {
      return live.alive() && live.on_device();
    });
    if (!needed) return;
    std::string reason = settings_.device == nullptr ? "no device" : settings_.device->reason();
    if (reason.empty()) reason = allocate_on_device(group);
    if (!reason.empty()) skip_on_device(reason);
  }

  /// Empty, or the reason why not.
  std::string allocate_on_device(const PlannedGroup& group) {
    const std::size_t bytes = cuda::DeviceArrays::bytes(group);
    try {
      const std::size_t available = settings_.device->free_bytes();
      if (bytes > available) return memory_reason(group, bytes, available, device_memory);
      device_.emplace(group, host_);
    } catch (const cuda::OutOfMemory&) {
      return refused(bytes, "the device");
    } catch (const cuda::Error& error) {
      return error.what();
    }
    return {};
  }

  void place(Live& live) {
    if (!live.on_device()) {
      auto place = std::make_unique<HostPlace>(live.result, settings_, host_, live.arrays());
      live.result.threads = place->threads();
      live.put(std::move(place));
    } else if (live.transfers()) {
      live.put(on_device<cuda::OverlappedPlace>(live));
    } else if (live.result.scope == Scope::end_to_end) {
      live.put(on_device<cuda::EndToEndPlace>(live));
    } else {
      live.put(on_device<cuda::KernelPlace>(live));
    }
  }

  template <class DevicePlace>
  std::unique_ptr<Place> on_device(const Live& live) {
    return std::make_unique<DevicePlace>(*settings_.device, *device_, host_, live.beside());
  }

  void generate(std::uint32_t seed) {
    host_.generate(seed);
    upload();
  }

  void upload() {
    on_device([this] {
      device_->upload_inputs();
      settings_.device->wait();
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

  /// How much of the rounds is over: they end with the last sample, or with the time, but then not
  /// before there are enough samples.
  double share_of_rounds(double rounds, double seconds) const {
    const double time = settings_.max_seconds > 0 ? seconds / settings_.max_seconds : 1;
    return std::max(rounds / static_cast<double>(settings_.max_samples),
                    std::min(time, rounds / static_cast<double>(Settings::min_samples)));
  }

  /// Every live case once, in random order.
  void round(bool closing, std::size_t rounds, const Stopwatch& stopwatch) {
    std::vector<Measurable> items;
    double begun = 0;
    for_live([&](Live& live) {
      items.push_back(
          {live.result.name, [this, &live, &items, &begun, &stopwatch, rounds, closing] {
             const double part = begun++ / static_cast<double>(items.size());
             report("measuring", live,
                    in_rounds.at(
                        share_of_rounds(static_cast<double>(rounds) + part, stopwatch.seconds())));
             double seconds = 0;
             with(live, [&](Live& one) { seconds = sample(one, closing); });
             return seconds;
           }});
    });
    if (items.empty()) return;
    std::shuffle(items.begin(), items.end(), order_);
    run_round(items);
  }

  /// Returns 0 for a case that does not survive it.
  double sample(Live& live, bool closing) {
    double seconds = 0;
    live.survives(later, [&] { seconds = live.sample(settings_, closing, later, secret_); });
    return seconds;
  }

  /// An input has changed during a round: the one who does it will do it again.
  void find_writer() {
    on_device([this] { device_->upload_inputs(); });
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
    if (progress_) progress_(fmt::format("{} {}", what, live.result.name), share);
  }

  static constexpr const char* later = "right at first, but not while measured: ";

  const Settings& settings_;
  const Progress& progress_;
  std::shared_ptr<const InputFiles> inputs_;
  HostArrays host_;
  std::optional<cuda::DeviceArrays> device_;
  std::vector<Live> cases_;
  std::string input_hash_;
  std::mt19937 order_;
  Secret secret_{std::random_device{}()};
};

/// The part that measure() and verify() share: `work` is done with the placed group.
template <class Work>
Group place(const PlannedGroup& planned, const Settings& settings, const Progress& progress,
            Work work) {
  Group group{planned.workload, planned.dtype, planned.size, {}, {}};
  for (const PlannedCase& one : planned.cases) group.cases.push_back(one.identity);

  const std::string unsupported = planned.problem->unsupported();
  const std::size_t needed = bytes_needed(planned);
  const std::string too_large = reason_not_to_fit(planned, settings, needed);
  if (!unsupported.empty()) {
    skip_all(group.cases, unsupported);
  } else if (!too_large.empty()) {
    skip_all(group.cases, too_large);
  } else {
    try {
      Session session(planned, settings, progress);
      work(session);
      group.input_hash = session.input_hash();
      group.cases = session.results();
    } catch (const std::bad_alloc&) {
      skip_all(group.cases, refused(needed, "the system"));
    }
  }
  return group;
}

}  // namespace

Group measure(const PlannedGroup& group, const Settings& settings, const Progress& progress) {
  return place(group, settings, progress, [](Session& session) {
    session.verify({}, first_check);
    session.measure();
  });
}

Group verify(const PlannedGroup& group, const Settings& settings, const Inspect& inspect,
             const Progress& progress) {
  return place(group, settings, progress, [&](Session& session) {
    session.verify(inspect, {0, 0.5});
    session.verify_on_other_inputs({0.5, 1});
    session.conclude("verified");
  });
}

}  // namespace bench

// One case while its group is on the machine: it runs, is checked, is timed, or ends with a reason.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/arrays/place.hpp"
#include "harness/base/reasons.hpp"
#include "harness/measure/host_place.hpp"
#include "harness/measure/in_cache.hpp"
#include "harness/measure/kept_answers.hpp"
#include "harness/measure/perturbation.hpp"
#include "harness/plan/plan.hpp"
#include "harness/plan/settings.hpp"

namespace bench {

/// The bits of a result: two hashes are comparable if both were computed in the same memory.
struct ResultBits {
  bool on_device = false;
  std::uint64_t hash = 0;

  auto operator<=>(const ResultBits&) const = default;
};

/// What is known of the problems of a group on the inputs of now. The reference result is computed
/// once; bits that were right once are not compared with it again.
struct KnownResults {
  struct OfProblem {
    std::map<ResultBits, Verdict> right{};
    ReferenceResult reference{};
  };

  bool keep_reference = false;  ///< there is memory for it
  std::map<const Problem*, OfProblem> of{};

  /// Where the reference result of a problem is kept; null: nowhere.
  ReferenceResult* place_for(OfProblem& problem) const {
    return keep_reference ? &problem.reference : nullptr;
  }
};

/// Changes of the inputs that our own variants share, so that the same bits are right for all.
struct Changes {
  std::uint64_t seed = 0;
  KnownResults known{};  ///< on the inputs with these changes
};

/// A few of them, of which nobody knows which one comes next: for results that take all of the
/// inputs, whose reference result would take longer than a sample each time.
class SharedChanges {
 public:
  explicit SharedChanges(Secret& secret);
  Changes& any(Secret& secret) { return all_[secret() % all_.size()]; }
  /// The inputs are others now.
  void forget();

 private:
  std::array<Changes, 4> all_;
};

struct LastRound {
  Changes changes;
  KnownResults& before;  ///< on the inputs as they are otherwise
};

class ActiveCase {
 public:
  ActiveCase(const PlannedGroup& group, const PlannedCase& planned, const HostArrays& host);

  Case result;

  bool alive() const { return !result.status; }
  bool on_device() const { return runs_on(result.backend, RunsOn::device); }
  /// It moves its data itself.
  bool transfers() const { return transfers_; }
  /// The bandwidth reference; null for the group's own problem.
  const Problem* beside() const { return beside_; }
  /// It works on arrays of its own.
  bool apart() const { return apart_; }
  const Problem& problem() const { return problem_; }
  /// The host's arrays: there inputs and results are looked at.
  const Arrays& arrays() const { return arrays_; }
  /// Null where it runs in this process.
  const MakePlace& elsewhere() const { return elsewhere_; }
  /// What is found where somebody looks more closely; empty: nothing.
  Examined examined() const { return examine_ ? examine_(result) : Examined(); }

  /// Seconds of its runs so far, where another process runs them.
  double processor_seconds() const { return place_->processor_seconds().value_or(0); }

  void put(std::unique_ptr<Place> place) { place_ = std::move(place); }
  void put(std::unique_ptr<InCache> in_cache) { in_cache_ = std::move(in_cache); }

  void fail(const Reason& reason) { end(Status::failed, reason); }
  void fail(const Reason& when, const Reason& reason) {
    fail(when.empty() ? reason : said<reasons::found_when>(when, reason));
  }
  void skip(const Reason& reason) { end(Status::skipped, reason); }

  /// Calls f; what it throws, whatever it is, becomes the reason to fail, or to skip where
  /// something is missing.
  template <class F>
  bool survives(const Reason& when, F f) {
    try {
      f();
      return true;
    } catch (const Unavailable& missing) {
      skip(missing.reason);
    } catch (const RunError& error) {
      fail(when, error.reason);
    } catch (const std::exception& error) {
      fail(when, said<reasons::threw>(std::string(error.what())));
    } catch (...) {
      fail(when, said<reasons::threw>(std::string("something that is not a std::exception")));
    }
    return false;
  }

  /// Runs once on poisoned output and checks; false and a reason when wrong.
  bool run_and_check(const Reason& when, KnownResults& known);

  /// Before the inputs change for sample_anew().
  void settle();
  /// The same as run_and_check(), prepared and timed as a sample is.
  void sample_anew(const Reason& when);
  /// What its sample_anew() took so far, next to its samples.
  const KeptAnswers& kept_answers() const { return kept_answers_; }
  /// Fails it where those are much slower: it returns cached results, and looks for what has
  /// changed. Where nobody can tell, it is skipped if `skips_in_doubt`.
  void compare_with_anew(bool skips_in_doubt);

  /// Runs a variant that is deliberately wrong a few times, and shows its worst result. Only the
  /// result may be wrong: what is written elsewhere is a failure as any other.
  void show_mistake();

  /// Fails if the last runs wrote outside of an array. Cheap enough for every sample.
  void check_guards(const Reason& when);

  /// Fails if part of its work is none of what the clock measures.
  void check_clock(const Reason& when);

  /// Notes when the call returns that starts its work, where it does before the work is done.
  void time_return(const Reason& when);

  /// One run more, which a profiler finds in a range `profiled`.
  void profile();

  /// Nobody else may be blamed for what a failed variant left behind.
  void clean_up();

  /// One sample, whose result is checked: all of it in the last round (else null). Returns seconds
  /// per run.
  double sample(const Settings& settings, LastRound* last, SharedChanges& shared,
                const Reason& when, Secret& secret);

  /// The same on data in the caches; nothing where there is none.
  void sample_in_cache(bool closing, const Reason& when);

  /// A few runs more, prepared as samples are, of which the processor's events are counted.
  void count_events(const Settings& settings, const Reason& when);

  /// One span more of runs that follow each other, whose energy is told where they are as those
  /// that were timed.
  void add_energy(const Settings& settings, const Reason& when);

  /// Hot mode: as many runs per sample as make the clock's cost negligible.
  void choose_batch();

 private:
  struct Watch;

  void end(Status status, const Reason& reason);
  bool run_on_poison(const Reason& when);
  void get_ready_to_count(CacheMode cache);
  Reason why_no_energy(CacheMode cache) const;
  void take_span(const EnergyMeter& meter);
  void skip_without_choice();
  double seconds_in_range(std::size_t runs);
  Effort effort(std::size_t runs);
  void time_runs(const Settings& settings, const Watch& watch);
  void look_at(const cuda::Device& device);
  void cold_sample(const Settings& settings, LastRound* last, SharedChanges& shared,
                   const Reason& when, Secret& secret);
  void hot_sample(const Settings& settings, LastRound* last, SharedChanges& shared,
                  const Reason& when, Secret& secret);
  template <class F>
  void on_changed_inputs(LastRound* last, SharedChanges& shared, const Reason& when, Secret& secret,
                         F run);
  Changes* changes_of(LastRound* last, SharedChanges& shared, Secret& secret) const;
  Verdict look(const Elements& elements);
  std::optional<Verdict> known(const KnownResults::OfProblem& known);
  Verdict look_anew(KnownResults::OfProblem& known, ReferenceResult* kept,
                    const Elements* changed = nullptr);
  Verdict look_at_all(KnownResults& results);
  Verdict look_at_all(KnownResults& results, KnownResults& before, const Elements& changed);
  std::optional<Verdict> look_at_some(KnownResults& results, Secret& secret);
  ResultBits bits();
  bool misread(const Verdict& verdict) const;
  void judge(const Reason& when, const std::optional<Verdict>& verdict, bool whole);

  const Problem& problem_;
  Run run_;
  bool transfers_;
  bool needs_block_;
  bool needs_grid_;
  MakePlace elsewhere_;
  Examine examine_;
  const Problem* beside_;
  bool apart_;
  Arrays arrays_;
  std::unique_ptr<Place> place_;
  std::unique_ptr<InCache> in_cache_;
  KeptAnswers kept_answers_;
  ResultBits seen_;    ///< what look_at_all() has looked at
  ResultBits answer_;  ///< the last one that was looked at wholly, or was wrong
};

}  // namespace bench

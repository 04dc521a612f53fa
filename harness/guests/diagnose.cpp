#include "harness/guests/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <tuple>
#include <utility>

#include "harness/base/files.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/compile.hpp"
#include "harness/guests/guest_place.hpp"
#include "harness/guests/host.hpp"
#include "harness/guests/read_files.hpp"
#include "harness/guests/report.hpp"
#include "harness/guests/sanitized.hpp"
#include "harness/guests/translate.hpp"
#include "harness/measure/trial.hpp"
#include "harness/plan/result.hpp"

namespace bench::guests {
namespace {

bool any_text(const Texts& texts, const std::regex& words) {
  return std::any_of(texts.begin(), texts.end(), [&](const auto& one) {
    return std::regex_search(code_of(one.second), words);
  });
}

/// Whether a shared object starts threads.
bool has_threads(const std::string& object) {
  static const std::regex starts(
      R"(GOMP_(parallel|task|teams)|__kmpc_fork|pthread_create|thrd_create|_M_start_thread|_ZN3tbb)");
  return std::regex_search(object, starts);
}

/// Whether a source orders its threads by what ThreadSanitizer does not know: fences, and the
/// threads of a library.
bool orders_unseen(const Texts& texts) {
  static const std::regex some(
      R"(\bomp\s+(flush|task)|_fence|__sync_synchronize|\bexecution::par)");
  return any_text(texts, some);
}

/// Whether an object calls nothing of OpenMP but what team_edges.c speaks for, which is GCC's.
bool edges_known(const std::string& object) {
  static const std::regex any(R"(GOMP_[a-z]\w*|omp_\w*lock\w*|__kmpc_\w+|_ZN3tbb\w+)");
  static const std::regex known(
      R"(GOMP_(parallel(_loop_(nonmonotonic_)?(dynamic|guided))?|barrier|loop_end(_nowait)?|loop_\w+_(start|next)|critical_(name_)?(start|end)|atomic_(start|end)|single_start)|omp_(un)?set_lock|omp_(init|destroy)_lock|omp_lock_t)");
  for (std::sregex_iterator one(object.begin(), object.end(), any), end; one != end; ++one) {
    if (!std::regex_match(one->str(), known)) return false;
  }
  return true;
}

/// One where it runs on a device.
int threads_of(const Case& one) { return one.threads.value_or(1); }

/// What a sanitizer is given: of a file that is right so far, and of one whose reason is looked
/// for.
struct Work {
  unsigned seconds;  ///< of processor time
  double patience;   ///< seconds: others may have the processors meanwhile
};
constexpr Work thorough{30, 300};
constexpr Work short_look{5, 15};

constexpr int runs_in_doubt = 3;  // what races is right now and then

Examined at_fault(Reason why) { return {std::move(why), "", false}; }
Examined unseen(Reason why, bool undecided) { return {"", std::move(why), undecided}; }

class Examiner {
 public:
  Examiner(Subject subject, const Suite& suite, Means means)
      : subject_(std::move(subject)), suite_(suite), means_(std::move(means)) {}

  Examined operator()(const Case& one) const {
    if (!one.status) return subject_.compiled ? of_right(one) : Examined();
    try {
      return at_fault(of_wrong(one));
    } catch (const std::exception&) {
      return {};  // nothing more is known than before
    }
  }

 private:
  /// What does not depend on the size that is measured is looked at once.
  Examined of_right(const Case& one) const {
    auto& known = (*known_)[{one.workload, one.dtype, threads_of(one), one.bins.value_or(0)}];
    if (known) return *known;
    const Examined memory =
        looked<reasons::not_checked_memory>([&] { return memory_seen(one, thorough); });
    if (!memory.fault.empty()) return *(known = memory);
    Examined races = looked<reasons::not_checked_races>([&] { return races_seen(one, thorough); });
    races.undecided = races.undecided || memory.undecided;
    if (!memory.unchecked.empty()) {
      races.unchecked = races.unchecked.empty()
                            ? memory.unchecked
                            : said<reasons::and_besides>(races.unchecked, memory.unchecked);
    }
    return *(known = races);
  }

  template <const ReasonText& unchecked, class F>
  static Examined looked(F f) {
    Examined found;
    try {
      found = f();
    } catch (const std::exception& error) {
      found = unseen(reason_of(error), true);
    }
    if (!found.unchecked.empty()) found.unchecked = said<unchecked>(found.unchecked);
    return found;
  }

  Reason of_wrong(const Case& one) const {
    if (Reason found = memory_seen(one, short_look).fault; !found.empty()) return found;
    if (!one.verdict) return {};  // it has crashed, or has never answered
    if (Reason found = races_seen(one, short_look).fault; !found.empty()) return found;
    return race(one);
  }

  const Workload& workload_of(const Case& one) const {
    return *workload_named(suite_.workloads, one.workload);
  }

  /// Where it crashes, also with as many elements as are measured: an array of them may not fit on
  /// the stack.
  std::vector<Trial> small_trials(const Case& one) const {
    constexpr std::size_t bytes = std::size_t{1} << 30U;
    std::vector<Trial> all = trials(workload_of(one), one.dtype,
                                    one.bins ? std::vector{*one.bins} : std::vector<std::size_t>());
    if (one.status && !one.verdict && one.footprint_bytes <= bytes) {
      all.push_back(trial_of(workload_of(one), one.dtype, one.shape_of_problem()));
    }
    return all;
  }

  /// The trials from the shortest to the longest.
  std::vector<Trial> growing_trials(const Case& one) const {
    std::vector<Trial> all = long_trials(workload_of(one), one.dtype);
    all.insert(all.begin(), std::move(trials(workload_of(one), one.dtype).front()));
    return all;
  }

  const SharedObject& compiled(Build build) const {
    std::optional<SharedObject>& object = (*subject_.builds)[build];
    if (!object) object = compile(subject_.file, std::string(suite_.declarations), build);
    return *object;
  }

  static std::shared_ptr<Guest> guest_of(const SharedObject& object, const Means& means) {
    return std::make_shared<Guest>(
        std::vector<std::string>{"/proc/self/exe", host_command, inherited_path(0)}, object.file,
        means);
  }

  Means watched_means(const Reports& reports, Sanitizer sanitizer, const Work& most) const {
    Means means = reports.means_for(sanitizer, means_);
    means.patience = most.patience;
    means.processor_seconds = most.seconds;
    return means;
  }

  Verdict judged_by(const std::shared_ptr<Guest>& guest, const Trial& trial, Case one,
                    int threads) const {
    one.threads = threads;
    const MakePlace make = [&](const Case& planned, const Settings& settings, HostArrays& arrays) {
      return std::make_unique<GuestPlace>(guest, subject_.number, planned, settings, arrays);
    };
    return judged(trial, one, make, {}, pages_in(means_.arrays));
  }

  /// What it does outside of its arrays, and where it has failed what else has no meaning in C.
  Examined memory_seen(const Case& one, const Work& most) const {
    if (!subject_.compiled) return {};
    if (library_of(Sanitizer::address).empty()) return unseen(said<reasons::no_sanitizer>(), false);
    const Texts texts = with_own_headers(subject_.file);
    const auto files = names_of_files(subject_.file, texts);
    const auto names =
        arrays_of(suite_.declarations, fmt::format("{}_{}", one.workload, name_of(one.dtype)));
    const Reports reports;
    Means means = watched_means(reports, Sanitizer::address, most);
    if (!one.status) means.variables.emplace_back("UBSAN_OPTIONS", reports.options());
    const auto guest = guest_of(compiled(Build::sanitized), means);
    for (const Trial& trial : small_trials(one)) {
      reports.forget_arrays();
      try {
        judged_by(guest, trial, one, threads_of(one));
      } catch (const NoAnswer&) {
        throw;
      } catch (const RunError&) {
        Reason found = reports.finding(*trial.group.problem, names, files);
        if (found.empty()) found = asserted(reports.said(), files);
        if (found.empty() && !one.status) throw;
        return at_fault(found);
      }
    }
    return what_misleads(texts);
  }

  static Examined what_misleads(const Texts& texts) {
    const std::string word = misleading(texts);
    return word.empty() ? Examined() : unseen(said<reasons::misleads_sanitizer>(word), true);
  }

  /// ThreadSanitizer sees what no result shows, of all threads at once, or of none where they are
  /// right by luck.
  Examined races_seen(const Case& one, const Work& most) const {
    if (!subject_.compiled || !has_threads(whole_file(subject_.program->path()))) return {};
    if (library_of(Sanitizer::thread).empty()) return unseen(said<reasons::no_sanitizer>(), false);
    const Texts texts = with_own_headers(subject_.file);
    const SharedObject& object = compiled(Build::threads);
    if (orders_unseen(texts) || !edges_known(whole_file(object.file->path()))) {
      return unseen(said<reasons::orders_unseen>(), false);
    }
    const Reports reports;
    Means means = watched_means(reports, Sanitizer::thread, most);
    // All are wanted: the first may be one that harms nobody.
    means.variables.emplace_back("TSAN_OPTIONS", reports.options() + ":atexit_sleep_ms=0");
    const auto guest = guest_of(object, means);
    try {
      std::ignore = guest->offers();
    } catch (const RunError& error) {
      // It may not have the addresses that it needs, as in some containers.
      return unseen(error.reason, false);
    }
    const Examined found = races_of(guest, one, most, [&] {
      return race_in(reports.found(), names_of_files(subject_.file, texts), texts);
    });
    return found.fault.empty() && found.unchecked.empty() ? what_misleads(texts) : found;
  }

  /// Runs it with as many elements as the processor time allows.
  template <class F>
  Examined races_of(const std::shared_ptr<Guest>& guest, const Case& one, const Work& most,
                    F found) const {
    std::size_t elements = 0;
    Reason answered;
    double longest = 0;
    for (const Trial& trial : growing_trials(one)) {
      const double before = guest->processor_seconds();
      const double more = elements == 0 ? 0
                                        : static_cast<double>(trial.shape.elements()) /
                                              static_cast<double>(elements);
      const auto too_long = [&] {
        return unseen(said<reasons::only_with>(answered, most.seconds), false);
      };
      if (before + longest * more > most.seconds) return too_long();
      try {
        judged_by(guest, trial, one, std::max(2, threads_of(one)));
      } catch (const NoAnswer&) {
        if (elements == 0) throw;
        return too_long();
      }
      if (Reason fault = found(); !fault.empty()) return at_fault(fault);
      longest = guest->processor_seconds() - before;
      elements = trial.shape.elements();
      answered = trial.when;
    }
    return {};
  }

  /// Empty, or that one thread is right where all of them are wrong. What an element was left out
  /// of says more.
  Reason race(const Case& one) const {
    if (threads_of(one) < 2) return {};
    if (subject_.compiled && !has_threads(whole_file(subject_.program->path()))) return {};
    const std::vector<Trial> all = growing_trials(one);
    std::shared_ptr<Guest> guest;
    for (int i = 0; i < runs_in_doubt; ++i) {
      // One that keeps its answers has none of other trials. Python's compile at the first call.
      if (subject_.compiled || !guest) guest = fresh(means_);
      for (std::size_t k = 0; k < all.size(); ++k) {
        const Verdict verdict = judged_by(guest, all[k], one, threads_of(one));
        if (verdict.passed) continue;
        if (verdict.unwritten != Unwritten::none || !right_alone(one, all, k)) return {};
        if (all[k].group.problem->output.count == 1) {
          return said<reasons::race_in_reduction>(threads_of(one));
        }
        return said<reasons::race_in_elements>(threads_of(one));
      }
    }
    return {};
  }

  std::shared_ptr<Guest> fresh(const Means& means) const {
    return std::make_shared<Guest>(subject_.command, subject_.program, means);
  }

  /// Variables of the environment tell those how many threads there are that bench cannot tell.
  bool right_alone(const Case& one, const std::vector<Trial>& all, std::size_t last) const {
    Means means = means_;
    if (!subject_.compiled) means.threads = 1;
    const auto guest = fresh(means);
    for (int i = 0; i < runs_in_doubt; ++i) {
      // After the same trials: one that keeps its answers is wrong alone, too.
      for (std::size_t k = 0; k <= last; ++k) {
        if (!judged_by(guest, all[k], one, 1).passed) return false;
      }
    }
    return true;
  }

  Subject subject_;
  Suite suite_;
  Means means_;
  using Key = std::tuple<std::string, Dtype, int, std::size_t>;
  std::shared_ptr<std::map<Key, std::optional<Examined>>> known_ =
      std::make_shared<std::map<Key, std::optional<Examined>>>();
};

}  // namespace

Examine examiner(Subject subject, const Suite& suite, Means means) {
  return Examiner(std::move(subject), suite, std::move(means));
}

}  // namespace bench::guests

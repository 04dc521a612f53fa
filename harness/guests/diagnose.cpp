#include "harness/guests/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "harness/arrays/run_error.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/compile.hpp"
#include "harness/guests/guest_place.hpp"
#include "harness/guests/host.hpp"
#include "harness/guests/read_files.hpp"
#include "harness/guests/report.hpp"
#include "harness/guests/sanitized.hpp"
#include "harness/measure/trial.hpp"
#include "harness/plan/result.hpp"

namespace bench::guests {
namespace {

constexpr double short_patience = 3;  // seconds for an answer
constexpr int runs_in_doubt = 3;      // what races is right now and then

/// Whether a source starts threads, and orders them by what ThreadSanitizer knows: neither fences
/// nor the threads of a library.
bool has_threads(const Texts& texts) {
  static const std::regex some(R"(\bomp\s+parallel|\bj?thread\b|pthread_create|\basync\b)");
  static const std::regex unknown(
      R"(\bomp\s+(flush|task)|_fence|__sync_synchronize|\bpar(_unseq)?\b)");
  const auto say = [&](const std::regex& words) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const auto& one) { return std::regex_search(one.second, words); });
  };
  return say(some) && !say(unknown);
}

/// Whether an object calls nothing of OpenMP but what team_edges.c speaks for, which is GCC's.
bool edges_known(const std::string& object) {
  static const std::regex any(R"(GOMP_[a-z]\w*|omp_\w*lock\w*|__kmpc_\w+)");
  static const std::regex known(
      R"(GOMP_(parallel(_loop_(nonmonotonic_)?(dynamic|guided))?|barrier|loop_end(_nowait)?|loop_\w+_(start|next)|critical_(name_)?(start|end)|atomic_(start|end)|single_start)|omp_(un)?set_lock|omp_(init|destroy)_lock|omp_lock_t)");
  for (std::sregex_iterator one(object.begin(), object.end(), any), end; one != end; ++one) {
    if (!std::regex_match(one->str(), known)) return false;
  }
  return true;
}

/// One where it runs on a device.
int threads_of(const Case& one) { return one.threads.value_or(1); }

class Examiner {
 public:
  Examiner(Subject subject, const Suite& suite, Means means)
      : subject_(std::move(subject)), suite_(suite), means_(std::move(means)) {
    means_.patience = std::min(means_.patience, short_patience);
  }

  std::string operator()(const Case& one) const {
    try {
      if (!one.status) return race_seen(one);
      if (std::string found = under_sanitizers(one); !found.empty()) return found;
      if (!one.verdict) return "";  // it has crashed, or has never answered
      if (std::string found = race_seen(one); !found.empty()) return found;
      return race(one);
    } catch (const std::exception&) {
      return "";  // nothing more is known than before
    }
  }

 private:
  const Workload& workload_of(const Case& one) const {
    return *workload_named(suite_.workloads, one.workload);
  }

  /// A short one and the long one.
  std::vector<Trial> trials_of(const Case& one) const {
    std::vector<Trial> some = long_trials(workload_of(one), one.dtype);
    some.push_back(std::move(trials(workload_of(one), one.dtype).front()));
    return some;
  }

  SharedObject compiled(Build build) const {
    return compile(subject_.file, std::string(suite_.declarations), build);
  }
  static std::shared_ptr<Guest> guest_of(const SharedObject& object, const Means& means) {
    return std::make_shared<Guest>(
        std::vector<std::string>{"/proc/self/exe", host_command, inherited_path(0)}, object.file,
        means);
  }

  Verdict judged_by(const std::shared_ptr<Guest>& guest, const Trial& trial, Case one,
                    int threads) const {
    one.threads = threads;
    const MakePlace make = [&](const Case& planned, const Settings& settings, HostArrays& arrays) {
      return std::make_unique<GuestPlace>(guest, subject_.number, planned, settings, arrays);
    };
    return judged(trial, one, make, {}, pages_in(means_.arrays));
  }

  std::string under_sanitizers(const Case& one) const {
    if (!subject_.compiled || library_of(Sanitizer::address).empty()) return "";
    const Texts texts = with_own_headers(subject_.file);
    const auto names =
        arrays_of(suite_.declarations, fmt::format("{}_{}", one.workload, name_of(one.dtype)));
    const Reports reports;
    const auto guest =
        guest_of(compiled(Build::sanitized), reports.means_for(Sanitizer::address, means_));
    for (const Trial& trial : trials(workload_of(one), one.dtype)) {
      reports.forget_arrays();
      try {
        judged_by(guest, trial, one, threads_of(one));
      } catch (const NoAnswer&) {
        throw;
      } catch (const RunError&) {
        const std::vector<std::string> files = names_of_files(subject_.file, texts);
        std::string found = reports.finding(*trial.group.problem, names, files);
        return found.empty() ? asserted(reports.said(), files) : found;
      }
    }
    return "";
  }

  /// Of all threads at once, or of none where they are right by luck: ThreadSanitizer sees what no
  /// result shows.
  std::string race_seen(const Case& one) const {
    if (!subject_.compiled || library_of(Sanitizer::thread).empty()) return "";
    const Texts texts = with_own_headers(subject_.file);
    if (!has_threads(texts)) return "";
    const SharedObject object = compiled(Build::threads);
    if (!edges_known(whole_file(object.file->path()))) return "";
    const Reports reports;
    Means means = reports.means_for(Sanitizer::thread, means_);
    // All are wanted: the first may be one that harms nobody.
    means.variables.emplace_back("TSAN_OPTIONS", reports.options() + ":atexit_sleep_ms=0");
    const auto guest = guest_of(object, means);
    for (const Trial& trial : trials_of(one)) {
      judged_by(guest, trial, one, std::max(2, threads_of(one)));
      std::string found = race_in(reports.found(), names_of_files(subject_.file, texts), texts);
      if (!found.empty()) return found;
    }
    return "";
  }

  /// Empty, or that one thread is right where all of them are wrong.
  std::string race(const Case& one) const {
    if (threads_of(one) < 2) return "";
    for (int i = 0; i < runs_in_doubt; ++i) {
      for (const Trial& trial : trials_of(one)) {
        if (judged_by(subject_.guest, trial, one, threads_of(one)).passed) continue;
        if (!right_alone(one, trial)) return "";
        if (trial.group.problem->output.count == 1) {
          return said<reasons::race_in_reduction>(threads_of(one));
        }
        return said<reasons::race_in_elements>(threads_of(one));
      }
    }
    return "";
  }

  /// Variables of the environment tell those how many threads there are that bench cannot tell.
  bool right_alone(const Case& one, const Trial& trial) const {
    std::shared_ptr<Guest> guest = subject_.guest;
    if (!subject_.compiled) {
      Means means = means_;
      means.threads = 1;
      means.patience = Means().patience;  // it may compile first
      guest = std::make_shared<Guest>(subject_.command, subject_.program, means);
    }
    for (int i = 0; i < runs_in_doubt; ++i) {
      if (!judged_by(guest, trial, one, 1).passed) return false;
    }
    return true;
  }

  Subject subject_;
  Suite suite_;
  Means means_;
};

}  // namespace

Examine examiner(Subject subject, const Suite& suite, Means means) {
  return Examiner(std::move(subject), suite, std::move(means));
}

}  // namespace bench::guests

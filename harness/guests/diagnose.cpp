#include "harness/guests/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/guests/compile.hpp"
#include "harness/guests/guest_place.hpp"
#include "harness/guests/host.hpp"
#include "harness/guests/read_files.hpp"
#include "harness/guests/report.hpp"
#include "harness/guests/sanitized.hpp"
#include "harness/measure/result.hpp"
#include "harness/measure/trial.hpp"
#include "harness/place/run_error.hpp"

namespace bench::guests {
namespace {

constexpr double short_patience = 3;  // seconds for an answer
constexpr double race_seconds = 0.6;  // of looking for one
constexpr int runs_in_doubt = 3;      // what races is right now and then

/// Whether a source starts threads, as far as its words say.
bool has_threads(const Texts& texts) {
  static const std::regex words(
      R"(\bomp\s+parallel|\bj?thread\b|pthread_create|\basync\b|\bpar\b)");
  return std::any_of(texts.begin(), texts.end(),
                     [](const auto& one) { return std::regex_search(one.second, words); });
}

class Examiner {
 public:
  Examiner(Subject subject, const Suite& suite, Means means)
      : subject_(std::move(subject)), suite_(suite), means_(std::move(means)) {
    means_.patience = std::min(means_.patience, short_patience);
  }

  std::string operator()(const Case& one) const {
    try {
      if (!one.status) return subject_.compiled ? race_by_luck(one) : "";
      if (std::string found = under_sanitizers(one); !found.empty()) return found;
      if (!one.verdict) return "";  // it has crashed, or has never answered
      return race(one, subject_.guest, one.threads, trials_of(one));
    } catch (const std::exception&) {
      return "";  // nothing more is known than before
    }
  }

 private:
  const Workload& workload_of(const Case& one) const {
    return *workload_named(suite_.workloads, one.workload);
  }

  /// The first, as long as it has as many elements as any, and the long one.
  std::vector<Trial> trials_of(const Case& one) const {
    std::vector<Trial> some = long_trials(workload_of(one), one.dtype);
    std::vector<Trial> small = trials(workload_of(one), one.dtype);
    some.push_back(std::move(small.front()));
    return some;
  }

  std::shared_ptr<Guest> compiled(Build build, const Means& means) const {
    const SharedObject object = compile(subject_.file, std::string(suite_.declarations), build);
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
    const auto guest = compiled(Build::sanitized, reports.means_for(Sanitizer::address, means_));
    for (const Trial& trial : trials(workload_of(one), one.dtype)) {
      reports.forget_arrays();
      try {
        judged_by(guest, trial, one, one.threads);
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

  /// Empty, or what races: wrong on one of these trials with so many threads, right with one.
  std::string race(const Case& one, const std::shared_ptr<Guest>& guest, int threads,
                   const std::vector<Trial>& on) const {
    if (threads < 2) return "";
    for (int i = 0; i < runs_in_doubt; ++i) {
      for (const Trial& trial : on) {
        if (judged_by(guest, trial, one, threads).passed) continue;
        if (!right_alone(one, guest, trial)) return "";
        const bool sum = trial.group.problem->output.count == 1;
        return fmt::format("right with one thread, wrong with {}: threads race ({})", threads,
                           sum ? "is a reduction missing?"
                               : "do they share a variable, or write the same element?");
      }
    }
    return "";
  }

  /// Variables of the environment tell those how many threads there are that bench cannot tell.
  bool right_alone(const Case& one, std::shared_ptr<Guest> guest, const Trial& trial) const {
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

  /// As long as it takes to see most races: a short run, whose threads end at the same time, most
  /// often. What is shared is read back from memory where nothing is optimised.
  std::string race_by_luck(const Case& one) const {
    if (one.threads < 2 || !has_threads(with_own_headers(subject_.file))) return "";
    const std::vector<Trial> on = trials_of(one);
    // Who has room for each thread of the job has none for more.
    const bool room = on.front().group.problem->workspace.empty();
    const int threads = room ? std::max(4, 2 * one.threads) : one.threads;
    const auto guest = compiled(Build::plain, means_);
    const Stopwatch stopwatch;
    std::string found;
    while (found.empty() && stopwatch.seconds() < race_seconds)
      found = race(one, guest, threads, on);
    return found;
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

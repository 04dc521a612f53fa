// Which cases may be in one ratio, over which of them ratios are taken, and what may be said of
// one. Everybody asks here: the run that writes a result file, tables, pictures, comparisons.
#pragma once

#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "harness/document/case_record.hpp"

namespace bench {

/// Cases that were measured in the same rounds: a group and what ran with it, as
/// `energy:10000000/f32/cold`.
std::string rounds_of(const CaseRecord& one);

/// The same work on the same bytes, among the cases of one or more runs: the rounds and the
/// workload.
std::string work_of(const CaseRecord& one);

/// How many times faster `one` is than `baseline`: the ratio of the medians. Samples of the same
/// turn are paired, so that a drift which both have in common cancels; those of two runs, and of
/// the CPU and the GPU, which take turns of their own, cannot be, and the interval allows for
/// drift. 1 [1, 1] for a case over itself.
RatioRecord ratio_over(const CaseRecord& baseline, const CaseRecord& one);

/// The same of what the busiest thread of each had of a processor, paired by round.
RatioRecord ratio_on_processor(const CaseRecord& baseline, const CaseRecord& one);

/// The same code twice in a run differs by up to so much, whatever the intervals say of each: other
/// pages, another process.
constexpr double indistinguishable = 0.03;
/// The same of user kernels, each in a process of its own. In one of three runs, one of 20 equal
/// files was certainly more than 3 % slower than the middle one.
constexpr double indistinguishable_files = 0.05;
/// Where others use the caches too, by what the busiest thread had of a processor.
constexpr double indistinguishable_when_busy = 0.1;

/// Cases of one run that differ in some parameters only, and what they would be called without.
struct Series {
  std::string name;
  std::vector<const CaseRecord*> cases;
};
/// A series of each such group of two or more, in the order of `cases`.
std::vector<Series> series_over(const std::vector<std::string>& parameters,
                                const std::vector<const CaseRecord*>& cases);

/// The variant that every other one is compared with.
constexpr const char* naive_rung = "serial/naive";
constexpr const char* no_baseline = "no baseline: serial/naive was not measured";

/// What the cases of one piece of work are compared with; null where it was not measured.
struct Baselines {
  const CaseRecord* serial = nullptr;    ///< serial/naive
  const CaseRecord* best_cpu = nullptr;  ///< the fastest built-in one on processors
};

/// The baselines by work. Pointers into `cases`.
std::map<std::string, Baselines> baselines(const std::vector<CaseRecord>& cases);

/// Fills in the ratios over these, or says why there are none. Those within a run that are there
/// stay; a baseline of another run replaces them. Needs the samples.
void put_ratios(std::vector<CaseRecord>& cases);

/// The workload that every bandwidth is compared with.
constexpr const char* plain_reference = "copy";

/// The fastest case of a reference workload, by GB/s or, of an arithmetic one, by operations per
/// second: in which rounds, by which backend, with how many threads, with or without transfers, and
/// of which workload.
using ReferenceKey = std::tuple<std::string, std::string, int, Scope, std::string>;
ReferenceKey reference_key(const CaseRecord& one, const std::string& workload);
std::map<ReferenceKey, const CaseRecord*> reference_bandwidths(
    const std::vector<CaseRecord>& cases);

/// No measurement exceeds a limit by more.
constexpr double beyond_limit = 1.1;

/// Fills the shares of measured cases, of each workload that is in `share_of`, and their intervals:
/// of the fastest variant of that workload, or of the case's own where that is faster, so that
/// built-in variants have at most 1. The interval reaches to the share of the reference alone:
/// beyond 1, nobody knows what memory allows. A case of several steps may move less than its bytes:
/// it is never taken for a reference, and its share may be as large as their number. Needs the
/// samples.
void fill_shares(std::vector<CaseRecord>& cases);

/// The reference that moves data most as a case does: its workload's own one where it has one, copy
/// otherwise; where arithmetic limits the case, an arithmetic one. Its name, empty where there is
/// none, and the share of it where both were measured.
struct ReferenceShare {
  std::string reference;
  std::optional<double> value;
  std::optional<Interval> ci95;  ///< result files of earlier versions have none
  bool arithmetic = false;       ///< of operations per second, not of bandwidth
};
ReferenceShare nearest_share(const CaseRecord& one);

/// The samples of each execution.
std::vector<std::span<const double>> executions_of(const TimesRecord& times);

/// Their medians.
std::vector<double> medians_of(const TimesRecord& times);

/// The ratio of the medians of two separate runs, the first over the second: with an interval over
/// their executions where both have several, else over drifting samples. Needs the samples.
Estimate ratio_of_runs(const TimesRecord& numerator, const TimesRecord& denominator);

/// What an interval says of a ratio of times, the second over the first.
enum class Change { same, slower, faster, unclear };
template <>
struct NamesOf<Change> {
  static constexpr std::array<std::pair<Change, std::string_view>, 4> all{
      {{Change::same, "same"},
       {Change::slower, "slower"},
       {Change::faster, "faster"},
       {Change::unclear, "unclear"}}};
};
/// `threshold`: the relative change that matters. Only the whole interval decides.
Change judge(const Interval& ratio, double threshold);

/// The same of one among `ratios` ratios. Of many equal cases one in twenty is outside of its
/// interval: a change is judged by intervals that hold all together with 95 % (Bonferroni).
Change judge_among(std::size_t ratios, const Estimate& ratio, double threshold);

}  // namespace bench

#include "harness/document/imported.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "harness/base/reasons.hpp"
#include "harness/document/contradiction.hpp"
#include "harness/document/ratios.hpp"
#include "harness/document/record.hpp"

namespace bench {
namespace {

/// At most as many samples as a result file may have, at equal distances.
std::vector<double> thinned(const std::vector<double>& all) {
  const std::size_t every = (all.size() + most_samples_of_case - 1) / most_samples_of_case;
  std::vector<double> kept;
  for (std::size_t i = 0; i < all.size(); i += every) kept.push_back(all[i]);
  return kept;
}

CaseRecord case_of(const ForeignCase& from, const std::string& format, bool cold,
                   const Where& where) {
  CaseRecord one;
  one.workload = from.program;
  one.backend = format;
  one.variant = from.name;
  one.dtype = Dtype::unknown;
  one.threads = from.threads;
  one.cache = cold ? CacheMode::cold : CacheMode::hot;
  one.memory_bound = false;
  const bool zeros = std::count(from.seconds.begin(), from.seconds.end(), 0.0) > 0;
  if (from.seconds.empty() || zeros || !from.no_time.empty()) {
    one.status = Status::skipped;
    one.reason = !from.no_time.empty() ? Reason(from.no_time)
                 : zeros               ? Reason("some of its times are 0 s")
                                       : said<reasons::no_time_in_file>();
    return one;
  }
  require_positive(from.seconds, where);
  one.status = Status::measured;
  one.seconds.emplace().samples = thinned(from.seconds);
  one.rounds = one.seconds->samples.size();
  put_figures(*one.seconds);
  const double at_this_rate = from.bytes_per_second.value_or(0) * one.seconds->median;
  const double bytes = std::round(from.bytes.value_or(at_this_rate));
  if (bytes >= 1 && bytes < 1e18) {
    one.memory_bound = true;
    one.share_of[plain_reference];  // there is none
    one.bytes = static_cast<std::size_t>(bytes);
    one.gb_per_s = bytes / one.seconds->median / 1e9;
  }
  return one;
}

/// A second command of the same name gets a number. `names`: how many there are of each.
void name_apart(CaseRecord& one, std::map<std::string, int>& names) {
  const std::string variant = one.variant;
  one.name = one.name_with({});
  int& all = names[one.name];
  if (++all == 1) return;
  for (bool is_new = false; !is_new; all += is_new ? 0 : 1) {
    one.variant = fmt::format("{} ({})", variant, all);
    one.name = one.name_with({});
    is_new = names.try_emplace(one.name, 1).second;
  }
}

Context context_of(const ForeignRun& from, const std::string& format) {
  Context context;
  const std::string started = is_time(from.started) ? from.started : "";
  context.engine = {
      {"date", started}, {"num_cpus", from.logical_cpus.value_or(0)}, {"json_schema_version", 1}};
  RunRecord& run = context.run;
  run.node = from.node;
  run.started = started;
  run.imported = format;
  run.finished = true;
  run.argv = from.argv;
  run.threads = run.threads_measured = 1;
  run.max_samples = 1;
  run.cache = from.cold ? CacheMode::cold : CacheMode::hot;
  for (const std::string& warning : from.warnings) run.warnings.emplace_back(warning);
  context.build.revision = from.revision;
  context.build.compiler = from.compiler;
  Machine& machine = context.machine;
  const auto known = [](const std::string& text) { return text.empty() ? Text() : Text(text); };
  machine.node = known(from.node);
  machine.os = known(from.os);
  machine.cpu_model = known(from.cpu_model);
  machine.logical_cpus = from.logical_cpus;
  const std::set<std::string> gpus(from.gpus.begin(), from.gpus.end());
  if (gpus.size() == 1) machine.gpu.emplace().name = *gpus.begin();
  return context;
}

}  // namespace

Document document_of(const Imported& imported) {
  const auto& [format, from] = imported;
  Document document;
  document.context = context_of(from, format);
  const Where root;
  const Where cases(root, "benchmarks");
  if (from.cases.empty()) throw Misfit(cases, "is empty");
  std::map<std::string, int> names;
  RunRecord& run = document.context.run;
  for (const ForeignCase& found : from.cases) {
    CaseRecord& one =
        document.cases.emplace_back(case_of(found, format, from.cold, Where(cases, found.name)));
    name_apart(one, names);
    if (one.rounds && found.seconds.size() > most_samples_of_case) {
      run.warnings.push_back(
          said<reasons::samples_left_out>(one.name, *one.rounds, found.seconds.size()));
    }
    run.max_samples = std::max(run.max_samples, one.rounds.value_or(0));
    run.threads = run.threads_measured = std::max(run.threads, one.threads.value_or(0));
  }
  return document;
}

}  // namespace bench

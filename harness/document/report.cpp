#include "harness/document/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/base/json.hpp"
#include "harness/base/reasons.hpp"
#include "harness/document/crossovers.hpp"
#include "harness/document/doctor.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/record.hpp"
#include "harness/node/job.hpp"

namespace bench {
namespace {

/// What a continued run keeps from the run that was interrupted.
void take_over(RunRecord& run, const Document& earlier) {
  const RunRecord& before = earlier.context.run;
  std::vector<ResumeRecord> parts = before.resumed.value_or(std::vector<ResumeRecord>{});
  parts.push_back({utc_now(), before.ended_by});
  run.resumed = std::move(parts);
  run.started = before.started;
  run.argv = before.argv;
  run.input_hash = before.input_hash;
  std::vector<Reason> known = sample_warnings(earlier);  // those of all cases come at the end
  known.insert(known.end(), run.warnings.begin(), run.warnings.end());
  for (const Reason& warning : before.warnings) {
    if (std::find(known.begin(), known.end(), warning) != known.end()) continue;
    const bool of_earlier = warning.is(reasons::before_interruption);
    add_once(run.warnings, of_earlier ? warning : said<reasons::before_interruption>(warning));
  }
}

/// Where more than a fifth of the samples of some case were disturbed; `disturbed` says how many of
/// a case were.
template <const ReasonText& text, class F, class... Remedy>
std::optional<Reason> sample_warning(const Document& document, F disturbed,
                                     const Remedy&... remedy) {
  std::size_t all = 0;
  std::size_t cases = 0;
  const CaseRecord* worst = nullptr;
  double worst_share = disturbed_share;
  for (const CaseRecord& one : document.cases) {
    const std::optional<std::size_t> samples = one.measured() ? disturbed(one) : std::nullopt;
    if (!samples) continue;
    ++all;
    const double share = static_cast<double>(*samples) / static_cast<double>(*one.rounds);
    if (share > disturbed_share) ++cases;
    if (share <= worst_share) continue;
    worst = &one;
    worst_share = share;
  }
  if (worst == nullptr) return {};
  const Reason name = fmt::format("{}/{}", worst->workload, worst->rung());
  return said<text>(
      cases, all,
      worst->beside ? said<reasons::measured_with>(name, worst->beside->workload) : name,
      *disturbed(*worst), *worst->rounds, remedy...);
}

}  // namespace

void add_once(std::vector<Reason>& warnings, const Reason& warning) {
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
    warnings.push_back(warning);
  }
}

std::vector<Reason> sample_warnings(const Document& document) {
  std::vector<Reason> warnings;
  for (const auto& warning :
       {sample_warning<reasons::waited_samples_warning>(
            document, [](const CaseRecord& one) { return one.seconds->preempted; },
            how_to_be_alone(document.context)),
        sample_warning<reasons::throttled_samples_warning>(document, [](const CaseRecord& one) {
          return one.gpu ? one.gpu->throttled_samples : std::nullopt;
        })}) {
    if (warning) warnings.push_back(*warning);
  }
  return warnings;
}

std::filesystem::path numbered(const std::filesystem::path& path, int number) {
  std::filesystem::path other = path;
  other.replace_filename(
      fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string()));
  return other;
}

std::string exists_already(const std::filesystem::path& path, std::string_view option) {
  std::error_code none;
  const bool file = std::filesystem::is_regular_file(path, none);
  return fmt::format("{} exists already{}: choose another {}{}", path.string(),
                     file ? "" : ", and is not a file", option, file ? " or remove it" : "");
}

WriteLock create_document(std::filesystem::path& path, const std::string& text, bool may_rename) {
  const std::filesystem::path wanted = path;
  for (int attempt = 2; true; ++attempt) {
    if (auto lock = create_file(path, text)) return std::move(*lock);
    if (!may_rename) throw std::runtime_error(exists_already(path));
    path = numbered(wanted, attempt);
  }
}

WriteLock lock_document(const std::filesystem::path& path) {
  if (auto lock = lock_file(path)) return std::move(*lock);
  throw std::runtime_error(
      fmt::format("{} is being written by another run: wait for its end", path.string()));
}

Report::Report(Context context, std::filesystem::path path)
    : document_{std::move(context), {}, {}, {}}, path_(std::move(path)) {}

void Report::create(bool may_rename) {
  const std::lock_guard lock(mutex_);
  if (!path_.empty()) lock_ = create_document(path_, text(), may_rename);
}

void Report::go_on(WriteLock of_file, const Document& earlier, std::size_t groups) {
  const std::lock_guard lock(mutex_);
  lock_ = std::move(of_file);
  take_over(document_.context.run, earlier);
  document_.cases = earlier.cases;
  document_.scaling = earlier.scaling;
  document_.crossovers = earlier.crossovers;
  earlier_seconds_ = earlier.context.run.duration_s.value_or(0);
  earlier_phases_ = earlier.context.run.phases_s.value_or(Seconds{});
  groups_ = groups;
  write_locked();
}

void Report::keep(WriteLock of_file, const Document& whole, std::size_t groups) {
  const std::lock_guard lock(mutex_);
  lock_ = std::move(of_file);
  document_ = whole;
  groups_ = groups;
  concluded_ = true;
}

void Report::add(const Group& group) {
  const std::lock_guard lock(mutex_);
  record(document_, group);
  document_.crossovers = crossovers(document_.cases);
  if (!group.input_hash.empty()) {
    const std::string which = fmt::format("{}/{}", name_of(group.dtype), group.size);
    document_.context.run.input_hash[group.workload][which] = group.input_hash;
  }
  // One whose rounds a signal has ended is measured again where the run is continued.
  const bool whole = std::none_of(group.cases.begin(), group.cases.end(),
                                  [](const Case& one) { return one.timing.stop == Stop::signal; });
  if (whole) ++groups_;
  note_duration();
  write_locked();
}

void Report::replace(const Document& measured) {
  const std::lock_guard lock(mutex_);
  const RunRecord begun = std::exchange(document_, measured).context.run;
  document_.context.run.resumed = begun.resumed;
  document_.context.run.started = begun.started;
  ++groups_;
  note_duration();
  write_locked();
}

bool Report::finish(const std::string& ended_by) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(concluded_, true)) return false;
  RunRecord& run = document_.context.run;
  for (const Reason& warning : sample_warnings(document_)) add_once(run.warnings, warning);
  run.finished = ended_by.empty();
  run.ended_by = ended_by.empty() ? std::nullopt : std::optional(ended_by);
  note_duration();
  write_locked();
  return true;
}

void Report::move_to(const std::filesystem::path& folder) {
  {
    const std::lock_guard lock(mutex_);
    path_ = folder / path_.filename();
  }
  create(true);
}

void Report::note_duration() {
  document_.context.run.duration_s = earlier_seconds_ + since_begin_.seconds();
  Seconds all = earlier_phases_;
  for (const auto& [phase, seconds] : seconds_of_phases()) all[phase] += seconds;
  document_.context.run.phases_s = std::move(all);
}

Document Report::document() const {
  const std::lock_guard lock(mutex_);
  return document_;
}

std::filesystem::path Report::path() const {
  const std::lock_guard lock(mutex_);
  return path_;
}

std::size_t Report::groups() const {
  const std::lock_guard lock(mutex_);
  return groups_;
}

std::string Report::text() const { return serialised(written(document_)) + "\n"; }

void Report::write_locked() {
  if (!path_.empty()) lock_ = replace_file(path_, {text()});
}

}  // namespace bench

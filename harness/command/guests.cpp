#include "harness/command/guests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/command/progress.hpp"
#include "harness/command/python.hpp"
#include "harness/command/streams.hpp"
#include "harness/guests/sandbox.hpp"
#include "harness/guests/source.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/text_file.hpp"
#include "harness/plan/filters.hpp"
#include "harness/plan/sizes.hpp"

namespace bench {
namespace {

/// The arrays of a group that user kernels share, and of its two small problems: more than any
/// workload has.
constexpr std::size_t most_arrays = 32;

std::vector<std::string> files_of_peers() {
  const std::filesystem::path folder = python_package() / "peers";
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("guest_") && name.ends_with(".py")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw UsageError(fmt::format("--peers: none are in {}", folder.string()));
  return files;
}

/// A file of which nothing would be in a table would have been forgotten.
void require_measured(const std::vector<GuestVariant>& variants, const Settings& settings) {
  const auto& filters = settings.filters;
  const auto named = [&](const GuestVariant& one) {
    return filters.empty() ||
           std::any_of(filters.begin(), filters.end(), [&](const std::string& filter) {
             return matches(filter.substr(0, filter.find('/')), one.workload);
           });
  };
  std::map<std::string, std::set<std::string>> idle;  // workloads of a file
  for (const GuestVariant& one : variants) idle[one.file.path].insert(one.workload);
  for (const GuestVariant& one : variants) {
    if (named(one)) idle.erase(one.file.path);
  }
  for (const auto& [file, workloads] : idle) {
    throw UsageError(
        fmt::format("--with {}: computes {}, which is not among what is to be measured", file,
                    fmt::join(workloads, ", ")));
  }
}

/// The workload that all filters name; empty where they name several or none.
std::string only_workload(const std::vector<std::string>& filters, const Suite& suite) {
  std::set<std::string> names;
  for (const std::string& filter : filters) names.insert(filter.substr(0, filter.find('/')));
  const bool one = names.size() == 1 && workload_named(suite.workloads, *names.begin());
  return one ? *names.begin() : "";
}

/// Before the built-in variants are measured; of a class it is one student's fault.
void require_files(const std::vector<std::string>& files) {
  std::error_code none;
  for (const std::string& file : files) {
    if (std::filesystem::exists(file, none)) continue;
    throw UsageError(fmt::format("--with {}: No such file or directory", file));
  }
}

/// Arrays that user kernels see are files.
void require_large_files() {
  constexpr rlim_t least = rlim_t{16} << 20U;
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= least) return;
  throw UsageError(
      fmt::format("files may have {} kB at most (ulimit -f): user kernels need more, for their "
                  "arrays; raise it (ulimit -f unlimited)",
                  limit.rlim_cur / 1024));
}

/// They are measured with every workload; what is too slow for its size has one of its
/// own.
void add_peers(Settings& settings, const Suite& suite, guests::Means means) {
  means.peers = true;
  means.workload.clear();  // no user has named these files
  const std::vector<std::string> files = files_of_peers();
  const guests::Guests invited = guests::invite(files, suite, means);
  // Without Python all of them say the same, and no user has named one of these files.
  if (invited.variants.empty()) {
    const std::string& said = invited.complaints.front();
    const std::string file = files.front() + ": ";
    throw UsageError(said.substr(said.starts_with(file) ? file.size() : 0));
  }
  for (const std::string& complaint : invited.complaints) complain(complaint);
  std::vector<GuestVariant> peers = invited.variants;
  // Filters that name some of them choose; others name built-in variants only.
  const auto named = [&](const GuestVariant& one) { return selected(settings, path_of(one)); };
  if (std::any_of(peers.begin(), peers.end(), named)) {
    std::erase_if(peers, [&](const GuestVariant& one) { return !named(one); });
  }
  // Pure Python would take minutes for what is large enough for the others.
  std::size_t least = 0;
  for (const GuestVariant& one : peers) {
    if (one.most_elements > 0 && (least == 0 || one.most_elements < least)) {
      least = one.most_elements;
    }
  }
  auto& all = settings.guest_variants;
  all.insert(all.end(), peers.begin(), peers.end());
  const bool chosen = settings.sizes != Selection().sizes || settings.inputs;
  const bool waits = settings.most_elements > least;
  if (!chosen && !waits && least > 0) settings.sizes.push_back(std::to_string(least));
}

}  // namespace

bool invite_guests(Settings& settings, const Suite& suite, bool only_theirs, bool tells) {
  if (settings.guests.empty() && !settings.peers) return true;
  require_sizes(suite.workloads, settings);
  require_large_files();
  if (!settings.graded && !only_theirs) require_files(settings.guests);
  guests::Means means;
  means.threads = settings.threads.empty() ? settings.job_threads : settings.threads.back();
  if (settings.gpu_number) means.gpu = static_cast<int>(*settings.gpu_number);
  means.cpus = allowed_cpus();
  means.memory = [allowance = settings.memory_allowance]() -> std::optional<std::size_t> {
    const auto allowed = allowance ? allowance() : std::nullopt;
    if (!allowed) return {};
    // In addition to what this program has: a host of shared objects is another of it.
    const Text status = text_in("/proc/self/status");
    return allowed->bytes + bytes(field(status, "VmData")).value_or(0);
  };
  means.patience = settings.patience;
  means.graded = settings.graded;
  means.workload = only_workload(settings.filters, suite);
  means.sizes = settings.sizes;
  means.bins = settings.bins;
  if (settings.graded) settings.forbidden_to_guests = guests::forbidden_to_guests();
  means.arrays = std::make_shared<ArrayFiles>(most_arrays);
  guests::Guests all;
  {
    ProgressLine line(tells, std::vector<double>(settings.guests.size(), 1));
    means.looks_at = [&line](const std::string& name) {
      line.next_group();
      line.show("checking " + name, 0);
    };
    all = guests::invite(settings.guests, suite, means);
    means.looks_at = nullptr;
  }
  for (const std::string& complaint : all.complaints) complain(complaint);
  const bool none = all.variants.empty() || all.refused == settings.guests.size();
  if (none && !settings.peers) {
    if (!settings.graded || all.variants.empty()) {
      throw UsageError("none of these files can be measured");
    }
    // A grader reads the reason in the result file; nobody needs the times of others.
    settings.filters.clear();
    for (const GuestVariant& one : all.variants) settings.filters.push_back(path_of(one));
    only_theirs = false;
  }
  if (only_theirs) {
    std::set<std::string> workloads;
    for (const GuestVariant& one : all.variants) workloads.insert(one.workload);
    settings.filters = {workloads.begin(), workloads.end()};
  }
  if (!settings.peers) {
    require_known_filters(suite.workloads, settings, settings.absent, all.variants);
  }
  require_measured(all.variants, settings);
  settings.guest_variants = std::move(all.variants);
  if (settings.peers) add_peers(settings, suite, std::move(means));
  return all.complaints.empty();
}

}  // namespace bench

#include "harness/command/guests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "harness/base/error.hpp"
#include "harness/command/next_step.hpp"
#include "harness/command/streams.hpp"
#include "harness/guests/source.hpp"
#include "harness/measure/filters.hpp"
#include "harness/node/cpus.hpp"

namespace bench {
namespace {

/// The files of the peers, beside this program.
std::vector<std::string> files_of_peers() {
  const std::filesystem::path folder = scripts_folder() / "peers";
  std::vector<std::string> files;
  for (const char* const name : {"guest_python.py", "guest_numpy.py", "guest_numba.py"}) {
    if (std::filesystem::exists(folder / name)) files.push_back((folder / name).string());
  }
  if (files.empty()) throw UsageError(fmt::format("--peers: none are in {}", folder.string()));
  return files;
}

/// A guest that would be in no table would have been forgotten.
void require_measured(const GuestVariant& one, const Settings& settings) {
  const auto& filters = settings.filters;
  const bool named = filters.empty() ||
                     std::any_of(filters.begin(), filters.end(), [&](const std::string& filter) {
                       return matches(filter.substr(0, filter.find('/')), one.workload);
                     });
  if (!named) {
    throw UsageError(
        fmt::format("--with {}: computes {}, which is not among what is to be measured",
                    one.file.path, one.workload));
  }
}

/// Whatever workload is measured, they are beside it; what is too slow for its size has one of its
/// own.
void add_peers(Settings& settings, const Suite& suite, const guests::Means& means) {
  const guests::Guests peers = guests::invite(files_of_peers(), suite, means);
  for (const std::string& complaint : peers.complaints) complain(complaint);
  auto& all = settings.guest_variants;
  all.insert(all.end(), peers.variants.begin(), peers.variants.end());
  // Pure Python would take minutes for what is large enough for the others.
  std::size_t least = 0;
  for (const GuestVariant& one : peers.variants) {
    if (one.most_elements > 0 && (least == 0 || one.most_elements < least)) {
      least = one.most_elements;
    }
  }
  const bool chosen = settings.sizes != Selection().sizes || settings.inputs;
  if (!chosen && least > 0) settings.sizes.push_back(std::to_string(least));
}

}  // namespace

bool invite_guests(Settings& settings, const Suite& suite, bool only_theirs) {
  if (settings.guests.empty() && !settings.peers) return true;
  guests::Means means;
  means.threads = settings.threads.empty() ? settings.job_threads : settings.threads.back();
  means.cpus = allowed_cpus();
  means.memory = [allowance = settings.memory_allowance]() -> std::optional<std::size_t> {
    const auto allowed = allowance ? allowance() : std::nullopt;
    return allowed ? std::optional(allowed->bytes) : std::nullopt;
  };
  means.patience = settings.patience;
  means.graded = settings.graded;
  guests::Guests all = guests::invite(settings.guests, suite, means);
  for (const std::string& complaint : all.complaints) complain(complaint);
  if (all.variants.empty() && !settings.peers) {
    throw UsageError("none of these files can be measured");
  }
  if (only_theirs) {
    std::set<std::string> workloads;
    for (const GuestVariant& one : all.variants) workloads.insert(one.workload);
    settings.filters = {workloads.begin(), workloads.end()};
  }
  for (const GuestVariant& one : all.variants) require_measured(one, settings);
  settings.guest_variants = std::move(all.variants);
  if (settings.peers) add_peers(settings, suite, means);
  return all.complaints.empty();
}

}  // namespace bench

#include "harness/plan/filters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/base/suggest.hpp"

namespace bench {
namespace {

std::string path_of(std::string_view workload, const BoundVariant& rung) {
  return fmt::format("{}/{}/{}", workload, rung.backend, rung.variant);
}

/// The row that stands for all variants of a backend where none was compiled.
std::string path_of_all(std::string_view workload, std::string_view backend) {
  return fmt::format("{}/{}/*", workload, backend);
}

/// What is the same at every size, from the smallest problem.
std::vector<BoundVariant> rungs_of(const Workload& workload, simd::Isa isa) {
  return workload.make(workload.dtypes.front(), workload.tiny)->rungs(isa);
}

/// Every path that a filter can select.
std::vector<std::string> all_paths(std::span<const Workload* const> registry,
                                   const std::vector<const Backend*>& absent) {
  std::vector<std::string> paths;
  for (const Workload* workload : registry) {
    for (const BoundVariant& rung : rungs_of(*workload, simd::Isa::baseline)) {
      paths.push_back(path_of(workload->name, rung));
    }
    paths.push_back(path_of_all(workload->name, backends::cuda.name));
    for (const Backend* const one : absent) {
      paths.push_back(path_of_all(workload->name, one->name));
    }
  }
  return paths;
}

/// Each once.
std::vector<std::string> backends_of(const std::vector<std::string>& paths) {
  std::vector<std::string> backends;
  for (const std::string& path : paths) {
    const std::size_t slash = path.find('/') + 1;
    const std::string backend = path.substr(slash, path.rfind('/') - slash);
    if (std::find(backends.begin(), backends.end(), backend) == backends.end()) {
      backends.push_back(backend);
    }
  }
  return backends;
}

}  // namespace

std::string path_of(const GuestVariant& guest) {
  return fmt::format("{}/{}/{}", guest.workload, guest.backend, guest.variant);
}

bool matches(const std::string& filter, const std::string& path) {
  return fnmatch(filter.c_str(), path.c_str(), 0) == 0 ||
         fnmatch((filter + "/*").c_str(), path.c_str(), 0) == 0;
}

bool selected(const Selection& selection, const std::string& path) {
  const auto any = [&](const std::vector<std::string>& globs, const char* before) {
    return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
             return matches(before + glob, path);
           });
  };
  return any(selection.filters, "") && any(selection.backends, "*/");
}

bool selected(const Selection& selection, const Workload& workload, const BoundVariant& rung) {
  return selected(selection, path_of(workload.name, rung));
}

bool asked_for(const Selection& selection, const Workload& workload, const Backend& absent) {
  constexpr const char* no_backend = "-";
  return selected(selection, path_of_all(workload.name, absent.name)) &&
         !selected(selection, path_of_all(workload.name, no_backend));
}

bool any_selected(const Planning& settings, const Workload& workload, std::optional<RunsOn> where) {
  if (!settings.with_cuda && selected(settings, path_of_all(workload.name, backends::cuda.name))) {
    return true;
  }
  const bool absent =
      std::any_of(settings.absent.begin(), settings.absent.end(), [&](const Backend* one) {
        return (!where || one->runs_on == *where) && asked_for(settings, workload, *one);
      });
  if (absent) return true;
  const auto& guests = settings.guest_variants;
  const bool guest = std::any_of(guests.begin(), guests.end(), [&](const GuestVariant& one) {
    return one.workload == workload.name && selected(settings, path_of(one));
  });
  if (guest && !where) return true;
  const std::vector<BoundVariant> rungs = rungs_of(workload, settings.isa);
  return std::any_of(rungs.begin(), rungs.end(), [&](const BoundVariant& rung) {
    return (!where || runs_on(rung.backend, *where)) && selected(settings, workload, rung);
  });
}

void require_known_filters(std::span<const Workload* const> registry, const Selection& selection,
                           const std::vector<const Backend*>& absent,
                           const std::vector<GuestVariant>& guests) {
  std::vector<std::string> paths = all_paths(registry, absent);
  for (const GuestVariant& guest : guests) paths.push_back(path_of(guest));
  Selection only_backends;
  only_backends.backends = selection.backends;
  std::erase_if(paths, [&](const std::string& path) { return !selected(only_backends, path); });
  for (const std::string& filter : selection.filters) {
    const bool known = std::any_of(paths.begin(), paths.end(),
                                   [&](const std::string& path) { return matches(filter, path); });
    if (known) continue;
    std::vector<std::string> names;  // those of most variants first
    for (const Workload* workload : registry) names.emplace_back(workload->name);
    for (const std::string& path : paths) names.push_back(path.substr(0, path.rfind('/')));
    names.insert(names.end(), paths.begin(), paths.end());
    const std::string backend = called_here(filter, backends_of(paths));
    if (!backend.empty()) {
      throw UnknownFilter(
          fmt::format("'{}' is a backend, not a workload: use --backend {}", filter, backend),
          filter, {});
    }
    const std::string near = nearest(filter, names);
    throw UnknownFilter(
        fmt::format("no variant matches '{}'{}{}; 'bench list' shows all", filter,
                    selection.backends.empty()
                        ? ""
                        : fmt::format(" with --backend {}", fmt::join(selection.backends, ",")),
                    near.empty() ? "" : fmt::format(" (nearest name: {})", near)),
        filter, names);
  }
}

}  // namespace bench

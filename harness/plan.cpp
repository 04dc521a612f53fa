#include "harness/plan.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/suggest.hpp"

namespace bench {
namespace {

constexpr const char* baseline_backend = "serial";
constexpr const char* baseline_variant = "naive";
constexpr const char* no_cuda = "built without CUDA";

std::string path_of(std::string_view workload, const Rung& rung) {
  return fmt::format("{}/{}/{}", workload, rung.backend, rung.variant);
}

bool selected(const Settings& settings, const std::string& path) {
  return settings.filters.empty() ||
         std::any_of(settings.filters.begin(), settings.filters.end(),
                     [&](const std::string& filter) { return matches(filter, path); });
}

/// The row that stands for all CUDA variants of a workload where none was compiled.
std::string cuda_path(std::string_view workload) { return fmt::format("{}/cuda/*", workload); }

/// A filter for one CUDA variant selects that row too.
bool cuda_selected(const Settings& settings, const std::string& row) {
  return selected(settings, row) ||
         std::any_of(settings.filters.begin(), settings.filters.end(),
                     [&](const std::string& filter) { return matches(row, filter); });
}

/// Every path that a filter can select, from each workload's smallest problem.
std::vector<std::string> all_paths(std::span<const Workload* const> registry, simd::Isa isa) {
  std::vector<std::string> paths;
  for (const Workload* workload : registry) {
    for (const Rung& rung : workload->make(Dtype::f32, workload->tiny)->rungs(isa)) {
      paths.push_back(path_of(workload->name, rung));
    }
    paths.push_back(cuda_path(workload->name));
  }
  return paths;
}

void require_known_filters(std::span<const Workload* const> registry, const Settings& settings) {
  const std::vector<std::string> paths = all_paths(registry, settings.isa);
  for (const std::string& filter : settings.filters) {
    const bool known = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
      return matches(filter, path) || (path.ends_with("/*") && matches(path, filter));
    });
    if (known) continue;
    std::vector<std::string> names = paths;
    for (const Workload* workload : registry) names.emplace_back(workload->name);
    const std::string near = nearest(filter, names);
    throw std::invalid_argument(
        fmt::format("no variant matches '{}'{}; 'bench list' shows all", filter,
                    near.empty() ? "" : fmt::format(" (nearest name: {})", near)));
  }
}

/// The part of a name that says what the user set away from its default, sorted by parameter.
std::string suffix(const Settings& settings, const std::map<std::string, std::string>& more) {
  std::map<std::string, std::string> parameters = more;
  if (settings.cache == CacheMode::hot) parameters["cache"] = "hot";
  if (settings.isa_given) parameters["isa"] = simd::name(settings.isa);
  if (settings.seed != Settings::default_seed) parameters["seed"] = std::to_string(settings.seed);
  std::string text;
  for (const auto& [key, value] : parameters) text += fmt::format(",{}={}", key, value);
  return text;
}

/// The thread counts that a backend is measured with.
std::vector<int> thread_counts(const Settings& settings, const std::string& backend) {
  if (backend == baseline_backend) return {1};
  if (settings.threads.empty()) return {settings.job_threads};
  return settings.threads;
}

/// Builds one group, case by case.
class GroupBuilder {
 public:
  GroupBuilder(const Workload& workload, const Workload& yardstick, Dtype dtype, const Shape& shape,
               const Settings& settings)
      : workload_(workload), yardstick_(yardstick), settings_(settings) {
    group_.workload = workload.name;
    group_.dtype = name(dtype);
    group_.size = label(workload.form, shape);
    group_.problem = workload.make(dtype, shape);
    if (&workload != &yardstick) {
      group_.yardstick = yardstick.make(dtype, {.cols = yardstick_elements()});
    }
  }

  PlannedGroup build() {
    const std::vector<Rung> rungs = group_.problem->rungs(settings_.isa);
    std::set<std::string> backends{baseline_backend};
    for (const Rung& rung : rungs) {
      if (selected(settings_, path_of(workload_.name, rung))) backends.insert(rung.backend);
    }
    for (const Rung& rung : rungs) {
      const bool wanted = selected(settings_, path_of(workload_.name, rung));
      const bool baseline = rung.backend == baseline_backend && rung.variant == baseline_variant;
      const bool yardstick = !group_.yardstick && backends.contains(rung.backend);
      if (!wanted && !baseline && !yardstick) continue;
      add(rung, *group_.problem, group_.workload, group_.size, !wanted, {});
    }
    if (cuda_selected(settings_, cuda_path(workload_.name))) add_cuda_row();
    if (group_.yardstick) add_yardstick(backends);
    return std::move(group_);
  }

 private:
  /// As many as the group's first input has, or half of them where the yardstick's output does not
  /// fit into the group's own: both ways it uses memory of the same cache level as the workload.
  std::size_t yardstick_elements() const {
    const Extent& input = group_.problem->inputs.front();
    const bool fits = group_.problem->output.bytes() >= input.bytes();
    return fits ? input.count : input.count / 2;
  }

  void add_yardstick(const std::set<std::string>& backends) {
    const std::string size = label(yardstick_.form, {.cols = yardstick_elements()});
    for (const Rung& rung : group_.yardstick->rungs(settings_.isa)) {
      if (!backends.contains(rung.backend)) continue;
      // With the group's size: shapes that differ may hold equally many elements.
      add(rung, *group_.yardstick, yardstick_.name, size, true,
          {{"beside", fmt::format("{}:{}", group_.workload, group_.size)}});
    }
  }

  void add(const Rung& rung, const Problem& problem, const std::string& workload,
           const std::string& size, bool reference,
           const std::map<std::string, std::string>& parameters) {
    for (const int threads : thread_counts(settings_, rung.backend)) {
      auto all = parameters;
      if (threads != settings_.job_threads && rung.backend != baseline_backend) {
        all["threads"] = std::to_string(threads);
      }
      PlannedCase planned;
      planned.identity = identity(workload, rung, size, all);
      planned.identity.reference = reference;
      planned.identity.yardstick = workload == yardstick_.name;
      planned.identity.threads = threads;
      planned.identity.bytes = problem.bytes;
      planned.identity.flops = problem.flops;
      planned.identity.footprint = problem.footprint();
      planned.beside = &problem != group_.problem.get();
      planned.run = rung.run;
      group_.cases.push_back(std::move(planned));
    }
  }

  void add_cuda_row() {
    PlannedCase planned;
    planned.identity =
        identity(group_.workload, {"cuda", "*", "every CUDA variant", {}}, group_.size, {});
    planned.identity.threads = 0;
    planned.identity.isa.clear();
    planned.identity.status = "skipped";
    planned.identity.reason = no_cuda;
    planned.identity.bytes = group_.problem->bytes;
    planned.identity.flops = group_.problem->flops;
    planned.identity.footprint = group_.problem->footprint();
    group_.cases.push_back(std::move(planned));
  }

  Case identity(const std::string& workload, const Rung& rung, const std::string& size,
                const std::map<std::string, std::string>& parameters) const {
    Case identity;
    identity.workload = workload;
    identity.backend = rung.backend;
    identity.variant = rung.variant;
    identity.idea = rung.idea;
    identity.dtype = group_.dtype;
    identity.size = size;
    identity.isa = simd::name(settings_.isa);
    identity.cache = settings_.cache == CacheMode::cold ? "cold" : "hot";
    identity.name = fmt::format("{}/{}/{}/{}/{}/{}{}", workload, rung.backend, rung.variant,
                                group_.dtype, size, identity.scope, suffix(settings_, parameters));
    return identity;
  }

  const Workload& workload_;
  const Workload& yardstick_;
  const Settings& settings_;
  PlannedGroup group_;
};

void require_size(const Workload& workload, const std::string& size) {
  try {
    parse_size(workload, size);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(
        fmt::format("--size: {} (tiny, default, course, N or RxC)", error.what()));
  }
}

/// The sizes of one workload without repetition: two names may mean the same shape.
std::vector<Shape> shapes(const Workload& workload, const Settings& settings) {
  std::vector<Shape> all;
  std::vector<std::size_t> bins = settings.bins;
  if (bins.empty() || workload.form != Form::binned) bins = {0};
  for (const std::string& size : settings.sizes) {
    require_size(workload, size);
    for (const std::size_t count : bins) {
      const Shape shape = parse_size(workload, size, count);
      if (std::find(all.begin(), all.end(), shape) == all.end()) all.push_back(shape);
    }
  }
  return all;
}

bool workload_selected(const Workload& workload, const Settings& settings) {
  if (cuda_selected(settings, cuda_path(workload.name))) return true;
  const auto rungs = workload.make(Dtype::f32, workload.tiny)->rungs(settings.isa);
  return std::any_of(rungs.begin(), rungs.end(), [&](const Rung& rung) {
    return selected(settings, path_of(workload.name, rung));
  });
}

}  // namespace

bool matches(const std::string& filter, const std::string& path) {
  return fnmatch(filter.c_str(), path.c_str(), 0) == 0 ||
         fnmatch((filter + "/*").c_str(), path.c_str(), 0) == 0;
}

std::vector<PlannedGroup> plan(std::span<const Workload* const> registry,
                               const Settings& settings) {
  require_known_filters(registry, settings);
  std::vector<PlannedGroup> groups;
  for (const Workload* workload : registry) {
    if (!workload_selected(*workload, settings)) continue;
    for (const Dtype dtype : settings.dtypes) {
      for (const Shape& shape : shapes(*workload, settings)) {
        groups.push_back(
            GroupBuilder(*workload, *registry.front(), dtype, shape, settings).build());
      }
    }
  }
  return groups;
}

}  // namespace bench

#include "harness/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/base/reasons.hpp"
#include "harness/plan/filters.hpp"
#include "harness/plan/input_files.hpp"
#include "harness/plan/sizes.hpp"

namespace bench {
namespace {

constexpr const Backend& baseline_backend = backends::serial;
constexpr const char* baseline_variant = "naive";

bool on_device(std::string_view backend) { return runs_on(backend, RunsOn::device); }

std::string backend_of(RunsOn where) {
  const bool device = where == RunsOn::device;
  return std::string((device ? *backends::of_cuda_files : backend_on(where)).name);
}

/// How a case is run: CPU threads, or the user's choice for a launch.
struct Way {
  int threads = 0;
  cuda::Overrides launch{};
};

/// What the user set away from its default.
Parameters common_parameters(const Planning& settings, const std::string& backend,
                             const cuda::Overrides& launch) {
  Parameters parameters;
  if (settings.inputs) parameters["input"] = settings.inputs->label();
  if (settings.cache == CacheMode::hot) parameters["cache"] = "hot";
  if (settings.isa_given && !on_device(backend)) parameters["isa"] = name_of(settings.isa);
  if (settings.seed != Planning::default_seed) parameters["seed"] = std::to_string(settings.seed);
  if (on_device(backend) || !settings.on_gpu) {
    parameters.insert(settings.of_part.begin(), settings.of_part.end());
  }
  if (launch.block > 0) parameters["block"] = std::to_string(launch.block);
  if (launch.grid > 0) parameters["grid"] = std::to_string(launch.grid);
  return parameters;
}

/// The thread counts that a backend is measured with.
std::vector<int> thread_counts(const Planning& settings, const std::string& backend) {
  if (runs_on(backend, RunsOn::one_thread)) return {1};
  if (on_device(backend)) return {0};
  if (settings.threads.empty()) return {settings.job_threads};
  return settings.threads;
}

std::vector<Way> ways_by_threads(const Planning& settings, const std::string& backend) {
  std::vector<Way> all;
  for (const int threads : thread_counts(settings, backend)) all.push_back({threads, {}});
  return all;
}

/// Every block with every grid that the user chose.
std::vector<Way> ways_by_launch(const Planning& settings) {
  constexpr unsigned own = 0;
  const auto or_own = [](const std::vector<unsigned>& chosen) {
    return chosen.empty() ? std::vector{own} : chosen;
  };
  std::vector<Way> all;
  for (const unsigned block : or_own(settings.blocks)) {
    for (const unsigned grid : or_own(settings.grids)) {
      all.push_back({0, {.block = block, .grid = grid}});
    }
  }
  return all;
}

/// The same with the user's choice for its launches.
std::function<void(const Arrays&)> with_launch(std::function<void(const Arrays&)> run,
                                               const cuda::Overrides& launch) {
  return [run = std::move(run), launch](const Arrays& arrays) {
    cuda::override_configuration(launch);
    run(arrays);
  };
}

bool offers(const GuestVariant& guest, Dtype dtype) {
  const auto& all = guest.dtypes;
  return all.empty() || std::find(all.begin(), all.end(), dtype) != all.end();
}

using BandwidthReferences = std::vector<const Workload*>;

/// A bandwidth reference on a problem's arrays: as many elements as the first input has, or half of
/// them where its output does not fit into the problem's own. Both ways it uses memory of the same
/// cache level as the problem.
std::shared_ptr<const Problem> beside(const Workload& reference, Dtype dtype,
                                      const Problem& problem) {
  const std::size_t count = problem.inputs.front().count;
  std::shared_ptr<const Problem> whole = reference.make(dtype, {.cols = count});
  if (whole->output.bytes() <= problem.output.bytes()) return whole;
  return reference.make(dtype, {.cols = count / 2});
}

std::vector<std::shared_ptr<const Problem>> beside(const BandwidthReferences& references,
                                                   Dtype dtype, const Problem& problem) {
  std::vector<std::shared_ptr<const Problem>> all;
  for (const Workload* reference : references) all.push_back(beside(*reference, dtype, problem));
  return all;
}

std::size_t scratch_bytes(const Problem& problem,
                          const std::vector<std::shared_ptr<const Problem>>& references) {
  std::size_t most = 0;
  for (const auto& reference : references) most = std::max(most, reference->output.bytes());
  return most > problem.output.bytes() ? most : 0;
}

bool computes_in(const Workload& workload, Dtype dtype) {
  return std::find(workload.dtypes.begin(), workload.dtypes.end(), dtype) != workload.dtypes.end();
}

/// Does what PlannedGroup::largest_within does, for sizes up to `shape`.
std::string largest_within(const Workload& workload, const BandwidthReferences& references,
                           Dtype dtype, const Shape& shape, std::size_t bytes) {
  const auto shape_of = [&](std::size_t n) { return square(workload.form, n, shape); };
  const auto fits = [&](std::size_t n) {
    const auto problem = workload.make(dtype, shape_of(n));
    const std::size_t scratch = scratch_bytes(*problem, beside(references, dtype, *problem));
    return problem->footprint() + scratch <= bytes;
  };
  std::size_t low = 0;
  std::size_t high =
      has_rows(workload.form)
          ? static_cast<std::size_t>(std::sqrt(static_cast<double>(shape.elements())))
          : shape.elements();
  if (!fits(low)) return "";
  while (low < high) {
    const std::size_t middle = low + (high - low + 1) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low > 0 ? label(workload.form, shape_of(low)) : "";
}

/// Builds one group, case by case.
class GroupBuilder {
 public:
  GroupBuilder(const Workload& workload, const Workload& first, Dtype dtype, const Shape& shape,
               const Planning& settings)
      : workload_(workload), first_(first), settings_(settings) {
    group_.problem = workload.make(dtype, shape);
    group_.definition = &workload;
    // A bandwidth reference works on the problem's inputs: where there are none, or where memory is
    // not what limits the work, no bandwidth reference either.
    const bool reads = workload.memory_bound && !group_.problem->inputs.empty();
    if (reads && &workload != &first) references_.push_back(&first);
    const Workload* const nearer = workload.nearer_reference;
    if (nearer != nullptr && nearer->arithmetic_reference) {
      arithmetic_ = nearer;
    } else if (reads && nearer != nullptr) {
      references_.push_back(nearer);
    }
    group_.inputs = settings.inputs;
    group_.largest_within = [&workload, all = references_, dtype, shape](std::size_t bytes) {
      return largest_within(workload, all, dtype, shape, bytes);
    };
    group_.workload = workload.name;
    group_.dtype = dtype;
    group_.size = label(workload.form, shape);
    shape_ = shape;
    group_.references = beside(references_, dtype, *group_.problem);
  }

  PlannedGroup build() {
    const std::vector<BoundVariant> rungs = group_.problem->rungs(settings_.isa);
    std::set<std::string> backends;
    if (!settings_.no_baseline) backends.emplace(baseline_backend.name);
    for (const BoundVariant& rung : rungs) {
      if (selected(settings_, workload_, rung)) backends.emplace(ladder_of(rung.backend));
    }
    // A user kernel is compared with what all threads reach, or the device.
    for (const GuestVariant& guest : settings_.guest_variants) {
      if (guest.workload != workload_.name || !guest.obstacle.empty()) continue;
      backends.insert(backend_of(guest.device ? RunsOn::device : RunsOn::all_threads));
    }
    const Subject own{workload_, shape_, nullptr};
    const auto wanted = [&](const BoundVariant& rung) {
      return selected(settings_, workload_, rung);
    };
    for (const Scope scope : {Scope::kernel, Scope::end_to_end}) {
      for (const BoundVariant& rung : rungs) {
        const bool baseline = !settings_.no_baseline && rung.backend == baseline_backend.name &&
                              rung.variant == baseline_variant;
        const bool bandwidth =
            &workload_ == &first_ && backends.contains(rung.backend) && fit_as_reference(rung);
        if (wanted(rung) || baseline || bandwidth) add(rung, scope, own, !wanted(rung));
      }
    }
    for (const GuestVariant& guest : settings_.guest_variants) {
      if (guest.workload == workload_.name) add_guest(guest, own);
    }
    other_memory_ = add_other_memory(rungs, own, wanted, false);
    if (!settings_.with_cuda && settings_.on_gpu &&
        any_selected(settings_, workload_, RunsOn::device)) {
      add_row_of_all(backends::cuda, said<reasons::built_without_cuda>());
    }
    for (const Backend* const absent : settings_.absent) {
      if (!asked_for(settings_, workload_, *absent)) continue;
      add_row_of_all(*absent, said<reasons::built_without>(std::string(absent->needs)));
    }
    for (std::size_t i = 0; i < references_.size(); ++i) {
      add_reference(*references_[i], group_.references[i], backends);
    }
    if (arithmetic_ != nullptr) add_arithmetic(*arithmetic_, backends);
    return std::move(group_);
  }

 private:
  /// What a case computes: the group's own problem, or that of a bandwidth reference measured with
  /// it.
  struct Subject {
    const Workload& workload;
    Shape shape;
    std::shared_ptr<const Problem> beside;  ///< null for the group's own
  };

  /// The group's problem, made small.
  struct Near {
    std::shared_ptr<const Problem> problem;  ///< null where it cannot be made small enough
    Shape shape;
    std::vector<BoundVariant> rungs;
    double scale = 1;  ///< elements of the group's problem per element of this one
  };

  const Problem& problem_of(const Subject& subject) const {
    return subject.beside ? *subject.beside : *group_.problem;
  }

  void add_reference(const Workload& reference, const std::shared_ptr<const Problem>& problem,
                     const std::set<std::string>& backends) {
    const Subject subject{reference, {.cols = problem->inputs[0].count}, problem};
    const std::vector<BoundVariant> rungs = problem->rungs(settings_.isa);
    for (const Scope scope : {Scope::kernel, Scope::end_to_end}) {
      for (const BoundVariant& rung : rungs) {
        if (backends.contains(rung.backend) && may_be_fastest(rung, rungs, 2)) {
          add(rung, scope, subject, true);
        }
      }
    }
    const auto any = [](const BoundVariant& /*rung*/) { return true; };
    if (other_memory_) add_other_memory(rungs, subject, any, true);
  }

  /// What the arithmetic units reach, of the kernel alone, at the reference's default size for each
  /// thread, or each multiprocessor of a device: starting it takes no time to speak of.
  void add_arithmetic(const Workload& reference, const std::set<std::string>& backends) {
    if (!computes_in(reference, group_.dtype)) return;
    for (const std::string& backend : backends) {
      const bool device = on_device(backend);
      for (const Way& way : device ? std::vector<Way>(1) : ways_by_threads(settings_, backend)) {
        const int units = !device         ? way.threads
                          : settings_.gpu ? settings_.gpu->multiprocessors
                                          : 1;
        const Shape shape{.cols = reference.default_shape.cols *
                                  static_cast<std::size_t>(std::max(units, 1))};
        const std::shared_ptr<const Problem> problem = reference.make(group_.dtype, shape);
        if (!group_.apart || group_.apart->footprint() < problem->footprint()) {
          group_.apart = problem;
        }
        const std::vector<BoundVariant> rungs = problem->rungs(settings_.isa);
        for (const BoundVariant& rung : rungs) {
          // A device that is full of threads needs no several elements of each.
          if (rung.backend != backend || !may_be_fastest(rung, rungs, device ? 2 : 1)) continue;
          add(rung, Scope::kernel, {reference, shape, problem}, true, {way});
        }
      }
    }
  }

  /// True for one that may be the fastest of a reference, which alone counts: one of the last `few`
  /// of its backend, and what moves its data itself. A deliberately slow variant is not a
  /// reference.
  static bool may_be_fastest(const BoundVariant& one, const std::vector<BoundVariant>& rungs,
                             std::ptrdiff_t few) {
    const auto usable = [&](const BoundVariant& rung) {
      return rung.backend == one.backend && rung.most_elements == any_size &&
             fit_as_reference(rung);
    };
    if (!usable(one) || one.transfers) return usable(one);
    const auto later = std::count_if(rungs.begin(), rungs.end(), [&](const BoundVariant& rung) {
      return &rung > &one && usable(rung) && !rung.transfers;
    });
    return later < few;
  }

  /// The last of the CUDA ladder's wanted variants in the host's other kinds of memory: how the
  /// data come to the device costs each variant the same. False where there is none.
  template <class Wanted>
  bool add_other_memory(const std::vector<BoundVariant>& rungs, const Subject& subject,
                        Wanted wanted, bool reference) {
    const auto last = std::find_if(rungs.rbegin(), rungs.rend(), [&](const BoundVariant& rung) {
      return on_device(rung.backend) && !is_model(rung.backend) && !rung.transfers &&
             fit_as_reference(rung) && rung.most_elements == any_size && wanted(rung);
    });
    if (last == rungs.rend()) return false;
    for (const Scope scope : {Scope::pageable, Scope::mapped, Scope::managed}) {
      add(*last, scope, subject, reference);
    }
    return true;
  }

  /// It sees the arrays of the group, which all other cases use, too: no page of theirs is better.
  void add_guest(const GuestVariant& guest, const Subject& own) {
    if (guest.shared_pages) group_.allocate = guest.shared_pages;
    add_guest(guest, own, Scope::kernel);
    if (guest.device && guest.obstacle.empty()) add_guest(guest, own, Scope::end_to_end);
  }

  void add_guest(const GuestVariant& guest, const Subject& own, Scope scope) {
    if (guest.device && guest.obstacle.empty() && !asked(scope)) return;
    const int all = thread_counts(settings_, guest.backend).back();
    PlannedCase planned;
    Case& one = planned.identity;
    const int threads = guest.device ? 0 : guest.alone ? 1 : all;
    one = identity({guest.backend, guest.variant, guest.idea, {}}, scope, own, {threads});
    one.guest = guest.file.path;
    one.own_numbers = guest.own_numbers;
    one.isa.reset();
    const auto end = [&](Status status, const Reason& reason) {
      if (reason.empty()) return;
      one.status = status;
      one.reason = reason;
    };
    end(Status::failed, guest.fault);
    end(Status::skipped, guest.obstacle);
    end(Status::checked, guest.checked);
    if (!one.status && !offers(guest, group_.dtype)) {
      one.status = Status::skipped;
      one.reason = said<reasons::computes_only_in>(std::string(name_of(guest.dtypes.front())));
    }
    planned.place = guest.place;
    planned.examine = guest.examine;
    if (!guest.device && !guest.own_numbers) planned.in_cache = in_cache(nullptr, {threads});
    if (!guest.alone && !guest.device && threads != settings_.job_threads) {
      one.parameters["threads"] = std::to_string(threads);
      one.name = case_name(one.workload, one.backend, one.variant, one.dtype, one.size, one.scope,
                           one.parameters, one.beside);
    }
    one.most_elements = guest.most_elements;
    skip_if_too_slow(one);
    group_.cases.push_back(std::move(planned));
  }

  void skip_if_too_slow(Case& one) const {
    const std::size_t elements = shape_.elements();
    if (one.most_elements == any_size) return;
    const std::size_t most = std::max(one.most_elements, settings_.most_elements);
    if (elements <= most) return;
    one.status = Status::skipped;
    std::string size = fmt::format("{:g}", static_cast<double>(most));
    // As people write it: 1e6, not 1e+06.
    if (const std::size_t plus = size.find("+0"); plus != std::string::npos) size.erase(plus, 2);
    one.reason = said<reasons::too_slow>(elements, most, size);
  }

  bool asked(Scope scope) const {
    const auto& all = settings_.scopes;
    return all.empty() || std::find(all.begin(), all.end(), scope) != all.end();
  }

  /// A library routine shows what the units of a device can do that nothing else is computed by:
  /// of a type that the arithmetic reference does not have.
  bool shows_peak(const BoundVariant& rung) const {
    if (arithmetic_ == nullptr || !rung.library || !on_device(rung.backend)) return false;
    return !computes_in(*arithmetic_, group_.dtype);
  }

  /// False for library routines and for variants that are deliberately wrong.
  static bool fit_as_reference(const BoundVariant& rung) { return !rung.library && !rung.wrong; }

  /// Nothing where the backend is not in this program, or has no such scope.
  void add(const BoundVariant& rung, Scope scope, const Subject& subject, bool reference) {
    add(rung, scope, subject, reference, ways(rung, scope, subject));
  }

  void add(const BoundVariant& rung, Scope scope, const Subject& subject, bool reference,
           const std::vector<Way>& ways) {
    const bool device = on_device(rung.backend);
    if (device ? !settings_.with_cuda || !asked(scope) : scope != Scope::kernel) return;
    if (device ? !settings_.on_gpu : !settings_.on_processors) return;
    if (rung.transfers && scope == Scope::kernel) return;
    if (rung.wrong && scope != Scope::kernel) return;
    for (const Way& way : ways) {
      PlannedCase planned;
      Case& one = planned.identity;
      one = identity(rung, scope, subject, way);
      one.reference = reference;
      one.bandwidth_reference = &subject.workload == &first_ && fit_as_reference(rung);
      one.nearer_reference = shows_peak(rung) || (&subject.workload == workload_.nearer_reference &&
                                                  fit_as_reference(rung));
      planned.beside = subject.beside;
      planned.apart = subject.beside && subject.workload.arithmetic_reference;
      planned.run = run_of(rung, way);
      const bool several = settings_.blocks.size() > 1 || settings_.grids.size() > 1;
      planned.needs_block = several && way.launch.block > 0;
      planned.needs_grid = several && way.launch.grid > 0;
      planned.transfers = rung.transfers;
      one.most_elements = rung.most_elements;
      skip_if_too_slow(one);
      const bool own = scope == Scope::kernel && !subject.beside && !rung.wrong;
      if (own) planned.in_cache = in_cache(&rung, way);
      group_.cases.push_back(std::move(planned));
    }
  }

  /// The call of a variant, with the user's choice for its launches, where there is one.
  std::function<void(const Arrays&)> run_of(const BoundVariant& rung, const Way& way) const {
    const bool chosen = !settings_.blocks.empty() || !settings_.grids.empty();
    return chosen && on_device(rung.backend) ? with_launch(rung.run, way.launch) : rung.run;
  }

  /// The same on arrays of half the nearest cache: what computing takes. Not of the user's own
  /// data, of which a part may be unlike the whole.
  /// `rung`: null for a user kernel.
  std::optional<InCacheRun> in_cache(const BoundVariant* rung, const Way& way) {
    if (!workload_.memory_bound || settings_.cache == CacheMode::hot || settings_.inputs) return {};
    const std::size_t bytes = nearest_cache_bytes(way) / 2;
    auto all = within(bytes, rung, way);
    if (!all || (rung != nullptr && runs_on(rung->backend, RunsOn::one_thread))) return all;
    const auto half = within(all->problem->footprint() / 2, rung, way);
    if (!half) return {};
    all->half = std::make_shared<const InCacheRun>(*half);
    return all;
  }

  std::optional<InCacheRun> within(std::size_t bytes, const BoundVariant* rung, const Way& way) {
    const bool device = rung != nullptr && on_device(rung->backend);
    const auto [entry, first] = near_.try_emplace({device, bytes});
    Near& near = entry->second;
    if (first) near = near_problem(bytes);
    if (rung == nullptr && near.problem)
      return InCacheRun{near.problem, near.shape, {}, near.scale};
    for (const BoundVariant& small : near.rungs) {
      if (small.backend != rung->backend || small.variant != rung->variant) continue;
      return InCacheRun{near.problem, near.shape, run_of(small, way), near.scale};
    }
    return {};
  }

  /// The caches that the threads have for themselves, or that of all of a device's multiprocessors:
  /// half of it, since each of its two partitions may hold a line of the other. 0 where that is
  /// unknown.
  std::size_t nearest_cache_bytes(const Way& way) const {
    if (way.threads > 0) return settings_.own_cache_bytes * static_cast<std::size_t>(way.threads);
    return settings_.gpu ? settings_.gpu->l2_bytes / 2 : 0;
  }

  Near near_problem(std::size_t bytes) const {
    const auto small = within_cache(workload_, group_.dtype, shape_, bytes);
    if (!small) return {};
    const std::shared_ptr<const Problem> problem = workload_.make(group_.dtype, *small);
    if (!problem->unsupported().empty()) return {};
    return {problem, *small, problem->rungs(settings_.isa),
            static_cast<double>(shape_.elements()) / static_cast<double>(small->elements())};
  }

  /// The ways to launch; of several each is measured by the kernel alone: transfers know of no
  /// blocks, and a bandwidth reference is what the device reaches.
  std::vector<Way> ways(const BoundVariant& rung, Scope scope, const Subject& subject) const {
    if (!on_device(rung.backend)) return ways_by_threads(settings_, rung.backend);
    std::vector<Way> all = ways_by_launch(settings_);
    const bool own = subject.beside || (all.size() > 1 && scope != Scope::kernel);
    return own ? std::vector<Way>(1) : all;
  }

  void add_row_of_all(const Backend& backend, const Reason& reason) {
    const std::string name(backend.name);
    PlannedCase planned;
    const std::string idea =
        on_device(name) ? "every CUDA variant" : fmt::format("every variant of {}", name);
    planned.identity = identity({name, "*", idea, {}}, Scope::kernel, {workload_, shape_, nullptr},
                                ways_by_threads(settings_, name)[0]);
    planned.identity.status = Status::skipped;
    planned.identity.reason = reason;
    group_.cases.push_back(std::move(planned));
  }

  Case identity(const BoundVariant& rung, Scope scope, const Subject& subject,
                const Way& way) const {
    const Problem& problem = problem_of(subject);
    Case one;
    one.workload = subject.workload.name;
    one.backend = rung.backend;
    one.variant = rung.variant;
    one.idea = rung.idea;
    one.library = rung.library;
    one.wrong = rung.wrong;
    one.memory_bound = subject.workload.memory_bound;
    one.arithmetic_reference = subject.workload.arithmetic_reference || shows_peak(rung);
    one.dtype = group_.dtype;
    one.take(subject.workload.form, subject.shape);
    one.scope = scope;
    one.parameters = common_parameters(settings_, rung.backend, way.launch);
    if (runs_on(rung.backend, RunsOn::all_threads) && way.threads != settings_.job_threads) {
      one.parameters["threads"] = std::to_string(way.threads);
    }
    // With the group's size: shapes that differ may hold equally many elements.
    if (subject.beside) one.beside = Beside{group_.workload, group_.size};
    if (!on_device(rung.backend)) one.isa = name_of(settings_.isa);
    one.cache = settings_.cache;
    if (way.threads == 0)
      one.threads.reset();
    else
      one.threads = way.threads;
    one.bytes = problem.bytes * one.sweeps();
    one.flops = problem.flops;
    one.footprint_bytes = problem.footprint();
    one.name = case_name(one.workload, one.backend, one.variant, one.dtype, one.size, one.scope,
                         one.parameters, one.beside);
    return one;
  }

  const Workload& workload_;
  const Workload& first_;
  BandwidthReferences references_;        ///< measured with this workload
  const Workload* arithmetic_ = nullptr;  ///< too; null: none
  const Planning& settings_;
  Shape shape_;
  PlannedGroup group_;
  std::map<std::pair<bool, std::size_t>, Near>
      near_;                   ///< by place (on the device or not) and bytes
  bool other_memory_ = false;  ///< one of its own variants is measured there
};

/// The workload's default, and those of user kernels that do not compute in that; theirs alone
/// where none does.
std::vector<Dtype> usual_dtypes(const Workload& workload, const Planning& settings) {
  std::set<Dtype> needed;
  for (const GuestVariant& one : settings.guest_variants) {
    if (one.workload != workload.name) continue;
    const bool usual = offers(one, workload.dtypes.front());
    needed.insert(usual ? workload.dtypes.front() : one.dtypes.front());
  }
  if (needed.empty()) return {workload.dtypes.front()};
  return {needed.begin(), needed.end()};
}

/// The precisions that are asked for and that the workload has. Throws std::invalid_argument where
/// a filter names one that has none of them.
std::vector<Dtype> dtypes(const Workload& workload, const Planning& settings) {
  if (settings.dtypes.empty() && !settings.inputs) return usual_dtypes(workload, settings);
  const auto asked =
      settings.inputs ? std::vector<Dtype>{settings.inputs->dtype()} : settings.dtypes;
  std::vector<Dtype> all;
  for (const Dtype dtype : asked) {
    if (computes_in(workload, dtype)) all.push_back(dtype);
  }
  const auto names_it = [&](const std::string& filter) {
    return filter.substr(0, filter.find('/')) == workload.name;
  };
  const auto& filters = settings.filters;
  if (all.empty() && std::any_of(filters.begin(), filters.end(), names_it)) {
    std::vector<std::string_view> names;
    for (const Dtype dtype : workload.dtypes) names.push_back(name_of(dtype));
    throw std::invalid_argument(
        fmt::format("{} {}: {} is computed in {} only", settings.inputs ? "--input" : "--dtype",
                    name_of(asked.front()), workload.name, fmt::join(names, ", ")));
  }
  return all;
}

/// Nothing that is to be measured is computed in these. Names what is.
[[noreturn]] void refuse_dtypes(std::span<const Workload* const> registry,
                                const std::vector<Dtype>& dtypes) {
  std::vector<std::string_view> names;
  for (const Workload* const one : registry) {
    if (computes_in(*one, dtypes.front())) names.emplace_back(one->name);
  }
  throw std::invalid_argument(
      fmt::format("--dtype {}: no workload of these is computed in it; name {}",
                  name_of(dtypes.front()), fmt::join(names, " or ")));
}

/// A user kernel computes it: naming that file names the workload.
bool asked_of_guests(const Workload& workload, const Planning& settings) {
  return std::any_of(settings.guest_variants.begin(), settings.guest_variants.end(),
                     [&](const GuestVariant& one) {
                       return one.workload == workload.name && one.backend == "guest";
                     });
}

}  // namespace

std::size_t scratch_bytes(const PlannedGroup& group) {
  return scratch_bytes(*group.problem, group.references);
}

std::size_t bytes_needed(const PlannedGroup& group) {
  const std::size_t apart = group.apart ? group.apart->footprint() : 0;
  return group.problem->footprint() + scratch_bytes(group) + apart;
}

std::vector<PlannedGroup> plan(std::span<const Workload* const> registry,
                               const Planning& settings) {
  require_known_filters(registry, settings, settings.absent, settings.guest_variants);
  std::vector<PlannedGroup> groups;
  for (const Workload* workload : registry) {
    if (workload->only_by_name && settings.filters.empty() &&
        !asked_of_guests(*workload, settings)) {
      continue;
    }
    if (!any_selected(settings, *workload)) continue;
    // First, since it says of the user's files why a workload takes none.
    const std::vector<Shape> sizes = shapes(*workload, settings);
    for (const Dtype dtype : dtypes(*workload, settings)) {
      for (const Shape& shape : sizes) {
        groups.push_back(
            GroupBuilder(*workload, *registry.front(), dtype, shape, settings).build());
      }
    }
  }
  if (groups.empty() && !settings.dtypes.empty()) refuse_dtypes(registry, settings.dtypes);
  const bool any = !groups.empty();
  std::erase_if(groups, [](const PlannedGroup& group) { return group.cases.empty(); });
  if (any && groups.empty()) {
    throw std::invalid_argument("--scope: leaves nothing to measure of what the filters select");
  }
  return groups;
}

}  // namespace bench

// Where threads may run, and warnings about it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/names.hpp"
#include "harness/node/host.hpp"
#include "harness/node/machine.hpp"
#include "harness/node/slurm.hpp"

namespace bench {

/// The CPUs that each thread of a parallel region may run on, in the kernel's notation, in the
/// order of the threads.
std::vector<std::string> thread_cpus();

/// What bound the threads.
enum class Binder { bench, user };
template <>
struct NamesOf<Binder> {
  static constexpr std::array<std::pair<Binder, std::string_view>, 2> all{
      {{Binder::bench, "bench"}, {Binder::user, "user"}}};
};

/// What bound threads that may run on these CPUs; nothing where each may run on all of the
/// process's.
std::optional<Binder> bound_by(const std::vector<std::string>& thread_cpus, const Host& host = {});

/// How many tasks the step has on this node, 0 where that is unknown: of "2(x3),1" that of the
/// node's number.
std::size_t tasks_here(const Slurm& job);

/// Whether another task of this node works on CPUs of this one, by what is known of the job and the
/// number of CPUs that this process may use.
bool tasks_share_cpus(const Slurm& job, std::size_t allowed_cpus);

/// Whether another task of this node sees GPUs of this one, which sees that number, by what is
/// known of the job.
bool tasks_share_devices(const Slurm& job, std::size_t devices);

/// Adds a sentence where threads are bound to too few CPUs or to one core next to idle ones, where
/// those of a Slurm job, or those that may leave their NUMA node, are not bound at all, where
/// memory is far, and where tasks of one node share CPUs. Missing facts cause no warning.
void about_binding(const std::vector<std::string>& thread_cpus, const Machine& machine,
                   const std::optional<Slurm>& slurm, std::vector<Reason>& doubts);

}  // namespace bench

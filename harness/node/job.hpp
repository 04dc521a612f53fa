// What the job was given, and where its results go.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "harness/node/host.hpp"

namespace bench {

/// Threads that this process should use: OMP_NUM_THREADS if set, else one for each core that it may
/// use (for each CPU where the cores are unknown), but no more than SLURM_CPUS_PER_TASK.
int job_threads(const Host& host = {});

/// This process's number within a Slurm step, 0 outside of Slurm.
int task_rank(const Host& host = {});

/// This process's number among the tasks of its node, 0 outside of Slurm.
int local_rank(const Host& host = {});

/// $BENCH_RESULTS_DIR or `results` in the working directory, and in it `<UTC time>-<node>.json`;
/// under Slurm `<cluster>-<job>.<step>-<node>-<task>.json`, without a time, so that a requeued job
/// finds what it began.
std::filesystem::path default_result_path(const Host& host = {});

/// The same for a path of the user's: where several tasks of a step would write `x.json`, each
/// writes `x-<node>-<task>.json`.
std::filesystem::path path_of_task(const std::filesystem::path& path, const Host& host = {});

/// More threads on `cpus` CPUs are a mistake of the user's.
int most_threads(std::size_t cpus);

/// Why the OpenMP runtime could not begin its threads, for the user; empty if it can. It would
/// crash.
std::string openmp_obstacle(const Host& host = {});

/// How many jobs of Slurm's have steps on this node, without this process's own.
std::size_t jobs_beside(const Host& host = {});

/// Now, as `2026-01-31T12:00:00Z`.
std::string utc_now();

}  // namespace bench

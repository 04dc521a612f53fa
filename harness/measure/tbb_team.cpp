#include "harness/measure/tbb_team.hpp"

#include <omp.h>
#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <memory>
#include <vector>

#include "harness/base/clock.hpp"

namespace bench {
namespace {

/// Where each thread of such a parallel region may run.
std::vector<cpu_set_t> affinities(int threads) {
  std::vector<cpu_set_t> all(static_cast<std::size_t>(threads));
  for (cpu_set_t& one : all) sched_getaffinity(0, sizeof one, &one);
#pragma omp parallel num_threads(threads)
  {
    cpu_set_t& mine = all[static_cast<std::size_t>(omp_get_thread_num())];
    sched_getaffinity(0, sizeof mine, &mine);
  }
  return all;
}

/// Binds a thread of TBB to where the thread of OpenMP with its number may run: TBB's own would all
/// be where the first one is.
class Binding final : public tbb::task_scheduler_observer {
 public:
  Binding(tbb::task_arena& arena, int threads)
      : task_scheduler_observer(arena), affinities_(affinities(threads)) {
    observe(true);
  }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;
  ~Binding() override { observe(false); }

  void on_scheduler_entry(bool is_worker) override {
    const auto number = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
    if (!is_worker || number >= affinities_.size()) return;
    const cpu_set_t& wanted = affinities_[number];
    static thread_local cpu_set_t now{};
    if (CPU_EQUAL(&now, &wanted)) return;
    sched_setaffinity(0, sizeof wanted, &wanted);
    now = wanted;
  }

 private:
  std::vector<cpu_set_t> affinities_;
};

struct Team {
  explicit Team(int count)
      : threads(count),
        most(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)),
        arena(count),
        binding(arena, count) {}

  int threads;
  tbb::global_control most;  ///< more than there are processors, where that is asked for
  tbb::task_arena arena;
  Binding binding;
};

/// The last one stays: making it takes longer than a sample.
Team& team_of(int threads) {
  static std::unique_ptr<Team> team;
  if (!team || team->threads != threads) {
    team.reset();
    team = std::make_unique<Team>(threads);
  }
  return *team;
}

}  // namespace

bool built_with_tbb() { return true; }

void in_tbb_team(int threads, const std::function<void()>& work) {
  team_of(threads).arena.execute([&] { work(); });
}

void wake_tbb_team(int threads) {
  constexpr double patience = 1e-3;  // seconds
  const Stopwatch stopwatch;
  std::atomic<int> awake = 0;
  in_tbb_team(threads, [&] {
    tbb::parallel_for(
        0, threads, 1,
        [&](int) {
          ++awake;
          while (awake < threads && stopwatch.seconds() < patience) {
          }
        },
        tbb::simple_partitioner());
  });
}

}  // namespace bench

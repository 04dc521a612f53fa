#include "harness/node/memory_times.hpp"

#include <omp.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <map>
#include <set>

#include "harness/base/statistics.hpp"
#include "harness/node/allowance.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/preemption.hpp"

namespace bench {
namespace {

constexpr std::size_t memory_rounds = 9;
constexpr std::size_t least_bytes = std::size_t{8} << 20U;  // of a thread, what it reads

const Topology::NumaNode* node_of(int cpu, const Topology& topology) {
  for (const Topology::NumaNode& one : topology.numa_nodes) {
    if (std::find(one.cpus.begin(), one.cpus.end(), cpu) != one.cpus.end()) return &one;
  }
  return nullptr;
}

/// The nodes of which this process has processors.
std::size_t allowed_nodes(const Topology& topology) {
  std::set<const Topology::NumaNode*> nodes;
  for (const int cpu : allowed_cpus()) nodes.insert(node_of(cpu, topology));
  return nodes.size() - nodes.count(nullptr);
}

/// Bytes of the thread that is the first to touch them. In pages of one size: which thread gets
/// large ones is luck.
class OwnPages {
 public:
  explicit OwnPages(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (data_ == MAP_FAILED) return;
    madvise(data_, bytes_, MADV_NOHUGEPAGE);
    std::memset(data_, 1, bytes_);
  }
  ~OwnPages() {
    if (data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  /// Null where there are none.
  void* data() const { return data_ == MAP_FAILED ? nullptr : data_; }

 private:
  std::size_t bytes_;
  void* data_;
};

/// What one thread saw.
struct Seen {
  const Topology::NumaNode* node = nullptr;
  std::vector<double> seconds;
};

/// Memory of the thread's own node: the thread is the first to touch it.
Seen copied(const Topology& topology, std::size_t bytes, double planted) {
  Seen seen;
  seen.node = node_of(sched_getcpu(), topology);
  const OwnPages from(bytes);
  const OwnPages to(bytes);
  const bool there = from.data() != nullptr && to.data() != nullptr;
  const bool first = seen.node == topology.numa_nodes.data();
  const auto end = static_cast<std::size_t>(static_cast<double>(bytes) * (first ? planted : 1));
  for (std::size_t round = 0; round < memory_rounds; ++round) {
#pragma omp barrier
    const double begin = seconds_by(CLOCK_THREAD_CPUTIME_ID).value_or(0);
    for (std::size_t done = 0; there && done < end; done += bytes) {
      std::memcpy(to.data(), from.data(), std::min(bytes, end - done));
    }
    seen.seconds.push_back(seconds_by(CLOCK_THREAD_CPUTIME_ID).value_or(0) - begin);
  }
  // Or it went elsewhere.
  if (!there || node_of(sched_getcpu(), topology) != seen.node) seen.node = nullptr;
  return seen;
}

}  // namespace

std::vector<MemoryTime> memory_times(const Topology& topology, double planted) {
  if (allowed_nodes(topology) < 2) return {};
  std::vector<Seen> all(static_cast<std::size_t>(omp_get_max_threads()));
  // What a thread reads and writes is four times its share of the last-level caches.
  const std::size_t caches = last_level_cache_bytes(topology, allowed_cpus());
  const std::size_t bytes = std::max(least_bytes, 2 * caches / all.size());
  const auto allowance = memory_allowance();
  if (allowance && 4 * bytes * all.size() > allowance->bytes) return {};
#pragma omp parallel num_threads(static_cast <int>(all.size()))
  all[static_cast<std::size_t>(omp_get_thread_num())] = copied(topology, bytes, planted);
  std::map<int, std::vector<const Seen*>> of_nodes;
  for (const Seen& one : all) {
    if (one.node != nullptr) of_nodes[one.node->number].push_back(&one);
  }
  std::vector<MemoryTime> found;
  for (const auto& [number, threads] : of_nodes) {
    std::vector<double> of_rounds;
    for (std::size_t round = 0; round < memory_rounds; ++round) {
      std::vector<double> seconds;
      for (const Seen* const one : threads) seconds.push_back(one->seconds[round]);
      of_rounds.push_back(median(seconds));
    }
    found.push_back(
        {number, threads.size(), threads.front()->node->memory_bytes, median(of_rounds)});
  }
  return found;
}

}  // namespace bench

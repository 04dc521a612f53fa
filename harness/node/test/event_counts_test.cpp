#include "harness/node/event_counts.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/node/test/node.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Words = std::vector<std::string>;

/// A node with `threads` threads, where every event ends with this error.
Host refusing(Node& node, int error) {
  node.put("proc/self/task/7/stat", "");
  Host host = node.host();
  host.open_event = [error](perf_event_attr&, int, int) { return -error; };
  return host;
}

std::string reason(const Host& host) { return EventCounter(host).reason().text; }

TEST(EventCounts, EachReasonHasItsRemedy) {
  Node node;
  EXPECT_EQ(reason(refusing(node, ENOENT)),
            "no hardware counters: virtual machines have them only with a virtual PMU");
  expect_contains(reason(refusing(node, EPERM)), "as in many containers");
  expect_contains(reason(refusing(node, ENOSYS)), "as in many containers");
  expect_contains(reason(refusing(node, EMFILE)), "raise ulimit -n");
  EXPECT_EQ(reason(refusing(node, EIO)), "perf_event_open: Input/output error");
  node.put("proc/sys/kernel/perf_event_paranoid", "4\n");
  for (const int error : {EACCES, EPERM}) {
    EXPECT_EQ(reason(refusing(node, error)),
              "kernel.perf_event_paranoid is 4: ask the administrators for 2");
  }
  node.put("proc/sys/kernel/perf_event_paranoid", "2\n");
  expect_contains(reason(refusing(node, EACCES)), "as in many containers");
}

TEST(EventCounts, WithoutThreadsNothingIsCounted) {
  const Node node;
  EXPECT_NE(reason(node.host()), "");
}

/// What the kernel would write of the group of each thread, in files; members of a group are empty.
class Written {
 public:
  explicit Written(std::vector<std::vector<std::uint64_t>> groups) : groups_(std::move(groups)) {}

  [[nodiscard]] Host host(Node& node, int threads) {
    for (int thread = 1; thread <= threads; ++thread) {
      node.put("proc/self/task/" + std::to_string(thread) + "/stat", "");
    }
    Host host = node.host();
    host.open_event = [this](perf_event_attr& attributes, int thread, int group) {
      asked.push_back(attributes);
      if (thread == ended) return -ESRCH;
      if (attributes.type == PERF_TYPE_HW_CACHE && !with_tlb) return -ENOENT;
      const int file = memfd_create("counter", MFD_CLOEXEC);
      if (group >= 0) return file;
      const auto& values = groups_.at(next_++);
      EXPECT_GT(write(file, values.data(), values.size() * sizeof values[0]), 0);
      lseek(file, 0, SEEK_SET);
      return file;
    };
    return host;
  }

  std::vector<perf_event_attr> asked;
  bool with_tlb = true;
  int ended = 0;

 private:
  std::vector<std::vector<std::uint64_t>> groups_;
  std::size_t next_ = 0;
};

// A group: how many events, nanoseconds enabled, nanoseconds running, and the value of each.

TEST(EventCounts, AreTheSumOfAllThreads) {
  Node node;
  Written kernel(
      {{2, 50, 50, 100, 200}, {3, 50, 50, 7, 5, 3}, {2, 40, 40, 10, 20}, {3, 0, 0, 0, 0, 0}});
  const EventCounter counter(kernel.host(node, 2));
  ASSERT_EQ(counter.reason(), "");
  EXPECT_EQ(counter.events(),
            (Words{"cycles", "instructions", "cache misses", "branch misses", "TLB misses"}));
  const EventCounts totals = counter.totals();
  EXPECT_EQ(totals.cycles, 110);
  EXPECT_EQ(totals.instructions, 220);
  EXPECT_EQ(totals.cache_misses, 7);
  EXPECT_EQ(totals.branch_misses, 5);
  EXPECT_EQ(totals.tlb_misses, 3);
  EXPECT_FALSE(totals.scaled);
}

TEST(EventCounts, AreExtrapolatedWhereTheyTookTurns) {
  Node node;
  Written kernel({{2, 60, 60, 100, 200}, {3, 60, 20, 7, 5, 3}});
  const EventCounts totals = EventCounter(kernel.host(node, 1)).totals();
  EXPECT_EQ(totals.cycles, 100);
  EXPECT_EQ(totals.cache_misses, 21);
  EXPECT_EQ(totals.branch_misses, 15);
  EXPECT_TRUE(totals.scaled);
}

TEST(EventCounts, ThatNeverHadTheirTurnAreNotTold) {
  Node node;
  Written kernel(
      {{2, 60, 60, 100, 200}, {3, 60, 60, 7, 5, 3}, {2, 60, 60, 1, 2}, {3, 60, 0, 0, 0, 0}});
  const EventCounts totals = EventCounter(kernel.host(node, 2)).totals();
  EXPECT_EQ(totals.cycles, 101);
  EXPECT_FALSE(totals.cache_misses) << "half of the threads are no total";
}

TEST(EventCounts, AreThoseThatTheProcessorHas) {
  Node node;
  Written kernel({{2, 9, 9, 100, 200}, {2, 9, 9, 7, 5}});
  kernel.with_tlb = false;
  const EventCounter counter(kernel.host(node, 1));
  EXPECT_EQ(counter.events(), (Words{"cycles", "instructions", "cache misses", "branch misses"}));
  EXPECT_EQ(counter.totals().branch_misses, 5);
  EXPECT_FALSE(counter.totals().tlb_misses);
}

TEST(EventCounts, AThreadThatHasEndedMeanwhileIsNoError) {
  Node node;
  Written kernel({{2, 9, 9, 100, 200}, {3, 9, 9, 7, 5, 3}});
  kernel.ended = 1;
  const EventCounter counter(kernel.host(node, 2));
  EXPECT_EQ(counter.reason(), "");
  EXPECT_EQ(counter.totals().cycles, 100);
}

TEST(EventCounts, AreOfOwnCodeOnlySoThatUsersMayAsk) {
  Node node;
  Written kernel({{2, 9, 9, 1, 2}, {3, 9, 9, 1, 2, 3}});
  const EventCounter counter(kernel.host(node, 1));
  ASSERT_EQ(kernel.asked.size(), 5U);
  for (const perf_event_attr& attributes : kernel.asked) {
    EXPECT_EQ(attributes.exclude_kernel, 1U);
    EXPECT_EQ(attributes.exclude_hv, 1U);
  }
  EXPECT_EQ(kernel.asked.front().disabled, 1U);
  EXPECT_EQ(kernel.asked.at(1).disabled, 0U) << "it follows the first of its group";
}

/// Events that every kernel counts instead of the processor's: cycles are nanoseconds at work,
/// instructions are pages that were touched for the first time.
Host with_software_events() {
  Host host;
  host.open_event = [](perf_event_attr& attributes, int thread, int group) {
    const bool time = attributes.config == PERF_COUNT_HW_CPU_CYCLES;
    const bool pages = attributes.config == PERF_COUNT_HW_INSTRUCTIONS;
    if (attributes.type != PERF_TYPE_HARDWARE || (!time && !pages)) return -ENOENT;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = time ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_PAGE_FAULTS;
    return open_event(attributes, thread, group);
  };
  return host;
}

constexpr std::size_t page = 4096;

/// Memory of `pages` pages that nobody has touched.
class Untouched {
 public:
  explicit Untouched(std::size_t pages)
      : bytes_(pages * page),
        memory_(static_cast<char*>(
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    madvise(memory_, bytes_, MADV_NOHUGEPAGE);
  }
  ~Untouched() { munmap(memory_, bytes_); }
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;

  void touch(std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end; ++i) memory_[i * page] = 1;
  }

 private:
  std::size_t bytes_;
  char* memory_;
};

// These two not under sanitizers, which touch pages of their own.
TEST(EventCounts, OfTheKernelAreThoseBetweenStartAndStop) {
  const EventCounter counter(with_software_events());
  if (!counter.reason().empty()) GTEST_SKIP() << counter.reason();
  EXPECT_EQ(counter.events(), (Words{"cycles", "instructions"}));
  const Untouched memory(300);
  memory.touch(0, 100);
  EXPECT_EQ(counter.totals().instructions, 0) << "before it starts";
  counter.start();
  memory.touch(100, 150);
  counter.stop();
  memory.touch(150, 200);
  counter.start();
  memory.touch(200, 225);
  counter.stop();
  const EventCounts totals = counter.totals();
  EXPECT_GE(*totals.instructions, 75);
  EXPECT_LT(*totals.instructions, 120) << "the others are not counted";
  EXPECT_GT(*totals.cycles, 0);
}

TEST(EventCounts, OfTheKernelAreThoseOfAllThreadsOfATeam) {
  constexpr std::size_t each = 200;
  constexpr int threads = 3;
#pragma omp parallel num_threads(threads)
  {}
  const EventCounter counter(with_software_events());
  if (!counter.reason().empty()) GTEST_SKIP() << counter.reason();
  const Untouched memory(threads * each);
  counter.start();
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int part = 0; part < threads; ++part) {
    memory.touch(static_cast<std::size_t>(part) * each, static_cast<std::size_t>(part + 1) * each);
  }
  counter.stop();
  const double pages = *counter.totals().instructions;
  EXPECT_GE(pages, threads * each);
  EXPECT_LT(pages, threads * each + 50);
}

}  // namespace
}  // namespace bench::test

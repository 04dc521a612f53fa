#include "harness/node/event_counts.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "harness/base/reasons.hpp"
#include "harness/node/text_file.hpp"

namespace bench {

struct EventCounter::Event {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
  std::optional<double> EventCounts::*total;
};

/// Events of one thread that the processor counts at the same time.
struct EventCounter::Group {
  std::vector<int> files;  ///< the first one stands for all of them
  std::vector<const Event*> events;
};

namespace {

constexpr std::uint64_t tlb_load_misses = PERF_COUNT_HW_CACHE_DTLB |
                                          std::uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8U |
                                          std::uint64_t{PERF_COUNT_HW_CACHE_RESULT_MISS} << 16U;
/// Up to it the kernel lets users count what their own code does.
constexpr int of_own_code = 2;

/// True where an event is not on this processor; the others may be.
bool absent(int error) {
  return error == ENOENT || error == EOPNOTSUPP || error == ENODEV || error == EINVAL;
}

Reason why_not(int error, const Host& host) {
  if (absent(error)) {
    return said<reasons::no_counters_here>();
  }
  const auto level = number<int>(text_in(host.root / "proc/sys/kernel/perf_event_paranoid"));
  const bool refused = error == EACCES || error == EPERM;
  if (refused && level.value_or(0) > of_own_code) {
    return said<reasons::perf_event_paranoid>(*level, of_own_code);
  }
  if (refused || error == ENOSYS) {
    return said<reasons::perf_refused>();
  }
  if (error == EMFILE) {
    return said<reasons::too_many_open_files>();
  }
  return fmt::format("perf_event_open: {}", std::strerror(error));
}

/// The threads of this process, the first one first.
std::set<int> threads(const Host& host) {
  std::set<int> found;
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator(host.root / "proc/self/task", error)) {
    if (const auto thread = number<int>(task.path().filename().string())) found.insert(*thread);
  }
  return found;
}

perf_event_attr attributes_of(std::uint32_t type, std::uint64_t config, bool first) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type;
  attributes.config = config;
  attributes.disabled = first ? 1 : 0;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format =
      PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attributes;
}

/// What the kernel writes of a group, as long as its events are.
struct Reading {
  std::uint64_t events = 0;
  std::uint64_t enabled = 0;  ///< nanoseconds
  std::uint64_t running = 0;
  std::array<std::uint64_t, 8> values{};

  bool of(int file) { return ::read(file, this, sizeof *this) > 0; }
};

}  // namespace

/// Two small sets for each thread: where a processor has few counters they take turns, and what is
/// divided by each other, as instructions by cycles, is of the same moments.
const std::vector<std::vector<EventCounter::Event>>& EventCounter::sets() {
  constexpr std::uint32_t hardware = PERF_TYPE_HARDWARE;
  static const std::vector<std::vector<Event>> all{
      {{"cycles", hardware, PERF_COUNT_HW_CPU_CYCLES, &EventCounts::cycles},
       {"instructions", hardware, PERF_COUNT_HW_INSTRUCTIONS, &EventCounts::instructions}},
      {{"cache misses", hardware, PERF_COUNT_HW_CACHE_MISSES, &EventCounts::cache_misses},
       {"branch misses", hardware, PERF_COUNT_HW_BRANCH_MISSES, &EventCounts::branch_misses},
       {"TLB misses", PERF_TYPE_HW_CACHE, tlb_load_misses, &EventCounts::tlb_misses}}};
  return all;
}

EventCounter::EventCounter(const Host& host) {
  const int error = open_all(host);
  if (error != 0) close_all();
  if (groups_.empty()) reason_ = why_not(error != 0 ? error : ENOENT, host);
}

EventCounter::~EventCounter() { close_all(); }

void EventCounter::close_all() {
  for (const Group& group : groups_) {
    for (const int file : group.files) close(file);
  }
  groups_.clear();
}

int EventCounter::open_all(const Host& host) {
  for (const int thread : threads(host)) {
    for (const std::vector<Event>& set : sets()) {
      const int error = open_set(set, thread, host.open_event);
      if (error == ESRCH) break;  // it has ended
      if (error != 0) return error;
    }
  }
  return 0;
}

int EventCounter::open_set(const std::vector<Event>& set, int thread, const OpenEvent& open) {
  constexpr int none = -1;
  Group group;
  int error = 0;
  for (const Event& event : set) {
    const bool first = group.files.empty();
    perf_event_attr attributes = attributes_of(event.type, event.config, first);
    const int file = open(attributes, thread, first ? none : group.files.front());
    if (file < 0 && !absent(-file)) error = -file;
    if (file < 0) continue;
    group.files.push_back(file);
    group.events.push_back(&event);
  }
  if (!group.files.empty()) groups_.push_back(std::move(group));
  return error;
}

std::vector<std::string> EventCounter::events() const {
  std::vector<std::string> names;
  for (const Group& group : groups_) {
    for (const Event* const event : group.events) {
      if (std::find(names.begin(), names.end(), event->name) == names.end()) {
        names.emplace_back(event->name);
      }
    }
  }
  return names;
}

/// The thread that measures is the first one: what it does here for the others is not counted.
/// Where the first event of a group is off, none of it counts; switched on one by one, by
/// PERF_IOC_FLAG_GROUP, the others stay off the second time (Linux 6.18).
void EventCounter::start() const {
  std::for_each(groups_.rbegin(), groups_.rend(),
                [](const Group& group) { ioctl(group.files.front(), PERF_EVENT_IOC_ENABLE, 0); });
}

void EventCounter::stop() const {
  for (const Group& group : groups_) {
    ioctl(group.files.front(), PERF_EVENT_IOC_DISABLE, 0);
  }
}

EventCounts EventCounter::totals() const {
  EventCounts sum;
  std::set<const Event*> untold;
  for (const Group& group : groups_) {
    Reading now;
    // A thread that slept all the time has been nowhere; one that ran had its turn, or did not.
    const bool told = now.of(group.files.front()) && (now.enabled == 0 || now.running > 0);
    if (!told) untold.insert(group.events.begin(), group.events.end());
    if (now.running < now.enabled) sum.scaled = true;
    const double scale =
        now.running == 0 ? 0 : static_cast<double>(now.enabled) / static_cast<double>(now.running);
    for (std::size_t i = 0; i < group.events.size(); ++i) {
      auto& total = sum.*(group.events[i]->total);
      total = total.value_or(0) + scale * static_cast<double>(now.values[i]);
    }
  }
  for (const Event* const event : untold) (sum.*(event->total)).reset();
  return sum;
}

}  // namespace bench

#include "harness/node/preemption.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <system_error>

namespace bench {
namespace {

constexpr int no_file = -1;

/// The clock that pthread_getcpuclockid() gives (linux/posix-timers.h).
clockid_t clock_of_thread(int thread) {
  constexpr unsigned per_thread = 4;
  constexpr unsigned scheduled = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3U) | per_thread | scheduled);
}

int open_in(const std::filesystem::path& task) {
  return open((task / "schedstat").c_str(), O_RDONLY | O_CLOEXEC);
}

/// Seconds of a thread.
struct Schedule {
  double ran;
  double waited;
};

std::optional<Schedule> schedule(int file) {
  constexpr double nanosecond = 1e-9;
  std::array<char, 128> text{};  // `ran waited slices`, the first two in nanoseconds
  unsigned long long ran = 0;
  unsigned long long waited = 0;
  const ssize_t length = pread(file, text.data(), text.size() - 1, 0);
  if (length <= 0 || std::sscanf(text.data(), "%llu %llu", &ran, &waited) != 2) return {};
  return Schedule{static_cast<double>(ran) * nanosecond, static_cast<double>(waited) * nanosecond};
}

}  // namespace

ProcessorWaits::ProcessorWaits(const std::filesystem::path& tasks) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    const int file = open_in(task.path());
    if (file != no_file) files_.push_back(file);
  }
}

ProcessorWaits::~ProcessorWaits() {
  for (const int file : files_) close(file);
}

std::optional<double> ProcessorWaits::seconds() const {
  std::optional<double> seconds;
  for (const int file : files_) {
    if (const auto one = schedule(file)) seconds = seconds.value_or(0) + one->waited;
  }
  return seconds;
}

std::optional<double> waited_for_processor(const std::filesystem::path& tasks) {
  return ProcessorWaits(tasks).seconds();
}

std::optional<double> this_thread_waited_for_processor() {
  const int file = open_in("/proc/thread-self");
  if (file == no_file) return {};
  const auto seconds = schedule(file);
  close(file);
  return seconds ? std::optional(seconds->waited) : std::nullopt;
}

ThreadTimes thread_times(const std::filesystem::path& tasks) {
  ThreadTimes all;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    const int file = open_in(task.path());
    if (file == no_file) continue;
    if (const auto one = schedule(file)) {
      all.had.emplace(task.path().filename(), one->ran);
      all.waited += one->waited;
    }
    close(file);
  }
  return all;
}

std::optional<double> seconds_by(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return {};
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

ThreadSeconds own_thread_seconds() {
  ThreadSeconds all;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string thread = task.path().filename();
    if (const auto seconds = seconds_by(clock_of_thread(std::stoi(thread)))) {
      all.emplace(thread, *seconds);
    }
  }
  return all;
}

double busiest(const ThreadSeconds& before, const ThreadSeconds& after, double all,
               int processors) {
  double most = 0;
  double known = 0;
  for (const auto& [thread, seconds] : after) {
    const auto found = before.find(thread);
    const double had = seconds - (found == before.end() ? 0 : found->second);
    most = std::max(most, had);
    known += had;
  }
  return std::max({most, all - known, std::max(all, known) / std::max(processors, 1)});
}

}  // namespace bench

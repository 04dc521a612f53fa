#include "harness/node/preemption.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <system_error>

namespace bench {
namespace {

constexpr int no_file = -1;

int open_in(const std::filesystem::path& task) {
  return open((task / "schedstat").c_str(), O_RDONLY | O_CLOEXEC);
}

std::optional<double> waited(int file) {
  constexpr double nanosecond = 1e-9;
  std::array<char, 128> text{};  // `ran waited slices`, the first two in nanoseconds
  unsigned long long waited = 0;
  const ssize_t length = pread(file, text.data(), text.size() - 1, 0);
  if (length <= 0 || std::sscanf(text.data(), "%*u %llu", &waited) != 1) return {};
  return static_cast<double>(waited) * nanosecond;
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
    if (const auto one = waited(file)) seconds = seconds.value_or(0) + *one;
  }
  return seconds;
}

std::optional<double> waited_for_processor(const std::filesystem::path& tasks) {
  return ProcessorWaits(tasks).seconds();
}

std::optional<double> this_thread_waited_for_processor() {
  const int file = open_in("/proc/thread-self");
  if (file == no_file) return {};
  const auto seconds = waited(file);
  close(file);
  return seconds;
}

}  // namespace bench

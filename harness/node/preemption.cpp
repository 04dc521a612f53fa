#include "harness/node/preemption.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <system_error>

namespace bench {

ProcessorWaits::ProcessorWaits(const std::filesystem::path& tasks) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    const int file = open((task.path() / "schedstat").c_str(), O_RDONLY | O_CLOEXEC);
    if (file >= 0) files_.push_back(file);
  }
}

ProcessorWaits::~ProcessorWaits() {
  for (const int file : files_) close(file);
}

std::optional<double> ProcessorWaits::seconds() const {
  constexpr double nanosecond = 1e-9;
  std::optional<double> seconds;
  for (const int file : files_) {
    std::array<char, 128> text{};  // `ran waited slices`, the first two in nanoseconds
    unsigned long long waited = 0;
    const ssize_t length = pread(file, text.data(), text.size() - 1, 0);
    if (length <= 0 || std::sscanf(text.data(), "%*u %llu", &waited) != 1) continue;
    seconds = seconds.value_or(0) + static_cast<double>(waited) * nanosecond;
  }
  return seconds;
}

std::optional<double> waited_for_processor(const std::filesystem::path& tasks) {
  return ProcessorWaits(tasks).seconds();
}

}  // namespace bench

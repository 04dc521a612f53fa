#include "harness/node/preemption.hpp"

#include <fstream>
#include <system_error>

namespace bench {

std::optional<double> waited_for_processor(const std::filesystem::path& tasks) {
  constexpr double nanosecond = 1e-9;
  std::optional<double> seconds;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream file(task.path() / "schedstat");
    double ran = 0;
    double waited = 0;
    if (file >> ran >> waited) seconds = seconds.value_or(0) + waited * nanosecond;
  }
  return seconds;
}

}  // namespace bench

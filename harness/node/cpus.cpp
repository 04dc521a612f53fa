#include "harness/node/cpus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "harness/node/bit_mask.hpp"
#include "harness/node/text_file.hpp"

namespace bench {
namespace {

using CpuMask = std::array<unsigned long, most_cpus / bits_per_word>;
constinit CpuMask mask_at_start{};

/// Runs before the constructors of the shared libraries, hence before an OpenMP runtime can pin the
/// main thread. Sanitizers are not awake yet at that point, so nothing here may be instrumented.
/// The raw system call, because the mask may be larger than the C library's cpu_set_t.
__attribute__((no_sanitize("address", "thread", "undefined"))) void remember_mask() {
  syscall(SYS_sched_getaffinity, 0, sizeof mask_at_start, &mask_at_start);
}
[[gnu::used, gnu::section(".preinit_array")]] void (*remember_mask_first)() = remember_mask;

}  // namespace

std::vector<int> allowed_cpus() {
  // musl does not remember it, since it does not run what must come first.
  return mask_at_start == CpuMask{} ? cpus_of_thread() : numbers_in(mask_at_start);
}

int threads_in_region() {
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

void unbind_thread() {
  if (mask_at_start == CpuMask{}) return;
  syscall(SYS_sched_setaffinity, 0, sizeof mask_at_start, &mask_at_start);
}

bool bind_thread(const std::vector<int>& cpus, int thread) {
  CpuMask mask{};
  for (const int cpu : cpus) {
    const auto bit = static_cast<std::size_t>(cpu);
    mask[bit / bits_per_word] |= 1UL << (bit % bits_per_word);
  }
  return syscall(SYS_sched_setaffinity, thread, sizeof mask, &mask) == 0;
}

Unbound::Unbound() : before_(cpus_of_thread()) { unbind_thread(); }
Unbound::~Unbound() { bind_thread(before_); }

std::vector<int> cpus_of_thread() {
  CpuMask mask{};
  syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask);
  return numbers_in(mask);
}

std::string cpu_list(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  std::vector<std::string> ranges;
  for (std::size_t first = 0, next = 0; first < cpus.size(); first = next) {
    for (next = first + 1; next < cpus.size() && cpus[next] <= cpus[next - 1] + 1;) ++next;
    const bool single = cpus[first] == cpus[next - 1];
    ranges.push_back(single ? fmt::format("{}", cpus[first])
                            : fmt::format("{}-{}", cpus[first], cpus[next - 1]));
  }
  return fmt::format("{}", fmt::join(ranges, ","));
}

std::vector<int> cpus_in(const std::string& list) {
  std::set<int> cpus;
  for (const std::string& range : split(list, ',')) {
    const std::size_t dash = range.find('-');
    const auto first = number<int>(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number<int>(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= most_cpus) return {};
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
  }
  return {cpus.begin(), cpus.end()};
}

}  // namespace bench

// Whether the threads of a warp access memory far apart: ThreadSanitizer is called for each access
// of a kernel, and these functions come first.
#include "harness/guests/device/apart.h"

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/sanitizers.hpp"

#if defined(BENCH_TSAN)
#include <sanitizer/common_interface_defs.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace bench::cuda::stand_in;

constexpr unsigned lanes = 32;
constexpr unsigned kept = 8;  // accesses of each lane

/// A load or a store of the first warp. Plain arrays: what containers do is instrumented.
struct Site {
  std::uintptr_t after;  // the call; 0: none yet
  unsigned bytes;
  bool in_arrays;  // else on the stack, or in shared memory
  unsigned times[lanes];
  std::uintptr_t at[kept][lanes];
};
Site sites[128];
bool noting = false;

BENCH_UNSEEN Site* site_of(std::uintptr_t after, const void* memory, unsigned bytes) {
  for (Site& one : sites) {
    if (one.after == 0) {
      one.after = after;
      one.bytes = bytes;
      one.in_arrays = within_reach(memory);
    }
    if (one.after == after) return &one;
  }
  return nullptr;
}

BENCH_UNSEEN void note(void* call, const void* memory, unsigned bytes) {
  if (noting || !in_kernel()) return;
  const uint3& block = position.block;
  const dim3& size = position.block_size;
  const unsigned lane =
      position.thread.x + size.x * (position.thread.y + size.y * position.thread.z);
  if (lane >= lanes || block.x + block.y + block.z > 0) return;
  noting = true;
  Site* const site = site_of(reinterpret_cast<std::uintptr_t>(call), memory, bytes);
  if (site != nullptr && site->in_arrays) {
    const unsigned before = site->times[lane]++;
    if (before < kept) site->at[before][lane] = reinterpret_cast<std::uintptr_t>(memory);
  }
  noting = false;
}

/// Whether all lanes come by equally often, and are as far apart as the first two but where a row
/// of the block ends: what depends on the data cannot be helped.
BENCH_UNSEEN bool is_regular(const Site& site) {
  constexpr unsigned most_rows = 8;
  for (const unsigned times : site.times) {
    if (times != site.times[0]) return false;
  }
  for (unsigned i = 0; i < kept && i < site.times[0]; ++i) {
    const std::uintptr_t(&at)[lanes] = site.at[i];
    unsigned others = 0;
    for (unsigned k = 1; k < lanes; ++k) others += at[k] - at[k - 1] != at[1] - at[0] ? 1 : 0;
    if (others >= most_rows) return false;
  }
  return true;
}

/// How many sectors an access takes: memory gives 32 bytes at a time.
BENCH_UNSEEN double sectors_of(const Site& site) {
  unsigned all = 0;
  unsigned accesses = 0;
  for (; accesses < kept && accesses < site.times[0]; ++accesses) {
    for (unsigned k = 0; k < lanes; ++k) {
      unsigned same = 0;
      while (site.at[accesses][same] / 32 != site.at[accesses][k] / 32) ++same;
      all += same == k ? 1 : 0;  // the first in it
    }
  }
  return accesses == 0 ? lanes : double{all} / accesses;
}

BENCH_UNSEEN double weight_of(const Site& site) {
  return site.times[0] * (is_regular(site) ? sectors_of(site) : lanes);
}

/// Farther than a vector of 16 bytes, which may be read as numbers one by one, or two of them.
BENCH_UNSEEN bool is_far_apart(const Site& site) {
  const auto distance = static_cast<std::intptr_t>(site.at[0][1] - site.at[0][0]);
  return std::abs(distance) > 32 && sectors_of(site) > 16;
}

}  // namespace

BENCH_UNSEEN void bench_guest::tell_apart(const char* name) {
  static double most = 0;
  const Site* hot = &sites[0];
  for (const Site& one : sites) {
    if (weight_of(one) > weight_of(*hot)) hot = &one;
  }
  // A warp that accesses neighbours needs as many sectors as an access has bytes.
  const double times = hot->bytes == 0 ? 0 : sectors_of(*hot) / hot->bytes;
  if (hot->in_arrays && is_regular(*hot) && is_far_apart(*hot) && times > most) {
    if (std::FILE* const file = std::fopen(name, "w")) {
      char line[4096];
      __sanitizer_symbolize_pc(reinterpret_cast<void*>(hot->after - 1), "%s:%l", line, sizeof line);
      std::fprintf(file, "%.0f %s\n", times, line);
      std::fclose(file);
      most = times;
    }
  }
  for (Site& one : sites) one = {};
}

extern "C" {
#define BENCH_ACCESS(name, bytes)                     \
  void name##_pc(void* memory, void* call);           \
  BENCH_UNSEEN void name(void* memory) {              \
    note(__builtin_return_address(0), memory, bytes); \
    name##_pc(memory, __builtin_return_address(0));   \
  }
BENCH_ACCESS(__tsan_read1, 1)
BENCH_ACCESS(__tsan_read2, 2)
BENCH_ACCESS(__tsan_read4, 4)
BENCH_ACCESS(__tsan_read8, 8)
BENCH_ACCESS(__tsan_read16, 16)
BENCH_ACCESS(__tsan_write1, 1)
BENCH_ACCESS(__tsan_write2, 2)
BENCH_ACCESS(__tsan_write4, 4)
BENCH_ACCESS(__tsan_write8, 8)
BENCH_ACCESS(__tsan_write16, 16)
}

#else

void bench_guest::tell_apart(const char*) {}

#endif

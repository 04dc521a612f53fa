#include "harness/place/memory.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "harness/place/guard.hpp"
#include "harness/workload/verify.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace bench {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20U;
constexpr std::size_t line = 64;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Calls f(begin, end) for each thread's equal part of [0, bytes), cut at pages.
template <class F>
void in_parts(std::size_t bytes, bool team, F f) {
  if (!team || bytes < huge_page) {
    f(std::size_t{0}, bytes);
    return;
  }
#pragma omp parallel
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t part = round_up(bytes / threads + 1, page);
    const std::size_t begin = std::min(bytes, thread * part);
    f(begin, std::min(bytes, begin + part));
  }
}

void evict_line(const unsigned char* address) {
#if defined(__x86_64__)
  _mm_clflush(address);
#elif defined(__aarch64__)
  asm volatile("dc civac, %0" : : "r"(address) : "memory");
#else
#error "evict() needs the instruction that flushes a cache line on this processor"
#endif
}

/// memset with streaming stores. `begin` lies at a page.
void fill_past_caches(unsigned char* begin, unsigned char byte, std::size_t bytes) {
#if defined(__x86_64__)
  const __m128i pattern = _mm_set1_epi8(static_cast<char>(byte));
  const std::size_t whole = bytes / sizeof pattern * sizeof pattern;
  for (std::size_t at = 0; at < whole; at += sizeof pattern) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(begin + at), pattern);
  }
  _mm_sfence();
  std::memset(begin + whole, byte, bytes - whole);
#else
  std::memset(begin, byte, bytes);
#endif
}

void evict_fence() {
#if defined(__x86_64__)
  _mm_mfence();
#elif defined(__aarch64__)
  asm volatile("dsb sy" : : : "memory");
#endif
}

}  // namespace

Memory anonymous_pages(std::size_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  // Room to begin at a huge page, so that the data can lie on whole ones.
  const std::size_t mapped = round_up(bytes, huge_page) + huge_page;
  void* const base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  void* aligned = base;
  std::size_t space = mapped;
  std::align(huge_page, bytes, aligned, space);
  madvise(aligned, round_up(bytes, huge_page), MADV_HUGEPAGE);  // a wish, not a need
  return {aligned, [base, mapped](void* /*memory*/) { munmap(base, mapped); }};
}

Buffer::Buffer(std::size_t bytes, Allocate& allocate)
    : bytes_(bytes),
      memory_(allocate(
          bytes <= std::numeric_limits<std::size_t>::max() / 2 ? bytes + 2 * guard::bytes : bytes)),
      data_(static_cast<unsigned char*>(memory_.get()) + guard::bytes) {
  poison();
  restore_guards();
}

void Buffer::poison(bool team) {
  in_parts(bytes_, team, [this](std::size_t begin, std::size_t end) {
    fill_past_caches(data_ + begin, poison_byte, end - begin);
  });
}

void Buffer::restore_guards() {
  std::memset(data_ - guard::bytes, guard::pattern, guard::bytes);
  std::memset(data_ + bytes_, guard::pattern, guard::bytes);
}

std::optional<std::string> Buffer::damage() const {
  return guard::damage(data_ - guard::bytes, data_ + bytes_);
}

void evict(const void* data, std::size_t bytes, bool team) {
  in_parts(bytes, team, [data](std::size_t begin, std::size_t end) {
    const auto* const bytes_of_data = static_cast<const unsigned char*>(data);
    for (std::size_t at = begin; at < end; at += line) evict_line(bytes_of_data + at);
    evict_fence();
  });
}

}  // namespace bench

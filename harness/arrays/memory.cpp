#include "harness/arrays/memory.hpp"

#include <fcntl.h>
#include <omp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "harness/arrays/guard.hpp"
#include "harness/workload/verify.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
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

/// Address space of that size that begins at a huge page, kept for what is mapped there.
struct Room {
  void* base = nullptr;
  std::size_t mapped = 0;
  void* aligned = nullptr;
};

Room room_for(std::size_t bytes, int protection) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  Room room;
  room.mapped = round_up(bytes, huge_page) + huge_page;
  room.base =
      mmap(nullptr, room.mapped, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room.base == MAP_FAILED) throw std::bad_alloc();
  room.aligned = room.base;
  std::size_t space = room.mapped;
  std::align(huge_page, bytes, room.aligned, space);
  return room;
}

/// Makes touched pages huge ones, whatever the system prefers; false where the kernel cannot.
bool collapse(void* begin, std::size_t bytes) {
  constexpr int madv_collapse = 25;  // older headers do not name it
  return madvise(begin, round_up(bytes, huge_page), madv_collapse) == 0;
}

int nameless_file() { return memfd_create("bench arrays", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

/// The pages of a file that has at least `bytes` bytes; `give_back` is called once they are no
/// longer used.
Memory pages_of(int file, std::size_t bytes, std::function<void()> give_back) {
  // Called where there is no room for them, too.
  const std::shared_ptr<void> given(
      nullptr, [give_back = std::move(give_back)](void* /*none*/) { give_back(); });
  const Room room = room_for(bytes, PROT_NONE);
  const std::size_t size = round_up(bytes, huge_page);
  Memory memory{{room.aligned, [room, given](void* /*memory*/) { munmap(room.base, room.mapped); }},
                file};
  const bool there = file >= 0 && mmap(room.aligned, size, PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  if (!there) throw std::bad_alloc();
  return memory;
}

#if defined(__x86_64__)
void evict_in_order(const unsigned char* data, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += line) _mm_clflush(data + at);
}

/// No line waits for the one before: up to 50 times as fast.
[[gnu::target("clflushopt")]] void evict_in_any_order(const unsigned char* data,
                                                      std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += line) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): it takes no const, and writes nothing
    _mm_clflushopt(const_cast<unsigned char*>(data + at));
  }
}

bool has_clflushopt() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_CLFLUSHOPT) != 0;
}

void evict_lines(const unsigned char* data, std::size_t bytes) {
  static const auto evict = has_clflushopt() ? evict_in_any_order : evict_in_order;
  evict(data, bytes);
  _mm_mfence();
}
#elif defined(__aarch64__)
void evict_lines(const unsigned char* data, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += line) {
    asm volatile("dc civac, %0" : : "r"(data + at) : "memory");
  }
  asm volatile("dsb sy" : : : "memory");
}
#else
#error "evict() needs the instruction that flushes a cache line on this processor"
#endif

/// memset with streaming stores. `begin` is the start of a page.
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

}  // namespace

Memory anonymous_pages(std::size_t bytes) {
  // It begins at a huge page, so that the data can be on whole ones.
  const Room room = room_for(bytes, PROT_READ | PROT_WRITE);
  madvise(room.aligned, round_up(bytes, huge_page), MADV_HUGEPAGE);  // a wish, not a need
  return {{room.aligned, [room](void* /*memory*/) { munmap(room.base, room.mapped); }},
          Memory::no_file};
}

Memory shared_pages(std::size_t bytes) {
  const int file = nameless_file();
  if (ftruncate(file, static_cast<off_t>(round_up(bytes, huge_page))) != 0) {
    close(file);
    throw std::bad_alloc();
  }
  return pages_of(file, bytes, [file] { close(file); });
}

/// The files are as long as any array may need, all holes; or as much as the user lets a file have.
ArrayFiles::ArrayFiles(std::size_t count)
    : bytes_(static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
             static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  bytes_ = std::min(bytes_, static_cast<std::size_t>(limit.rlim_cur));
  for (std::size_t i = 0; i < count; ++i) {
    all_.push_back(nameless_file());
    // A truncated file would end those who mapped it, so nobody can truncate it.
    if (all_.back() >= 0 && ftruncate(all_.back(), static_cast<off_t>(bytes_)) == 0 &&
        fcntl(all_.back(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
      continue;
    }
    throw std::system_error(errno, std::generic_category(), "no file for arrays");
  }
  free_ = {all_.rbegin(), all_.rend()};
}

ArrayFiles::~ArrayFiles() {
  for (const int file : all_) close(file);
}

Allocate pages_in(std::shared_ptr<ArrayFiles> files) {
  return [files = std::move(files)](std::size_t bytes) {
    if (files->free_.empty() || round_up(bytes, huge_page) > files->bytes_) throw std::bad_alloc();
    const int file = files->free_.back();
    files->free_.pop_back();
    return pages_of(file, bytes, [files, file] {
      // A process that still maps it must not keep its memory.
      [[maybe_unused]] const int emptied = fallocate(
          file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(files->bytes_));
      files->free_.push_back(file);
    });
  };
}

Memory mapped_pages(const std::string& file, std::size_t bytes, Access access) {
  const bool writes = access == Access::write;
  const std::size_t size = round_up(bytes, huge_page);
  const Room room = room_for(size, PROT_NONE);
  Memory memory{{room.aligned, [room](void* /*memory*/) { munmap(room.base, room.mapped); }},
                Memory::no_file};
  const int opened = open(file.c_str(), (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (opened < 0) throw std::system_error(errno, std::generic_category(), file);
  void* const mapped = mmap(room.aligned, size, writes ? PROT_READ | PROT_WRITE : PROT_READ,
                            MAP_SHARED | MAP_FIXED | MAP_POPULATE, opened, 0);
  const int why = errno;
  close(opened);
  if (mapped == MAP_FAILED) throw std::system_error(why, std::generic_category(), file);
  return memory;
}

bool shared_pages_are_huge() {
  const Memory memory = shared_pages(huge_page);
  std::memset(memory.pages.get(), 0, huge_page);
  return collapse(memory.pages.get(), huge_page);
}

Buffer::Buffer(std::size_t bytes, const Allocate& allocate)
    : bytes_(bytes),
      memory_(allocate(
          bytes <= std::numeric_limits<std::size_t>::max() / 2 ? bytes + 2 * guard::bytes : bytes)),
      data_(static_cast<unsigned char*>(memory_.pages.get()) + guard::bytes) {
  poison();
  restore_guards();
  // Now that each page is near those who will use it.
  if (file() != Memory::no_file) collapse(memory_.pages.get(), bytes_ + 2 * guard::bytes);
}

void Buffer::poison(bool team) {
  in_parts(bytes_, team, [this](std::size_t begin, std::size_t end) {
    fill_past_caches(data_ + begin, poison_byte, end - begin);
  });
}

void Buffer::restore_guards() {
  std::memset(data_ - guard::bytes, bands_.front, guard::bytes);
  std::memset(data_ + bytes_, bands_.back, guard::bytes);
}

std::optional<Reason> Buffer::damage() const {
  return guard::damage(bands_, data_ - guard::bytes, data_ + bytes_);
}

bool make_same(void* to, const void* from, std::size_t bytes) {
  std::atomic<bool> differed = false;
  in_parts(bytes, true, [&](std::size_t begin, std::size_t end) {
    auto* const there = static_cast<unsigned char*>(to) + begin;
    const auto* const wanted = static_cast<const unsigned char*>(from) + begin;
    if (std::memcmp(there, wanted, end - begin) == 0) return;
    differed = true;
    std::memcpy(there, wanted, end - begin);
  });
  return differed;
}

void evict(const void* data, std::size_t bytes, bool team) {
  in_parts(bytes, team, [data](std::size_t begin, std::size_t end) {
    evict_lines(static_cast<const unsigned char*>(data) + begin, end - begin);
  });
}

}  // namespace bench

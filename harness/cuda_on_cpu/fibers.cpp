#include "harness/cuda_on_cpu/fibers.hpp"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/sanitizers.hpp"

// Where the linker put the shared arrays of all kernels; absent where there are none.
extern "C" {
[[gnu::weak]] extern unsigned char __start_bench_shared[];
[[gnu::weak]] extern unsigned char __stop_bench_shared[];
}

namespace bench::cuda::stand_in {
namespace {

constexpr std::size_t stack_bytes = (asan || tsan ? 256 : 64) * std::size_t{1024};
/// ThreadSanitizer sees no race between threads that ran on one fiber. So under it each thread of a
/// block has its own, and the next block takes the next ones of the ring; elsewhere a fiber whose
/// thread has returned continues with the next thread.
constexpr unsigned most_fibers = most_together;

struct Fiber {
  ucontext_t begin;  // where a fiber starts
  void* resume[5];   // where another one was left: what __builtin_setjmp() keeps
  bool runs;         // has begun
  void* stack;       // of stack_bytes; null for the host
  // For AddressSanitizer: the same, and for the host what it says itself.
  const void* bottom;
  std::size_t size;
  void* fake_stack;
  void* identity;  // for ThreadSanitizer
  uint3 thread;
  std::uint64_t met[most_lanes];  // what the lanes of the warp brought to the last meeting
  const void* asks_at;            // where it asks which are active
  std::uint64_t active;           // the answer
  const void* flag;               // that it waited for last
  Line line;                      // that it has come to; number 0: not known
  AsyncCopy* copies;              // under way, `copying` of them, with room for more
  unsigned copying;
  unsigned copy_room;
  unsigned batch;  // that is open
  AsyncCopy due;
};

constexpr unsigned least_lanes = 32;
constexpr unsigned most_warps = most_threads / least_lanes;

/// A block that waits for the others of its grid, while they use what is the block's own.
struct Paused {
  uint3 block;
  unsigned first;    // its first fiber in the ring
  unsigned threads;  // that wait; 0: it has ended
  Fiber* waiting[most_threads];
  unsigned char* shared;  // what was in its shared memory
};

/// The lanes of a warp that wait for each other: at a shuffle, a vote, or __syncwarp().
struct Meeting {
  std::uint64_t mask;     // those to come
  std::uint64_t arrived;  // those that arrived
  Fiber* lanes[most_lanes];
};

// Plain arrays: the functions of containers would be instrumented. There is one scheduler, so only
// one thread of the host at a time may launch.
struct Scheduler {
  Fiber host;
  Fiber* left;     // the fiber, or the host, that was left last
  Fiber* current;  // the one that runs

  // One who has run for one stream has not seen what was done in another.
  Fiber* rings[stream_kinds][most_fibers];
  unsigned made[stream_kinds];  // fibers that there are
  Fiber** ring;                 // of the launch
  unsigned fibers;              // in the ring of this launch
  unsigned first;               // the first in the ring that this block uses

  const Launch* launch;
  unsigned threads;  // per block
  void* dynamic_shared;

  unsigned sequence[most_threads];  // in which the threads start
  Fiber* waiting[most_threads];     // at the barrier
  Fiber* released[most_threads];    // from the last barrier, in the order in which they go on
  Fiber* ready[most_threads];       // gave way, or have met the others of their warp
  unsigned started, finished, used, waits, releases, resumed, readies;
  Meeting meetings[most_warps][most_lanes];  // of each warp: of its parts, where masks divide it
  unsigned meetings_open;                    // where lanes wait
  void* shared[most_threads];                // that this block has come by, see share()
  std::size_t shared_bytes[most_threads];    // of each
  unsigned shares;
  Fiber* asking[most_threads];  // those that are active
  unsigned asks;
  Fiber* at_grid[most_threads];  // they wait for all threads of the grid
  unsigned grid_waits;
  Fiber* spinning[most_threads];  // they wait for a flag
  unsigned spins;
  unsigned looks;  // of them look at it
  bool news;       // one of those waits for another flag than before
  bool trapped;

  Order order;
  std::uint64_t random;
};
Scheduler s;
// Their addresses are what TSan knows them by: the barriers of the block and the grid, and
// meetings.
std::uint64_t barrier;
std::uint64_t grid_barrier;
std::uint64_t warp_barriers[most_warps][most_lanes];

BENCH_UNSEEN std::uint64_t random_below(std::uint64_t bound) {
  // splitmix64
  std::uint64_t z = s.random += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return (z ^ (z >> 31U)) % bound;
}

template <class T>
BENCH_UNSEEN void shuffle(T* items, unsigned count) {
  for (unsigned i = count; i > 1; --i) {
    const auto other = random_below(i);
    const T last = items[i - 1];
    items[i - 1] = items[other];
    items[other] = last;
  }
}

// ---- fibers ----

BENCH_UNSEEN void arrive(void* fake_stack) {
  const void* stack = nullptr;
  std::size_t size = 0;
  asan_arrive(fake_stack, &stack, &size);
  if (s.left == &s.host) {
    s.host.bottom = stack;
    s.host.size = size;
  }
}

#if defined(__clang__) && !defined(__x86_64__)
// It has the following on x86 only.
BENCH_UNSEEN void leave(Fiber& from, Fiber& to) { swapcontext(&from.begin, &to.begin); }
#else
// swapcontext() asks the kernel twice for the signals that are held, and AddressSanitizer's and
// ThreadSanitizer's own versions of it and of longjmp() do what only one stack needs. These are a
// few instructions, which are not intercepted.
[[noreturn]] BENCH_UNSEEN BENCH_OUTSIDE_RED_ZONES void resume(Fiber& fiber) {
  if (fiber.runs) __builtin_longjmp(fiber.resume, 1);
  fiber.runs = true;
  setcontext(&fiber.begin);
  std::abort();
}

[[gnu::noinline]] BENCH_UNSEEN BENCH_OUTSIDE_RED_ZONES void leave(Fiber& from, Fiber& to) {
  if (__builtin_setjmp(from.resume) == 0) resume(to);
}
#endif

BENCH_UNSEEN void switch_to(Fiber& to) {
  Fiber& from = *s.current;
  s.left = &from;
  s.current = &to;
  asan_leave(&from.fake_stack, to.bottom, to.size);
  tsan_become(to.identity);
  leave(from, to);
  arrive(from.fake_stack);
}

BENCH_UNSEEN Fiber& one_that_is_ready() {
  const unsigned last = s.readies - 1;
  const auto chosen =
      s.order == Order::shuffled ? static_cast<unsigned>(random_below(s.readies)) : last;
  Fiber& fiber = *s.ready[chosen];
  s.ready[chosen] = s.ready[last];
  s.readies = last;
  return fiber;
}

/// The fiber whose turn it is: first all threads start, then those go on that a barrier released;
/// now and then, and at last, those that are ready.
BENCH_UNSEEN Fiber& next() {
  const bool others = s.started < s.threads || s.resumed < s.releases;
  const bool now = !others || (s.order == Order::shuffled && random_below(2) == 0);
  if (s.readies > 0 && now) return one_that_is_ready();
  if (s.started < s.threads) return *s.ring[(s.first + s.used++) % s.fibers];
  if (s.resumed < s.releases) return *s.released[s.resumed++];
  return s.host;
}

BENCH_UNSEEN uint3 thread_at(unsigned index) {
  const dim3& block = s.launch->block;
  return {index % block.x, index / block.x % block.y, index / block.x / block.y};
}

BENCH_UNSEEN unsigned index_of(const uint3& thread) {
  const dim3& block = position.block_size;
  return thread.x + block.x * (thread.y + block.y * thread.z);
}
BENCH_UNSEEN unsigned own_index() { return index_of(position.thread); }

BENCH_UNSEEN std::uint64_t lane_bit(unsigned lane) { return std::uint64_t{1} << lane; }

BENCH_UNSEEN void fiber_main() {
  arrive(nullptr);
  for (;;) {
    Fiber& self = *s.current;
    position.thread = self.thread = thread_at(s.sequence[s.started++]);
    self.line = {};
    self.flag = nullptr;
    self.copying = self.batch = 0;
    s.launch->thread(s.launch->kernel);
    ++s.finished;
    if (tsan || s.started == s.threads || s.readies > 0) switch_to(next());
  }
}

BENCH_UNSEEN void prepare(Fiber& fiber) {
  fiber.runs = false;
  getcontext(&fiber.begin);
  fiber.begin.uc_stack.ss_sp = fiber.stack;
  fiber.begin.uc_stack.ss_size = stack_bytes;
  fiber.begin.uc_link = nullptr;
  makecontext(&fiber.begin, fiber_main, 0);
  fiber.fake_stack = nullptr;
  fiber.identity = tsan_create(stream_names[s.launch->stream]);
}

Fiber* new_fiber() {
  const auto guard = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* pages = mmap(nullptr, guard + stack_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  mprotect(pages, guard, PROT_NONE);
  auto* fiber = new Fiber{};
  fiber->stack = static_cast<unsigned char*>(pages) + guard;
  fiber->bottom = fiber->stack;
  fiber->size = stack_bytes;
  prepare(*fiber);
  return fiber;
}

/// The threads of a failed block never return: their fibers begin again.
BENCH_UNSEEN void abandon_block() {
  for (unsigned i = 0; i < s.used; ++i) {
    Fiber& fiber = *s.ring[(s.first + i) % s.fibers];
    asan_permit(fiber.stack, stack_bytes);  // the frames there are gone
    tsan_destroy(fiber.identity);
    prepare(fiber);
  }
  for (auto& of_warp : s.meetings) {
    for (Meeting& meeting : of_warp) meeting.arrived = 0;
  }
  s.meetings_open = 0;
}

// ---- what ThreadSanitizer is told ----

/// The threads of a launch see what its stream has seen, and the stream what they did. By one
/// object for all: a clock has an entry per fiber, and copying it for each pair is what a launch
/// takes longest.
BENCH_UNSEEN void synchronise_with_stream(bool before) {
  if (!tsan) return;
  if (before) tsan_release(s.launch->clock);
  for (unsigned i = 0; i < s.fibers; ++i) {
    tsan_become(s.ring[i]->identity);
    if (before) {
      tsan_acquire(s.launch->clock);
    } else {
      tsan_release(s.launch->clock);
    }
  }
  tsan_become(s.host.identity);
  if (!before) tsan_acquire(s.launch->clock);
}

/// Each of the fibers has seen what all of them did before; the one that runs stays the same.
BENCH_UNSEEN void synchronise(Fiber* const* fibers, unsigned count, void* object) {
  if constexpr (tsan) {
    for (unsigned i = 0; i < count; ++i) {
      tsan_become(fibers[i]->identity);
      tsan_release(object);
    }
    for (unsigned i = 0; i < count; ++i) {
      tsan_become(fibers[i]->identity);
      tsan_acquire(object);
    }
    tsan_become(s.current->identity);
  }
}

// ---- blocks ----

std::uint64_t pattern = 0x7ff4dead'7ff4dead;

// Volatile: the compiler would call memset(), and the sanitizers see that, with the red zones that
// are in the section of the shared arrays.
BENCH_UNSEEN BENCH_OUTSIDE_RED_ZONES volatile unsigned char* poison_byte(
    volatile unsigned char* at) {
  *at = static_cast<unsigned char>(pattern >> (reinterpret_cast<std::uintptr_t>(at) % 8 * 8));
  return at + 1;
}

BENCH_UNSEEN std::size_t static_shared_bytes() {
  return static_cast<std::size_t>(__stop_bench_shared - __start_bench_shared);
}

// Each block has its own: what the last one did there does not race with this one, and passing a
// barrier does not order the two.
BENCH_UNSEEN void forget_other_blocks() {
  tsan_forget(__start_bench_shared, static_shared_bytes());
  tsan_forget(s.dynamic_shared, s.launch->shared_bytes);
  tsan_forget(&barrier, sizeof barrier);
  tsan_forget(warp_barriers, sizeof warp_barriers);
}

BENCH_UNSEEN void refresh_shared_memory() {
  poison(__start_bench_shared, static_shared_bytes());
  poison(s.dynamic_shared, s.launch->shared_bytes);
  forget_other_blocks();
}

// Volatile, as in poison_byte().
BENCH_UNSEEN BENCH_OUTSIDE_RED_ZONES void copy_unseen(volatile unsigned char* to,
                                                      const volatile unsigned char* from,
                                                      std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

BENCH_UNSEEN void release_waiting() {
  synchronise(s.waiting, s.waits, &barrier);
  for (unsigned i = 0; i < s.waits; ++i) s.released[i] = s.waiting[i];
  s.releases = s.waits;
  s.resumed = s.waits = 0;
  if (s.order == Order::shuffled) shuffle(s.released, s.releases);
}

BENCH_UNSEEN void name_line(const Fiber& fiber) {
  const auto& [header, number] = fiber.line;
  if (number == 0) return;
  std::fprintf(stderr, "%s%s%d: ", header ? header : "line ", header ? ":" : "", number);
}

BENCH_UNSEEN bool complain_of_meetings() {
  if (s.meetings_open == 0) return false;
  const uint3 block = position.block;
  for (unsigned warp = 0; warp < most_warps; ++warp) {
    for (const Meeting& meeting : s.meetings[warp]) {
      if (meeting.arrived == 0) continue;
      name_line(*meeting.lanes[std::countr_zero(meeting.arrived)]);
      std::fprintf(
          stderr,
          "warp %u of block (%u,%u,%u): lanes 0x%llx wait for 0x%llx, which do not come to "
          "the shuffle, vote or __syncwarp\n",
          warp, block.x, block.y, block.z, static_cast<unsigned long long>(meeting.arrived),
          static_cast<unsigned long long>(meeting.mask & ~meeting.arrived));
      return true;
    }
  }
  return false;
}

/// Leaves the thread that runs, which nobody comes back to.
[[noreturn]] BENCH_UNSEEN void end_launch() {
  s.trapped = true;
  switch_to(s.host);
  std::abort();
}

/// No thread can go on: active are the lanes of a warp that ask so at the same place.
BENCH_UNSEEN bool answer_who_is_active() {
  if (s.asks == 0) return false;
  const Fiber& first = *s.asking[0];
  const unsigned warp = index_of(first.thread) / s.launch->lanes;
  const void* const place = first.asks_at;
  const unsigned before = s.readies;
  std::uint64_t lanes = 0;
  unsigned others = 0;
  for (unsigned i = 0; i < s.asks; ++i) {
    Fiber& one = *s.asking[i];
    const unsigned index = index_of(one.thread);
    if (one.asks_at == place && index / s.launch->lanes == warp) {
      lanes |= lane_bit(index % s.launch->lanes);
      s.ready[s.readies++] = &one;
    } else {
      s.asking[others++] = &one;
    }
  }
  s.asks = others;
  for (unsigned i = before; i < s.readies; ++i) s.ready[i]->active = lanes;
  return true;
}

/// No thread can go on: those that wait for a flag look at it, unless nothing has happened since
/// they did.
BENCH_UNSEEN bool look_at_flags() {
  if (s.spins == 0 || (s.spins == s.looks && !s.news)) return false;
  for (unsigned i = 0; i < s.spins; ++i) s.ready[s.readies++] = s.spinning[i];
  s.looks = s.spins;
  s.spins = 0;
  s.news = false;
  return true;
}

BENCH_UNSEEN bool complain_of_flags() {
  if (s.spins == 0) return false;
  const Fiber& first = *s.spinning[0];
  const uint3 block = position.block;
  name_line(first);
  std::fprintf(stderr,
               "thread (%u,%u,%u) of block (%u,%u,%u) waits for a flag that no thread sets which "
               "has started\n",
               first.thread.x, first.thread.y, first.thread.z, block.x, block.y, block.z);
  return true;
}

BENCH_UNSEEN bool complain_of_grid() {
  if (s.grid_waits == 0 || s.grid_waits == s.threads) return false;
  const uint3 block = position.block;
  name_line(*s.at_grid[0]);
  std::fprintf(stderr, "grid.sync() is reached by %u of %u threads of block (%u,%u,%u)\n",
               s.grid_waits, s.threads, block.x, block.y, block.z);
  return true;
}

/// Until all threads of the block have returned, or wait for the grid.
BENCH_UNSEEN bool go_on() {
  for (;;) {
    switch_to(next());  // comes back when no thread can go on
    if (s.trapped) return false;
    if (answer_who_is_active()) {
      s.news = true;
      continue;
    }
    if (look_at_flags()) continue;
    if (complain_of_flags() || complain_of_meetings() || complain_of_grid()) return false;
    if (s.waits == 0) return true;
    if (s.finished > 0) {
      const uint3 block = position.block;
      name_line(*s.waiting[0]);
      std::fprintf(stderr,
                   "__syncthreads is reached by %u of %u threads of block (%u,%u,%u): it is in an "
                   "if, or others returned before it\n",
                   s.waits, s.threads, block.x, block.y, block.z);
      return false;
    }
    release_waiting();
  }
}

BENCH_UNSEEN bool run_block() {
  refresh_shared_memory();
  s.started = s.finished = s.used = s.waits = s.releases = s.resumed = s.readies = s.asks =
      s.shares = s.spins = s.looks = s.grid_waits = 0;
  for (unsigned i = 0; i < s.threads; ++i) s.sequence[i] = i;
  if (s.order == Order::shuffled) shuffle(s.sequence, s.threads);
  return go_on();
}

BENCH_UNSEEN std::uint64_t blocks_in(const dim3& grid) {
  return std::uint64_t{grid.x} * grid.y * grid.z;
}

BENCH_UNSEEN uint3 block_at(std::uint64_t block, const dim3& grid) {
  const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
  return {static_cast<unsigned>(block % grid.x), static_cast<unsigned>(block % plane / grid.x),
          static_cast<unsigned>(block / plane)};
}

BENCH_UNSEEN bool run_blocks(const dim3& grid) {
  const std::uint64_t blocks = blocks_in(grid);
  std::uint64_t block = 0;
  std::uint64_t step = 1;
  if (s.order == Order::shuffled) {
    block = random_below(blocks);
    // Any step without a common divisor comes by every block once.
    do {
      step = 1 + random_below(blocks);
    } while (std::gcd(step, blocks) != 1);
  }
  for (std::uint64_t i = 0; i < blocks; ++i, block = (block + step) % blocks) {
    position.block = block_at(block, grid);
    if (!run_block()) return false;
    if (tsan) s.first = (s.first + s.threads) % s.fibers;
  }
  return true;
}

// ---- grids that wait for themselves ----

/// Puts aside what is the block's own, where it waits for the grid.
BENCH_UNSEEN void pause(Paused& one) {
  one.threads = s.grid_waits;
  for (unsigned i = 0; i < s.grid_waits; ++i) one.waiting[i] = s.at_grid[i];
  copy_unseen(one.shared, __start_bench_shared, static_shared_bytes());
  copy_unseen(one.shared + static_shared_bytes(), static_cast<unsigned char*>(s.dynamic_shared),
              s.launch->shared_bytes);
}

BENCH_UNSEEN bool resume_block(const Paused& one) {
  position.block = one.block;
  copy_unseen(__start_bench_shared, one.shared, static_shared_bytes());
  copy_unseen(static_cast<unsigned char*>(s.dynamic_shared), one.shared + static_shared_bytes(),
              s.launch->shared_bytes);
  forget_other_blocks();
  s.first = one.first;
  s.finished = s.waits = s.resumed = s.readies = s.asks = s.spins = s.looks = s.grid_waits = 0;
  for (unsigned i = 0; i < one.threads; ++i) s.released[i] = one.waiting[i];
  s.releases = one.threads;
  if (s.order == Order::shuffled) shuffle(s.released, s.releases);
  return go_on();
}

/// All threads that wait have seen what all of them did before.
BENCH_UNSEEN void synchronise_grid(const Paused* all, unsigned blocks) {
  if (!tsan) return;
  auto** const fibers = static_cast<Fiber**>(std::malloc(most_together * sizeof(Fiber*)));
  unsigned count = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    for (unsigned i = 0; i < all[b].threads; ++i) fibers[count++] = all[b].waiting[i];
  }
  synchronise(fibers, count, &grid_barrier);
  std::free(fibers);
}

BENCH_UNSEEN bool run_to_the_end(Paused* all, unsigned blocks, const dim3& grid) {
  for (unsigned b = 0; b < blocks; ++b) {
    all[b].block = position.block = block_at(b, grid);
    all[b].first = s.first = b * s.threads;
    if (!run_block()) return false;
    pause(all[b]);
  }
  for (;;) {
    unsigned waiting = 0;
    for (unsigned b = 0; b < blocks; ++b) waiting += all[b].threads > 0 ? 1 : 0;
    if (waiting == 0) return true;
    if (waiting < blocks) {
      std::fprintf(stderr, "grid.sync() is reached by %u of %u blocks\n", waiting, blocks);
      return false;
    }
    synchronise_grid(all, blocks);
    const auto first =
        s.order == Order::shuffled ? static_cast<unsigned>(random_below(blocks)) : 0U;
    for (unsigned i = 0; i < blocks; ++i) {
      Paused& one = all[(first + i) % blocks];
      if (!resume_block(one)) return false;
      pause(one);
    }
  }
}

BENCH_UNSEEN bool run_together(const dim3& grid) {
  const auto blocks = static_cast<unsigned>(blocks_in(grid));
  const std::size_t bytes = static_shared_bytes() + s.launch->shared_bytes;
  auto* const all = static_cast<Paused*>(std::calloc(blocks, sizeof(Paused)));
  auto* const shared = static_cast<unsigned char*>(std::malloc(blocks * bytes + 1));
  if (all == nullptr || shared == nullptr) throw std::bad_alloc();
  for (unsigned b = 0; b < blocks; ++b) all[b].shared = shared + b * bytes;
  const bool good = run_to_the_end(all, blocks, grid);
  if (!good) {  // all of them begin again
    s.first = 0;
    s.used = s.fibers;
  }
  std::free(shared);
  std::free(all);
  return good;
}

}  // namespace

BENCH_UNSEEN BENCH_OUTSIDE_RED_ZONES void poison(void* memory, std::size_t bytes) {
  // By cache lines: this is what a block of few threads takes longest.
  using Words [[gnu::vector_size(16), gnu::may_alias]] = std::uint64_t;
  struct CacheLine {
    volatile Words words[4];
  };
  const Words words{pattern, pattern};
  auto* at = static_cast<volatile unsigned char*>(memory);
  volatile unsigned char* const end = at + bytes;
  while (at < end && reinterpret_cast<std::uintptr_t>(at) % sizeof(CacheLine) != 0)
    at = poison_byte(at);
  for (; end - at >= static_cast<std::ptrdiff_t>(sizeof(CacheLine)); at += sizeof(CacheLine)) {
    auto& line = *reinterpret_cast<volatile CacheLine*>(at);
    line.words[0] = words;
    line.words[1] = words;
    line.words[2] = words;
    line.words[3] = words;
  }
  while (at < end) at = poison_byte(at);
}

void start_with_zeros() { pattern = 0; }

void set_order(Order order, std::uint64_t seed) {
  s.order = order;
  s.random = seed;
}

BENCH_UNSEEN bool in_kernel() { return s.current != nullptr && s.current != &s.host; }

BENCH_UNSEEN void forget_others(void* address, std::size_t bytes) { tsan_forget(address, bytes); }

BENCH_UNSEEN void wait_for_grid() {
  if (!s.launch->cooperative) {
    std::fprintf(stderr, "grid.sync() in a launch that is not cooperative\n");
    __trap();
  }
  Fiber& self = *s.current;
  s.at_grid[s.grid_waits++] = &self;
  switch_to(next());
  position.thread = self.thread;
}

BENCH_UNSEEN void begin_copy(const AsyncCopy& copy) {
  Fiber& self = *s.current;
  if (self.copying == self.copy_room) {
    const unsigned room = 2 * self.copy_room + 8;
    auto* const all = static_cast<AsyncCopy*>(std::malloc(room * sizeof(AsyncCopy)));
    if (all == nullptr) throw std::bad_alloc();
    for (unsigned i = 0; i < self.copying; ++i) all[i] = self.copies[i];
    std::free(self.copies);
    self.copies = all;
    self.copy_room = room;
  }
  AsyncCopy& mine = self.copies[self.copying++];
  mine = copy;
  mine.batch = self.batch;
}

BENCH_UNSEEN void close_batch() { ++s.current->batch; }

BENCH_UNSEEN const AsyncCopy* due_copy(unsigned but_last) {
  Fiber& self = *s.current;
  if (self.copying == 0 || self.copies[0].batch + but_last >= self.batch) return nullptr;
  self.due = self.copies[0];
  --self.copying;
  for (unsigned i = 0; i < self.copying; ++i) self.copies[i] = self.copies[i + 1];
  return &self.due;
}

BENCH_UNSEEN void* dynamic_shared_bytes() { return s.dynamic_shared; }

BENCH_UNSEEN void give_way() {
  constexpr std::uint64_t seldom = 8;
  if (s.order != Order::shuffled || random_below(seldom) != 0) return;
  Fiber& self = *s.current;
  s.ready[s.readies++] = &self;
  Fiber& to = next();
  if (&to == &self) return;
  switch_to(to);
  position.thread = self.thread;
}

BENCH_UNSEEN void wait_for(const void* flag) {
  Fiber& self = *s.current;
  s.news |= self.flag != flag;
  self.flag = flag;
  s.spinning[s.spins++] = &self;
  switch_to(next());
  position.thread = self.thread;
}

/// The meeting of these lanes that has begun, or an empty one. There is one: each lane is
/// at one at most.
BENCH_UNSEEN unsigned meeting_of(std::uint64_t mask, const Meeting* all) {
  unsigned unused = 0;
  for (unsigned i = 0; i < s.launch->lanes; ++i) {
    if (all[i].arrived == 0) unused = i;
    if (all[i].arrived != 0 && all[i].mask == mask) return i;
  }
  return unused;
}

BENCH_UNSEEN unsigned lane() { return own_index() % s.launch->lanes; }

BENCH_UNSEEN const std::uint64_t* meet(std::uint64_t mask, std::uint64_t value, bool fence) {
  Fiber& self = *s.current;
  const unsigned warp = own_index() / s.launch->lanes;
  const unsigned which = meeting_of(mask, s.meetings[warp]);
  Meeting& meeting = s.meetings[warp][which];
  const std::uint64_t bit = lane_bit(lane());
  if ((mask & bit) == 0) {
    const uint3 block = position.block;
    name_line(self);
    std::fprintf(stderr, "warp %u of block (%u,%u,%u): lane %u is not in its own mask 0x%llx\n",
                 warp, block.x, block.y, block.z, lane(), static_cast<unsigned long long>(mask));
    end_launch();
  }
  if (meeting.arrived == 0) ++s.meetings_open;
  meeting.mask = mask;
  meeting.arrived |= bit;
  meeting.lanes[lane()] = &self;
  self.met[lane()] = value;
  if (meeting.arrived != mask) {
    switch_to(next());
    position.thread = self.thread;
    return self.met;
  }
  meeting.arrived = 0;
  --s.meetings_open;
  Fiber* there[most_lanes];
  unsigned count = 0;
  for (unsigned i = 0; i < s.launch->lanes; ++i) {
    if ((mask & lane_bit(i)) != 0) there[count++] = meeting.lanes[i];
  }
  for (unsigned i = 0; i < s.launch->lanes; ++i) {
    if ((mask & lane_bit(i)) == 0) continue;
    const std::uint64_t brought = meeting.lanes[i]->met[i];
    for (unsigned k = 0; k < count; ++k) there[k]->met[i] = brought;
  }
  if (fence) synchronise(there, count, &warp_barriers[warp][std::countr_zero(mask)]);
  for (unsigned k = 0; k < count; ++k) {
    if (there[k] != &self) s.ready[s.readies++] = there[k];
  }
  return self.met;
}

BENCH_UNSEEN void at(const Line& line) {
  if (s.current != nullptr) s.current->line = line;
}

BENCH_UNSEEN void share(void* memory, std::size_t bytes) {
  for (unsigned i = 0; i < s.shares; ++i) {
    if (s.shared[i] == memory) return;
  }
  if (s.shares == most_threads) std::abort();
  s.shared_bytes[s.shares] = bytes;
  s.shared[s.shares++] = memory;
  poison(memory, bytes);
  tsan_forget(memory, bytes);
}

#if defined(BENCH_TSAN)
namespace {

BENCH_UNSEEN bool is_within(const void* address, const void* begin, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin) <
         bytes;
}

/// Whether a volatile access may race. PTX gives it the meaning of a relaxed atomic one, which does
/// not. In shared memory it may all the same: it was written for warps in lockstep.
BENCH_UNSEEN bool races(const void* address) {
  bool shared = is_within(address, __start_bench_shared, static_shared_bytes()) ||
                (in_kernel() && is_within(address, s.dynamic_shared, s.launch->shared_bytes));
  for (unsigned i = 0; !shared && i < s.shares; ++i) {
    shared = is_within(address, s.shared[i], s.shared_bytes[i]);
  }
  if (!shared && in_kernel()) give_way();
  return shared;
}

}  // namespace
#endif

BENCH_UNSEEN std::uint64_t active_lanes(const void* place) {
  Fiber& self = *s.current;
  self.asks_at = place;
  s.asking[s.asks++] = &self;
  switch_to(next());
  position.thread = self.thread;
  return self.active;
}

BENCH_UNSEEN bool run(const Launch& launch) {
  s.launch = &launch;
  s.threads = launch.block.x * launch.block.y * launch.block.z;
  s.trapped = false;
  s.dynamic_shared = nullptr;
  if (launch.shared_bytes > 0 && posix_memalign(&s.dynamic_shared, 16, launch.shared_bytes) != 0) {
    throw std::bad_alloc();
  }
  const std::uint64_t blocks = blocks_in(launch.grid);
  s.fibers = tsan && blocks > 1 ? 2 * s.threads + 1 : s.threads;
  if (launch.cooperative) s.fibers = static_cast<unsigned>(blocks) * s.threads;
  s.first = 0;
  const unsigned kind = tsan ? launch.stream : 0;
  s.ring = s.rings[kind];
  for (unsigned& made = s.made[kind]; made < s.fibers; ++made) s.ring[made] = new_fiber();
  s.host.identity = tsan_current();
  s.host.runs = true;
  s.current = &s.host;
  position.block_size = launch.block;
  position.grid = launch.grid;

  synchronise_with_stream(/*before=*/true);
  const bool good = launch.cooperative ? run_together(launch.grid) : run_blocks(launch.grid);
  synchronise_with_stream(/*before=*/false);
  if (!good) abandon_block();
  std::free(s.dynamic_shared);
  s.dynamic_shared = nullptr;
  return good;
}

}  // namespace bench::cuda::stand_in

BENCH_UNSEEN void __syncthreads() {
  using namespace bench::cuda::stand_in;
  Fiber& self = *s.current;
  s.waiting[s.waits++] = &self;
  switch_to(next());
  position.thread = self.thread;
}

BENCH_UNSEEN void __trap() {
  using namespace bench::cuda::stand_in;
  const uint3 block = position.block;
  const uint3 thread = position.thread;
  name_line(*s.current);
  std::fprintf(stderr, "trap in thread (%u,%u,%u) of block (%u,%u,%u)\n", thread.x, thread.y,
               thread.z, block.x, block.y, block.z);
  end_launch();
}

#if defined(BENCH_TSAN)
// What the compiler calls at a volatile access if it is to tell them from others.
#define BENCH_VOLATILE(kind, bytes)                                  \
  void __tsan_##kind##bytes##_pc(void* address, void* place);        \
  BENCH_UNSEEN void __tsan_volatile_##kind##bytes(void* address) {   \
    if (!bench::cuda::stand_in::races(address)) return;              \
    __tsan_##kind##bytes##_pc(address, __builtin_return_address(0)); \
  }
extern "C" {
BENCH_VOLATILE(read, 1)
BENCH_VOLATILE(read, 2)
BENCH_VOLATILE(read, 4)
BENCH_VOLATILE(read, 8)
BENCH_VOLATILE(read, 16)
BENCH_VOLATILE(write, 1)
BENCH_VOLATILE(write, 2)
BENCH_VOLATILE(write, 4)
BENCH_VOLATILE(write, 8)
BENCH_VOLATILE(write, 16)
}
#undef BENCH_VOLATILE
#endif

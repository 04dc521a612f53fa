// What the sanitizers have to be told of fibers and of shared memory; nothing in builds without.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#define BENCH_HAS_FEATURE(name) __has_feature(name)
#else
#define BENCH_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || BENCH_HAS_FEATURE(address_sanitizer)
#define BENCH_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__) || BENCH_HAS_FEATURE(thread_sanitizer)
#define BENCH_TSAN 1
#include <sanitizer/tsan_interface.h>
extern "C" {
void __tsan_java_init(std::uintptr_t heap, std::uintptr_t bytes);
void __tsan_java_alloc(std::uintptr_t memory, std::uintptr_t bytes);
void __tsan_java_free(std::uintptr_t memory, std::uintptr_t bytes);
}
#endif

// The scheduler's own state is not data of the kernels.
#if BENCH_HAS_FEATURE(thread_sanitizer)
#define BENCH_UNSEEN __attribute__((disable_sanitizer_instrumentation))
#else
#define BENCH_UNSEEN __attribute__((no_sanitize("thread")))
#endif
#define BENCH_OUTSIDE_RED_ZONES __attribute__((no_sanitize("address")))

namespace bench::cuda::stand_in {

#if defined(BENCH_ASAN)
constexpr bool asan = true;
inline void asan_leave(void** fake_stack, const void* next_stack, std::size_t size) {
  __sanitizer_start_switch_fiber(fake_stack, next_stack, size);
}
inline void asan_arrive(void* fake_stack, const void** last_stack, std::size_t* size) {
  __sanitizer_finish_switch_fiber(fake_stack, last_stack, size);
}
/// Code that touches it is stopped, or not.
inline void asan_forbid(const void* memory, std::size_t size) {
  __asan_poison_memory_region(memory, size);
}
inline void asan_permit(const void* memory, std::size_t size) {
  __asan_unpoison_memory_region(memory, size);
}
#else
constexpr bool asan = false;
inline void asan_leave(void**, const void*, std::size_t) {}
inline void asan_arrive(void*, const void**, std::size_t*) {}
inline void asan_forbid(const void*, std::size_t) {}
inline void asan_permit(const void*, std::size_t) {}
#endif

#if defined(BENCH_TSAN)
constexpr bool tsan = true;
BENCH_UNSEEN inline void* tsan_create(const char* name) {
  void* const identity = __tsan_create_fiber(0);
  __tsan_set_fiber_name(identity, name);
  return identity;
}
BENCH_UNSEEN inline void tsan_destroy(void* identity) { __tsan_destroy_fiber(identity); }
BENCH_UNSEEN inline void* tsan_current() { return __tsan_get_current_fiber(); }
/// What follows is done by this fiber, which has not seen for that what was done before.
BENCH_UNSEEN inline void tsan_become(void* identity) {
  __tsan_switch_to_fiber(identity, __tsan_switch_to_fiber_no_sync);
}
BENCH_UNSEEN inline void tsan_release(void* object) { __tsan_release(object); }
BENCH_UNSEEN inline void tsan_acquire(void* object) { __tsan_acquire(object); }
/// This memory is untouched so far. Only the interface for Java's memory says so without saying
/// what freed it; as Java's heap, which reports search for blocks, it gets a place where nothing
/// is.
BENCH_UNSEEN inline void tsan_forget(void* memory, std::size_t bytes) {
  static const bool ready = (__tsan_java_init(8, 8), true);
  if (!ready || bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory) / 8 * 8;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes + 7) / 8 * 8;
  __tsan_java_free(begin, end - begin);
  __tsan_java_alloc(begin, end - begin);
}
#else
constexpr bool tsan = false;
inline void* tsan_create(const char*) { return nullptr; }
inline void tsan_destroy(void*) {}
inline void* tsan_current() { return nullptr; }
inline void tsan_become(void*) {}
inline void tsan_release(void*) {}
inline void tsan_acquire(void*) {}
inline void tsan_forget(void*, std::size_t) {}
#endif

}  // namespace bench::cuda::stand_in

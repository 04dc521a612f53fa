/* Tells ThreadSanitizer what orders the threads of OpenMP, whose runtime it cannot see into.
   Compiled into a user's kernel, C or C++, whose calls of the runtime come here first. */

#ifdef __cplusplus
extern "C" {
#endif

void* dlsym(void*, const char*);
void __tsan_acquire(void*);
void __tsan_release(void*);

#define BENCH_UNSEEN __attribute__((no_sanitize_thread))
#define BENCH_HERE BENCH_UNSEEN __attribute__((visibility("hidden")))
/* That of the process. */
#define BENCH_REAL(NAME, TYPE) ((TYPE)dlsym((void*)0, #NAME))

typedef void (*BenchBody)(void*);
struct BenchRegion {
  BenchBody body;
  void* data;
};

static char bench_begin, bench_end, bench_barriers[2], bench_critical, bench_atomic;
static __thread unsigned bench_phase;

/* What comes before a region is known in it, and what comes in it is known after it. */
BENCH_UNSEEN static void bench_inside(void* region) {
  const struct BenchRegion* one = (const struct BenchRegion*)region;
  bench_phase = 0;
  __tsan_acquire(&bench_begin);
  one->body(one->data);
  __tsan_release(&bench_end);
}

typedef void (*BenchParallel)(BenchBody, void*, unsigned, unsigned);
BENCH_HERE void GOMP_parallel(BenchBody body, void* data, unsigned threads, unsigned flags) {
  struct BenchRegion region = {body, data};
  __tsan_release(&bench_begin);
  BENCH_REAL(GOMP_parallel, BenchParallel)(bench_inside, &region, threads, flags);
  __tsan_acquire(&bench_end);
}

typedef void (*BenchLoop)(BenchBody, void*, unsigned, long, long, long, long, unsigned);
#define BENCH_LOOP(NAME)                                                                         \
  BENCH_HERE void NAME(BenchBody body, void* data, unsigned threads, long begin, long end,       \
                       long step, long chunk, unsigned flags) {                                  \
    struct BenchRegion region = {body, data};                                                    \
    __tsan_release(&bench_begin);                                                                \
    BENCH_REAL(NAME, BenchLoop)(bench_inside, &region, threads, begin, end, step, chunk, flags); \
    __tsan_acquire(&bench_end);                                                                  \
  }
BENCH_LOOP(GOMP_parallel_loop_dynamic)
BENCH_LOOP(GOMP_parallel_loop_guided)
BENCH_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
BENCH_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

typedef void (*BenchPlain)(void);
typedef void (*BenchOfLock)(void*);

/* Two take turns: nobody is at the next but one before all have left this one. */
#define BENCH_BARRIER(NAME)                          \
  BENCH_HERE void NAME(void) {                       \
    char* here = &bench_barriers[bench_phase++ % 2]; \
    __tsan_release(here);                            \
    BENCH_REAL(NAME, BenchPlain)();                  \
    __tsan_acquire(here);                            \
  }
BENCH_BARRIER(GOMP_barrier)
BENCH_BARRIER(GOMP_loop_end)

#define BENCH_LOCK(START, END, LOCK) \
  BENCH_HERE void START(void) {      \
    BENCH_REAL(START, BenchPlain)(); \
    __tsan_acquire(LOCK);            \
  }                                  \
  BENCH_HERE void END(void) {        \
    __tsan_release(LOCK);            \
    BENCH_REAL(END, BenchPlain)();   \
  }
BENCH_LOCK(GOMP_critical_start, GOMP_critical_end, &bench_critical)
BENCH_LOCK(GOMP_atomic_start, GOMP_atomic_end, &bench_atomic)

#define BENCH_NAMED_LOCK(START, END, TYPE) \
  BENCH_HERE void START(TYPE* lock) {      \
    BENCH_REAL(START, BenchOfLock)(lock);  \
    __tsan_acquire(lock);                  \
  }                                        \
  BENCH_HERE void END(TYPE* lock) {        \
    __tsan_release(lock);                  \
    BENCH_REAL(END, BenchOfLock)(lock);    \
  }
BENCH_NAMED_LOCK(GOMP_critical_name_start, GOMP_critical_name_end, void*)
BENCH_NAMED_LOCK(omp_set_lock, omp_unset_lock, void)

#ifdef __cplusplus
}
#endif

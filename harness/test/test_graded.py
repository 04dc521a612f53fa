"""Cheats in a graded run: none gets a time. What is honest does."""
# CTest: release full

import json
import re
import sys

import numpy as np
import pytest

GRADED = ["--graded", "--samples", "12", "--max-time", "1", "--patience", "10"]
CPP = """
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
#include <fcntl.h>
#include <signal.h>
#include <sched.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static void honest(const float* x, float* e, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const float s = std::sin(x[i]);
    e[i] = s * s + std::sqrt(std::fabs(x[i])) + std::exp(-x[i] * x[i] / 50);
  }
}
"""


def energy(body, before=""):
    return f"{CPP}{before}\nvoid energy_f32(const float* x, float* energy, size_t n) {{ {body} }}\n"


def replay(same):
    """Computes once, and again only where the input does not look the same."""
    return energy(
        f"if (kept.size() == n && ({same})) {{ std::memcpy(energy, kept.data(), n * 4); return; }}"
        "honest(x, energy, n); kept.assign(energy, energy + n); seen.assign(x, x + n); where = x;",
        "static std::vector<float> kept, seen; static const float* where;",
    )


CHEATS = {
    "does_nothing": energy(""),
    "returns_zero": energy("std::memset(energy, 0, n * 4);"),
    "copies_its_input": energy("std::memcpy(energy, x, n * 4);"),
    "replays_by_pointer": replay("where == x"),
    "replays_by_size": replay("true"),
    "replays_by_the_first_element": replay("seen[0] == x[0]"),
    "replays_by_three_elements": replay(
        "seen[0] == x[0] && seen[n / 2] == x[n / 2] && seen[n - 1] == x[n - 1]"
    ),
    # Every hundredth would find a change in half of the samples: it computes in these, and where a
    # busy node leaves few samples it computes in all of them.
    "replays_by_every_thousandth": replay(
        "[&] { for (size_t i = 0; i < n; i += 1000) if (seen[i] != x[i]) return false;"
        " return true; }()"
    ),
    # Continued for what is not timed, it would have computed before the clock starts.
    "computes_when_continued": energy(
        "if (!in) { kept.resize(n); size = n; in = x; honest(x, energy, n); return; }"
        "if (!done) honest(x, kept.data(), n); done = false;"
        "std::memcpy(energy, kept.data(), n * 4);",
        "static std::vector<float> kept; static const float* in; static size_t size;"
        "static volatile bool done; static void continued(int) {"
        " if (in && !done) { honest(in, kept.data(), size); done = true; } }"
        "__attribute__((constructor)) static void load() { signal(SIGCONT, continued); }",
    ),
    "second_half_from_before": energy(
        "honest(x, energy, n / 2); if (!kept.size()) { kept.resize(n);"
        " honest(x, kept.data(), n); } std::memcpy(energy + n / 2, kept.data() + n / 2, n * 2);",
        "static std::vector<float> kept;",
    ),
    "every_other_element": energy(
        "honest(x, energy, 1); for (size_t i = 0; i < n; i += 2) honest(x + i, energy + i, 1);"
    ),
    "interpolates": energy(
        "for (size_t i = 0; i + 1 < n; i += 2)"
        " { honest(x + i, energy + i, 1); energy[i + 1] = energy[i]; }"
    ),
    "low_precision": energy(
        "for (size_t i = 0; i < n; ++i) { _Float16 h; float f; honest(x + i, &f, 1);"
        " energy[i] = (float)(int)(f * 256) / 256; }"
    ),
    "leaves_the_last_out": energy("honest(x, energy, n - 1);"),
    "stops_early_later": energy("honest(x, energy, ++calls > 5 ? n / 2 : n);", "static int calls;"),
    "right_at_first_only": energy("if (++calls < 4) honest(x, energy, n);", "static int calls;"),
    "a_thread_finishes_later": energy(
        "std::thread([=] { usleep(3000); honest(x, energy, n); }).detach();"
    ),
    "a_thread_begins_at_once": energy("std::thread([=] { honest(x, energy, n); }).detach();"),
    "a_child_finishes_later": energy(
        "if (fork() == 0) { usleep(3000); honest(x, energy, n); _exit(0); }"
    ),
    "forges_the_answer": energy(
        'const char forged[] = "{\\"seconds\\": 1e-9}\\n";'
        " (void)!write(3, forged, sizeof forged - 1); honest(x, energy, n);"
    ),
    "looks_for_the_poison": energy(
        "unsigned first; std::memcpy(&first, energy, 4); if (first == poison) {"
        " honest(x, energy, 64); } else honest(x, energy, n); std::memcpy(&poison, energy, 4);",
        "static unsigned poison = 0xFFFFFFFFu;",
    ),
    "flushes_to_zero_and_truncates": energy(
        "__builtin_ia32_ldmxcsr(0xFFC0); honest(x, energy, n);"
        " for (size_t i = 0; i < n; ++i) energy[i] = std::floor(energy[i] * 1024) / 1024;"
    ),
    "remembers_all_of_its_input": energy(
        "if (seen.size() != n) {"
        " seen.assign(x, x + n); kept.resize(n); honest(x, kept.data(), n); }"
        " for (size_t i = 0; i < n; ++i) if (seen[i] != x[i]) {"
        " seen[i] = x[i]; honest(x + i, kept.data() + i, 1); }"
        " std::memcpy(energy, kept.data(), n * 4);",
        "static std::vector<float> kept, seen;",
    ),
    "is_honest_in_every_third_call": energy(
        "if (++calls % 3 == 0) return honest(x, energy, n);"
        " if (seen.size() != n) {"
        " seen.assign(x, x + n); kept.resize(n); honest(x, kept.data(), n); }"
        " for (size_t i = 0; i < n; ++i) if (seen[i] != x[i]) {"
        " seen[i] = x[i]; honest(x + i, kept.data() + i, 1); }"
        " std::memcpy(energy, kept.data(), n * 4);",
        "static std::vector<float> kept, seen; static int calls;",
    ),
    # Honest again before all of its results are looked at.
    "writes_only_what_has_changed": energy(
        "size_t changed = n; if (seen.size() == n) { changed = 0;"
        " for (size_t i = 0; i < n; ++i) changed += seen[i] != x[i]; }"
        " if (n < 10000 || !changed || changed > 100 || ++calls > 7) { honest(x, energy, n);"
        " seen.assign(x, x + n); return; }"
        " for (size_t i = 0; i < n; ++i) if (seen[i] != x[i]) honest(x + i, energy + i, 1);",
        "static std::vector<float> seen; static int calls;",
    ),
    "leaves_the_session": energy(
        "if (fork() == 0) { setsid(); usleep(3000); honest(x, energy, n); _exit(0); }"
    ),
    # What follows computes once it has got where it must not get.
    "writes_into_the_harness": energy(
        'char file[64]; std::sprintf(file, "/proc/%d/mem", getppid());'
        " if (open(file, O_RDWR) >= 0) honest(x, energy, n);"
    ),
    "stops_the_harness": energy("if (kill(getppid(), SIGSTOP) == 0) honest(x, energy, n);"),
    "changes_modes": energy(
        'if (chmod(".", 0700) == 0 || fchmodat(AT_FDCWD, ".", 0700, 0) == 0) honest(x, energy, n);'
    ),
    "writes_a_file": energy('if (std::fopen("left_here", "w")) honest(x, energy, n);'),
    "asks_the_network": energy("if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) honest(x, energy, n);"),
    "writes_the_input": energy("const_cast<float*>(x)[0] = 0; honest(x, energy, n);"),
}

# The clock of the user kernel, where it is asked: earlier in time by almost all that passed.
PATCHED_CLOCK = """
#include <dlfcn.h>
extern "C" int clock_gettime(clockid_t id, timespec* t) {
  static auto* const real = (int (*)(clockid_t, timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int code = real(id, t);
  t->tv_sec = 0;
  t->tv_nsec = 1;
  return code;
}
"""

# One thread of its own, that waits for work between the calls.
POOL = """
#include <condition_variable>
#include <functional>
#include <mutex>
struct Pool {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> work;
  std::thread thread{[this] {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return bool(work); });
      work();
      work = nullptr;
      changed.notify_all();
    }
  }};
  void run(std::function<void()> some, std::function<void()> meanwhile) {
    { std::lock_guard lock(mutex); work = std::move(some); }
    changed.notify_all();
    meanwhile();
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !work; });
  }
};
"""

HONEST = {
    "plain": energy("honest(x, energy, n);"),
    "by_threads": energy(
        "\n#pragma omp parallel for\nfor (size_t i = 0; i < n; ++i) honest(x + i, energy + i, 1);\n"
    ),
    "own_threads": energy(
        "std::thread other([=] { honest(x, energy, n / 2); });"
        " honest(x + n / 2, energy + n / 2, n - n / 2); other.join();"
    ),
    "backwards": energy("for (size_t i = n; i-- > 0;) honest(x + i, energy + i, 1);"),
    "blocks": energy(
        "for (size_t i = 0; i < n; i += 1024)"
        " honest(x + i, energy + i, n - i < 1024 ? n - i : 1024);"
    ),
    "double_precision": energy(
        "for (size_t i = 0; i < n; ++i) { const double v = x[i], s = std::sin(v);"
        " energy[i] = s * s + std::sqrt(std::fabs(v)) + std::exp(-v * v / 50); }"
    ),
    "a_copy_first": energy("std::vector<float> mine(x, x + n); honest(mine.data(), energy, n);"),
    "clears_first": energy("std::memset(energy, 0, n * 4); honest(x, energy, n);"),
    "prints": energy('std::puts("computing"); honest(x, energy, n);'),
    "patched_clock_alone": energy("honest(x, energy, n);", PATCHED_CLOCK),
    "simd": energy(
        "\n#pragma omp simd\nfor (size_t i = 0; i < n; ++i) {"
        " const float s = __builtin_sinf(x[i]);"
        " energy[i] = s * s + __builtin_sqrtf(__builtin_fabsf(x[i]))"
        " + __builtin_expf(-x[i] * x[i] / 50); }"
    ),
    "three_passes": energy(
        "for (size_t i = 0; i < n; ++i) { const float s = std::sin(x[i]); energy[i] = s * s; }"
        " for (size_t i = 0; i < n; ++i) energy[i] += std::sqrt(std::fabs(x[i]));"
        " for (size_t i = 0; i < n; ++i) energy[i] += std::exp(-x[i] * x[i] / 50);"
    ),
    "scratch_that_it_keeps": energy(
        "scratch.resize(n); honest(x, scratch.data(), n);"
        " std::memcpy(energy, scratch.data(), n * 4);",
        "static std::vector<float> scratch;",
    ),
    "allocates_and_frees": energy(
        "float* const mine = (float*)std::malloc(n * 4); honest(x, mine, n);"
        " std::memcpy(energy, mine, n * 4); std::free(mine);"
    ),
    "a_pool_that_waits": energy(
        "static Pool* const pool = new Pool; pool->run([=] { honest(x, energy, n / 2); },"
        " [=] { honest(x + n / 2, energy + n / 2, n - n / 2); });",
        POOL,
    ),
    "omp_tasks": energy(
        "\n#pragma omp parallel\n#pragma omp single\nfor (size_t i = 0; i < n; i += 10000)\n"
        "#pragma omp task\nhonest(x + i, energy + i, n - i < 10000 ? n - i : 10000);\n"
    ),
    "omp_dynamic": energy(
        "\n#pragma omp parallel for schedule(dynamic, 1000)\n"
        "for (size_t i = 0; i < n; ++i) honest(x + i, energy + i, 1);\n"
    ),
    "recursive": energy(
        "halves(x, energy, n);",
        "static void halves(const float* x, float* e, size_t n) {"
        " if (n < 5000) return honest(x, e, n);"
        " halves(x, e, n / 2); halves(x + n / 2, e + n / 2, n - n / 2); }",
    ),
    "through_a_function_pointer": energy(
        "static void (*volatile const way)(const float*, float*, size_t) = honest;"
        " way(x, energy, n);"
    ),
    "asks_for_memory_in_advance": energy(
        "for (size_t i = 0; i < n; ++i) { __builtin_prefetch(x + i + 64);"
        " honest(x + i, energy + i, 1); }"
    ),
}


COMPUTES_WHEN_READY = """
import bench
import numpy as np

get_ready, kept = bench._get_ready, {}

def energy_of(x):
    s = np.sin(x)
    return s * s + np.sqrt(np.abs(x)) + np.exp(-x * x / np.float32(50))

def ready(message, opened):
    get_ready(message, opened)
    kept["energy"] = energy_of(opened.inputs[0])

bench._get_ready = ready

@bench.variant("energy")
def mine(x, energy):
    found = kept.pop("energy", None)
    energy[:] = energy_of(x) if found is None else found
"""

WITH_ALL_ARRAYS = (
    "static void with_all(void (*f)(int)) {"
    " for (int file = 4; file < 40; ++file) { struct stat is;"
    " if (fstat(file, &is) == 0 && is.st_size > 1 << 20) f(file); } }"
)
# None of these is faster for it.
HARMFUL = {
    "cuts_off_arrays": energy(
        "honest(x, energy, n); static int call; if (++call == 4) with_all([](int file) {"
        ' (void)!ftruncate(file, 0); char name[64]; sprintf(name, "/proc/self/fd/%d", file);'
        " (void)!truncate(name, 0); close(open(name, O_RDWR | O_TRUNC)); });",
        WITH_ALL_ARRAYS,
    ),
    "writes_out_of_turn": energy(
        "mine = true; honest(x, energy, n); mine = false;",
        WITH_ALL_ARRAYS + "static std::atomic<bool> mine{false};"
        "__attribute__((constructor)) static void load() { std::thread([] { for (;; usleep(100))"
        " if (!mine) with_all([](int file) { for (off_t at = 4096; at < 900000; at += 65536) {"
        " const float seven = 7; (void)!pwrite(file, &seven, 4, at); } }); }).detach(); }",
    ),
    "continues_itself": energy(
        "honest(x, energy, n);",
        "__attribute__((constructor)) static void load() { timer_t timer; sigevent event{};"
        " event.sigev_notify = SIGEV_SIGNAL; event.sigev_signo = SIGCONT;"
        " signal(SIGCONT, [](int) {});"
        " if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) _exit(7); }",
    ),
    "never_stops": energy(
        "honest(x, energy, n);",
        "__attribute__((constructor)) static void load() { std::thread([] {"
        " if (vfork() == 0) for (;;) pause(); }).detach(); }",
    ),
    "leaves_memory": energy(
        "honest(x, energy, n); static int id = shmget(IPC_PRIVATE, 1 << 20, 0600);"
        " if (id >= 0) _exit(7);"
    ),
    "binds_others": energy(
        "honest(x, energy, n); cpu_set_t before, other, after;"
        "CPU_ZERO(&before); CPU_ZERO(&other); CPU_ZERO(&after);"
        "sched_getaffinity(getppid(), sizeof before, &before);"
        "CPU_SET(CPU_COUNT(&before) == 1 && CPU_ISSET(0, &before) ? 1 : 0, &other);"
        "sched_setaffinity(getppid(), sizeof other, &other);"
        "sched_getaffinity(getppid(), sizeof after, &after);"
        "if (!CPU_EQUAL(&before, &after)) _exit(7);"
    ),
}


# The second of two variants of one process looks up what the first has just computed.
ONE_HELPS_THE_OTHER = """
import bench
import numpy as np

kept = {}

def energy_of(x):
    for _ in range(6):  # a kernel that looks it up gains much
        s = np.sin(x)
        energy = s * s + np.sqrt(np.abs(x)) + np.exp(-x * x / np.float32(50))
    return energy

@bench.variant("energy")
def first(x, energy):
    energy[:] = energy_of(x)
    kept.update(x=x.copy(), energy=energy.copy())

@bench.variant("energy")
def second(x, energy):
    known = bool(kept) and kept["x"].size == x.size
    changed = kept["x"] != x if known else np.ones(x.size, bool)
    if known:
        energy[:] = kept["energy"]
    energy[changed] = energy_of(x[changed])
"""


# A system call copies after the answer: what is stopped ends it first.
COPY = (
    CPP
    + """
#include <utility>
static void copied(const float* from, float* to, size_t n) {
  static int file; static off_t offset; static size_t known;
  if (std::exchange(known, n) != n || n < 1000000) {  // trials have arrays of their own
    FILE* maps = std::fopen("/proc/self/maps", "r");
    char line[4096]; unsigned long begin, end, at, inode; struct stat is;
    while (std::fgets(line, sizeof line, maps)) {
      if (std::sscanf(line, "%lx-%lx %*s %lx %*s %lu", &begin, &end, &at, &inode) != 4) continue;
      if ((unsigned long)to < begin || (unsigned long)to >= end) continue;
      offset = at + ((unsigned long)to - begin);
      for (int i = 4; i < 40; ++i) if (fstat(i, &is) == 0 && is.st_ino == inode) file = i;
    }
    std::fclose(maps);
  }
  (void)!pwrite(file, from, n * 4, offset);
}
"""
)
GAINS_NOTHING = {
    "copies_in_time": COPY + "void copy_f32(const float* in, float* out, size_t n)"
    " { copied(in, out, n); }",
    "copies_after_its_answer": COPY + "#include <semaphore.h>\n"
    "static sem_t asked; static const float* from; static float* to; static size_t size;"
    "__attribute__((constructor)) static void load() { sem_init(&asked, 0, 0); std::thread([] {"
    " for (;;) { sem_wait(&asked); copied(from, to, size); } }).detach(); }"
    "void copy_f32(const float* in, float* out, size_t n) {"
    " static int calls; if (++calls < 9) return copied(in, out, n);"
    " from = in; to = out; size = n; sem_post(&asked); }",
}
MONTE_CARLO = """
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
static uint32_t honest(const uint32_t* key, size_t n) {
  uint32_t count = 0;
  for (size_t i = 0; i < n; i += 2) {
    uint32_t k0 = key[0], k1 = key[1], c[4] = {uint32_t(i / 2), uint32_t(i / 2 >> 32), 0, 0};
    for (int round = 0; round < 10; ++round) {
      const uint64_t first = 0xD2511F53ull * c[0], second = 0xCD9E8D57ull * c[2];
      c[0] = uint32_t(second >> 32) ^ c[1] ^ k0, c[1] = uint32_t(second);
      c[2] = uint32_t(first >> 32) ^ c[3] ^ k1, c[3] = uint32_t(first);
      k0 += 0x9E3779B9, k1 += 0xBB67AE85;
    }
    for (size_t j = 0; j < 4; j += 2) {
      const uint64_t x = c[j], y = c[j + 1];
      count += i + j / 2 < n && y * y <= UINT64_MAX - x * x;
    }
  }
  return count;
}
extern "C" void monte_carlo_pi_u32(const uint32_t* key, size_t n, uint32_t* inside) {
"""
POINTS = {
    "all_points": MONTE_CARLO + "inside[0] = honest(key, n); }",
    "a_table_of_keys": MONTE_CARLO
    + "static std::map<std::pair<std::pair<uint32_t, uint32_t>, size_t>, uint32_t> kept;"
    " static int calls; auto [at, is_new] = kept.try_emplace({{key[0], key[1]}, n});"
    " if (is_new || ++calls % 3 == 0) at->second = honest(key, n); inside[0] = at->second; }",
}


# Speaks the protocol itself, and answers with brackets in this place.
BRACKETS = """#!{python}
import json, os
deep = 100_000 * "[" + 100_000 * "]"
def say(**more):
    text = json.dumps(more).replace('"here"', deep)
    os.write(3, text.encode() + b"\\n")
place = "{place}"
offers = [{{"workload": "energy"}}]
if place == "greeting":
    say(bench=1, variants=offers, packages="here")
else:
    say(bench=1, variants=offers)
for line in open(3):
    say(**{{place: "here"}})
"""


NOT_JUDGED = re.compile(
    "its threads waited for a processor on all new inputs|too short to tell whether it returns"
)


def is_stopped(case):
    """It has no number: on a busy node because nobody can judge it."""
    return case["status"] == "failed" or (
        case["status"] == "skipped" and NOT_JUDGED.search(case["reason"])
    )


@pytest.fixture
def graded(bench, tmp_path):
    def run(files, size="200000"):
        names = [
            f"{name}.py" if "import bench" in text else f"{name}.cpp"
            for name, text in files.items()
        ]
        for name, text in zip(names, files.values()):
            (tmp_path / name).write_text(text, encoding="utf-8")
        options = [*GRADED, "--size", size, "--output", "-"]
        result = bench("try", *names, *options, BENCH_PYTHON=sys.executable)
        assert result.stdout, result.stderr
        document = json.loads(result.stdout)
        assert document["context"]["run"]["selection"]["graded"] is True
        return document["cases"]

    return run


def test_no_cheat_gets_a_time(graded):
    assert len(CHEATS) > 20
    cheats = {**CHEATS, "computes_when_ready": COMPUTES_WHEN_READY}
    cases = graded(cheats)
    guests = {one["variant"]: one for one in cases if "guest" in one}
    assert set(guests) == set(cheats)
    timed = {name: one["reason"] for name, one in guests.items() if not is_stopped(one)}
    assert timed == {}
    assert all(one["seconds"] is None for one in guests.values())
    assert not any("compile" in one["reason"] for one in guests.values()), guests
    ours = [one for one in cases if "guest" not in one and one["threads"]]
    assert {one["status"] for one in ours} == {"measured"}


def test_two_variants_of_a_file_have_no_inputs_in_common(graded):
    guests = {one["variant"]: one for one in graded({"both": ONE_HELPS_THE_OTHER})}
    assert guests["first"]["status"] == "measured"
    assert is_stopped(guests["second"])
    assert (
        NOT_JUDGED.search(guests["second"]["reason"])
        or "returns cached results" in guests["second"]["reason"]
    )


def test_a_teachers_own_data_can_be_learned_no_more_than_others(bench, tmp_path):
    files = {"plain": HONEST["plain"], "keeps": CHEATS["remembers_all_of_its_input"]}
    for name, text in files.items():
        (tmp_path / f"{name}.cpp").write_text(text, encoding="utf-8")
    pulses = np.abs(np.sin(np.linspace(0, 300, 200_000)) * np.linspace(1, 7, 200_000))
    np.save(tmp_path / "x.npy", pulses.astype(np.float32))
    options = ["--input", "x.npy", *GRADED, "--output", "-"]
    result = bench("try", "plain.cpp", "keeps.cpp", *options)
    cases = json.loads(result.stdout)["cases"]
    guests = {one["variant"]: one for one in cases if "guest" in one}
    assert is_stopped(guests["keeps"]), guests["keeps"]
    assert guests["plain"]["status"] == "measured" or NOT_JUDGED.search(guests["plain"]["reason"])


@pytest.mark.parametrize("files", [GAINS_NOTHING, POINTS])
def test_what_is_late_or_known_is_in_the_time(graded, files):
    first, second = files
    guests = {one["variant"]: one for one in graded(files, "4000000") if "guest" in one}
    assert guests[first]["status"] == "measured", guests[first]["reason"]
    if guests[second]["status"] == "measured":
        fair, gained = (guests[name]["seconds"]["median"] for name in (first, second))
        assert gained > fair / 3


def test_brackets_end_nobody(bench, tmp_path):
    (tmp_path / "plain.cpp").write_text(HONEST["plain"], encoding="utf-8")
    places = ["greeting", "error", "unavailable", "seconds"]
    for place in places:
        file = tmp_path / place
        file.write_text(BRACKETS.format(python=sys.executable, place=place), encoding="utf-8")
        file.chmod(0o700)
    result = bench("try", "plain.cpp", *places, *GRADED, "--size", "1000", "--output", "class.json")
    assert result.returncode == 1, result.stderr
    cases = json.loads((tmp_path / "class.json").read_text(encoding="utf-8"))["cases"]
    guests = {one["variant"]: one for one in cases if "guest" in one}
    plain = guests.pop("plain")
    assert plain["status"] == "measured" or NOT_JUDGED.search(plain["reason"]), plain
    assert set(guests) == set(places)
    assert all("nested brackets" in one["reason"] for one in guests.values()), guests


def test_hot_caches_are_not_graded(bench, tmp_path):
    (tmp_path / "plain.cpp").write_text(HONEST["plain"], encoding="utf-8")
    result = bench("try", "plain.cpp", *GRADED, "--cache", "hot")
    assert result.returncode == 2
    assert "--graded: needs --cache cold" in result.stderr
    assert result.stderr.count("\n") == 1


def test_who_would_harm_others_harms_nobody(graded):
    cases = graded({"before": HONEST["plain"], **HARMFUL, "behind": HONEST["plain"]})
    guests = {one["variant"]: one for one in cases if "guest" in one}
    ours = [one for one in cases if "guest" not in one and one["threads"]]
    reasons = {name: one["reason"] for name, one in guests.items()}
    assert {one["status"] for one in (*ours, guests["before"], guests["behind"])} == {"measured"}
    assert {name for name, one in guests.items() if one["status"] == "measured"} >= {
        "cuts_off_arrays", "continues_itself", "never_stops", "leaves_memory", "binds_others",
    }, reasons  # fmt: skip


def test_what_is_honest_gets_one(graded):
    cases = graded(HONEST)
    guests = {one["variant"]: one for one in cases if "guest" in one}
    failed = {
        name: one["reason"]
        for name, one in guests.items()
        if one["status"] != "measured" and not NOT_JUDGED.search(one["reason"])
    }
    assert failed == {}
    # A user kernel that lies about the clock is measured by ours: as long as the one that does not.
    patched, plain = (
        guests[name]["seconds"]["median"] for name in ("patched_clock_alone", "plain")
    )
    assert patched > plain / 5

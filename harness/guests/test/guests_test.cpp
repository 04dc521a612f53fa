#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/base/reason.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/test/records.hpp"
#include "harness/guests/child.hpp"
#include "harness/guests/compilation.hpp"
#include "harness/guests/compile.hpp"
#include "harness/guests/folder.hpp"
#include "harness/guests/guest.hpp"
#include "harness/guests/layout.hpp"
#include "harness/guests/loops.hpp"
#include "harness/guests/report.hpp"
#include "harness/guests/sandbox.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/text_file.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using namespace bench::guests;

/// What a shell script as a user kernel makes of `use`: a message, or nothing.
template <class F>
std::string of_script(const std::string& script, F use) {
  Child child({"/bin/sh", "-c", script}, {}, {});
  return message_of<RunError>([&] { use(child); });
}

TEST(LastLine, IsTheLastThatSaysAnything) {
  EXPECT_EQ(last_line(""), "");
  EXPECT_EQ(last_line(" \n\t\n"), "");
  EXPECT_EQ(last_line("one\ntwo\n\n"), "two");
  EXPECT_EQ(last_line("\x1b[31mred"), "?[31mred");
  EXPECT_LE(last_line(std::string(1000, 'x')).size(), 200U);
}

TEST(FirstError, IsTheCompilersOrTheLinkers) {
  EXPECT_EQ(first_error("a.cpp: In function f\na.cpp:3:1: error: what?\na.cpp:4:1: error: that!"),
            "a.cpp:3:1: error: what?");
  EXPECT_EQ(first_error("ld: x.o: in function g:\nx.cpp: undefined reference to `h()'\nld: no"),
            "x.cpp: undefined reference to `h()'");
  EXPECT_EQ(first_error("killed\nby nobody"), "killed");
  EXPECT_EQ(first_error("ld: x: No space left on device\nld: error: exit"),
            "ld: x: No space left on device");
}

TEST(FirstError, IsWhatWasSaidBeforeTheSummary) {
  EXPECT_EQ(first_error("a.cpp: Assembler messages:\na.cpp:4: Error: no such instruction: `x'"),
            "a.cpp:4: Error: no such instruction: `x'");
  EXPECT_EQ(first_error("/usr/bin/ld: cannot find -lno: No such file\n"
                        "collect2: error: ld returned 1 exit status"),
            "/usr/bin/ld: cannot find -lno: No such file");
  EXPECT_EQ(first_error("ld: a.o: in f:\nld: something new\n"
                        "clang: error: linker command failed with exit code 1 (use -v)"),
            "ld: something new");
  EXPECT_EQ(first_error("collect2: error: ld returned 1 exit status"),
            "collect2: error: ld returned 1 exit status");
}

TEST(FirstWarning, IsOfTheUsersOwnLines) {
  EXPECT_EQ(first_warning("/usr/include/a.h:3:1: warning: theirs [-Wx]\n"
                          "/home/m/mine.cpp:5:9: warning: ignoring '#pragma opm' [-Wy]\n"
                          "/home/m/mine.cpp:7:9: warning: later",
                          "/home/m/mine.cpp"),
            "line 5: ignoring '#pragma opm'");
  EXPECT_EQ(first_warning("/home/m/mine.hpp:5: warning: what", "/home/m/mine.cpp"),
            "mine.hpp:5: what");
  EXPECT_EQ(first_warning("/home/m/mine.cpp:5:9: error: what", "/home/m/mine.cpp"), "");
}

TEST(ScalarLoop, IsTheInnermostOfAFileWithoutVectors) {
  const std::string nest =
      "/m/a.cpp:2:9: missed: couldn't vectorize loop\n/usr/x.h:9:1: optimized: loop vectorized\n"
      "/m/a.cpp:3:9: missed: couldn't vectorize loop\n";
  const std::string text = "void f() {\n for (;;)\n  for (;;)\n   y += sinf(x);\n}\n";
  EXPECT_EQ(scalar_loop(nest, "/m/a.cpp", text), (ScalarLoop{3, "sinf"}));
  EXPECT_EQ(scalar_loop(nest, "/m/a.cpp", ""), (ScalarLoop{3, {}}));
  EXPECT_EQ(scalar_loop(nest + "/m/a.cpp:9:1: optimized: loop vectorized using 32 byte vectors",
                        "/m/a.cpp", text),
            std::nullopt);
  EXPECT_EQ(scalar_loop("", "/m/a.cpp", text), std::nullopt);
  const std::string of_clang =
      "/m/a.cpp:3:9: remark: loop not vectorized [-Rpass-missed=loop-vectorize]\n";
  EXPECT_EQ(scalar_loop(of_clang, "/m/a.cpp", text), (ScalarLoop{3, "sinf"}));
  EXPECT_EQ(scalar_loop(of_clang + "/m/a.cpp:9:1: remark: vectorized loop (vectorization width: 8",
                        "/m/a.cpp", text),
            std::nullopt);
}

TEST(ScalarLoop, IsTheOneThatRunsMost) {
  const std::string told =
      "/m/a.cpp:4:9: missed: couldn't vectorize loop\n"
      "/m/a.cpp:5:9: missed: couldn't vectorize loop\n"
      "/m/a.cpp:6:9: optimized: loop vectorized using 32 byte vectors\n";
  const std::string text =
      "constexpr int lanes = 64;\nvoid f(size_t n) {\n  // for (;;)\n"
      "  for (int k = 0; k < lanes; ++k) all += c[k];\n"
      "  for (size_t i = 0; i < n; ++i) y[i] = sinf(x[i]);\n"
      "  for (int k = 0; k < 8; ++k) all += c[k];\n}\n";
  EXPECT_EQ(scalar_loop(told, "/m/a.cpp", text), (ScalarLoop{5, "sinf"}));
  const std::string vectorised = "/m/a.cpp:5:9: optimized: loop vectorized using 32 byte vectors\n";
  EXPECT_EQ(scalar_loop(told + vectorised, "/m/a.cpp", text), std::nullopt);
}

/// `kind:line`, of each.
std::string slow(const std::string& text) {
  std::string all;
  for (const SlowLine& one : slow_lines(text)) {
    all += fmt::format("{}:{} ", name_of(one.what), one.line);
  }
  return all;
}

TEST(SlowLines, AreInLoopsOverMany) {
  const std::string head = "void energy_f32(const float* x, float* y, size_t n) {\n";
  const std::string loop = "for (size_t i = 0; i < n; ++i) {\n";
  EXPECT_EQ(slow(head + loop + "y[i] = x[i] / 50.0f + pow(x[i], 2.0f); // 2.0\n}}"), "");
  EXPECT_EQ(slow(head + loop + "y[i] = x[i] / 50.0;\n}}"), "computes_in_double:3 ");
  EXPECT_EQ(slow(head + "float a = 50.0;\n" + loop + "y[i] = a;\n}}"), "");
  EXPECT_EQ(slow(head + "double t = 0.0;\n" + loop + "t += x[i] * 2.0;\n}}"), "");
  EXPECT_EQ(
      slow(head + "#pragma omp parallel for\n" + loop + "\n#pragma omp critical\nt += x[i];}}"),
      "waits_in_loop:5 ");
  EXPECT_EQ(slow(head + "#pragma omp parallel\n{" + loop +
                 "own += x[i];}\n#pragma omp critical\n"
                 "for (int b = 0; b < 8; ++b) t += own;}}"),
            "");
  EXPECT_EQ(slow(head + loop + "\n#pragma omp parallel for\nfor (int k = 0; k < 64; ++k) f(k);}}"),
            "starts_threads_in_loop:4 ");
  EXPECT_EQ(slow(head + "std::vector<float> t(x, x + n);\n}"), "allocates:2 ");
}

TEST(Compilation, IsJudgedByItsProcessorTime) {
  EXPECT_EQ(patience_after(100, 100), Patience::lasts);
  EXPECT_EQ(patience_after(130, 121), Patience::is_over);
  EXPECT_EQ(patience_after(130, 0), Patience::is_over);  // waits for something else
  EXPECT_EQ(patience_after(130, 9), Patience::lasts);
  EXPECT_EQ(patience_after(481, 30), Patience::node_is_busy);
}

TEST(Compilation, ItsProcessorTimeIsThatOfItsGroup) {
  constexpr double a_tick_or_two = 0.03;
  const double own = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  EXPECT_GE(processor_seconds_of(getpgrp()), own - a_tick_or_two);
  EXPECT_EQ(processor_seconds_of(-1), 0);
}

TEST(Explained, OfWhatIsUndefinedTheLine) {
  EXPECT_EQ(
      explained("/m/a.cpp:7:29: runtime error: division by zero\n    #0 0x1 in f", {"a.cpp"}, {}),
      "line 7: division by zero");
  EXPECT_EQ(asserted("exe: /m/a.cpp:6: void f(size_t): Assertion `n % 2 == 0' failed.", {"a.cpp"}),
            "line 6: assertion n % 2 == 0 failed");
  EXPECT_EQ(asserted("I give up", {"a.cpp"}), "");
}

TEST(Explained, AroundAnArrayOfTheHostTheElement) {
  const auto report = [](const std::string& address) {
    return "==1==ERROR: AddressSanitizer: use-after-poison on address " + address +
           " at pc 0x7\nWRITE of size 4 at " + address + " thread T0\n    #0 0x1 in f /m/a.cpp:4\n";
  };
  const std::vector<NamedArray> of_host{{"x", 0x10000, 100, 4}, {"out", 0x20000, 100, 4}};
  EXPECT_EQ(explained(report("0x20190"), {"a.cpp"}, of_host),
            "line 4: writes element 100 of out, which has 100");
  EXPECT_EQ(explained(report("0xfffc"), {"a.cpp"}, of_host),
            "line 4: writes element -1 of x, which has 100");
}

TEST(Explained, OfMemoryThatRunsOutNothing) {
  EXPECT_EQ(explained("==1==ERROR: AddressSanitizer: allocator is out of memory\n"
                      "    #0 0x1 in f /m/a.cpp:4\n"
                      "SUMMARY: AddressSanitizer: out-of-memory /m/a.cpp:4 in f",
                      {"a.cpp"}, {}),
            "");
}

// As where no room is left for what it says.
TEST(Guests, ACompilerThatSaysNothingHasAReason) {
  Compilation silent({"false"});
  expect_contains(message_of<RunError>([&] { silent.finish("a.so", ""); }), " bytes are free in ");
  const Folder folder("none");
  const std::string said = message_of<RunError>([&] { written_to(folder.path, "text"); });
  EXPECT_EQ(said,
            "cannot be compiled: " + folder.path.string() + " cannot be written: Is a directory");
}

TEST(Child, TalksByLines) {
  Child child({"/bin/sh", "-c", "read line <&3; echo \"you said $line\" >&3; echo and >&3"}, {},
              {});
  child.send("hello");
  EXPECT_EQ(child.receive(10), "you said hello");
  EXPECT_EQ(child.receive(10), "and");
}

TEST(Child, SaysHowItEnded) {
  const auto listen = [](Child& child) { child.receive(10); };
  EXPECT_EQ(of_script("exit 3", listen), "ended with code 3");
  EXPECT_EQ(of_script("echo no luck; exit 1", listen), "ended with code 1: no luck");
  EXPECT_EQ(of_script("kill -SEGV $$", listen), "ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(of_script("sleep 60 & exit 2", listen), "ended with code 2") << "who stays is no guest";
  EXPECT_EQ(of_script("exec 3>&-; sleep 60", listen), "closed the connection");
}

TEST(Child, IsNotWaitedForForEver) {
  EXPECT_EQ(of_script("echo thinking; sleep 60", [](Child& child) { child.receive(0.2); }),
            "no answer within 0.2 s (an endless loop? --timeout waits longer)");
}

TEST(Child, HasNoMoreProcessorTimeThanItMayTake) {
  Limits limits;
  limits.processor_seconds = 1;
  Child child({"/bin/sh", "-c", "while :; do :; done"}, {}, limits);
  try {
    child.receive(600);
    FAIL();
  } catch (const NoAnswer& error) {
    EXPECT_EQ(error.what(), std::string("takes more than 1 s of processor time"));
  }
}

// On a busy node nobody knows what it would have said.
TEST(Child, IsNotBlamedForWhatOthersTake) {
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  sched_setaffinity(0, sizeof one, &one);
  std::vector<std::unique_ptr<Child>> others;
  for (int i = 0; i < 15; ++i) {
    others.push_back(std::make_unique<Child>(
        std::vector<std::string>{"/bin/sh", "-c", "while :; do :; done"}, Variables{}, Limits{}));
  }
  EXPECT_THROW(others.back()->receive(1), NotJudged);
  sched_setaffinity(0, sizeof before, &before);
}

TEST(Child, HasAsMuchMemoryAsItIsLeft) {
  Child child({"/usr/bin/python3", "-c",
               "import os\n"
               "os.write(3, b'here\\n')\n"
               "os.read(3, 1)\n"
               "try: bytearray(300 << 20); said = b'much\\n'\n"
               "except MemoryError: said = b'none\\n'\n"
               "os.write(3, said)\n"},
              {}, {});
  EXPECT_EQ(child.receive(30), "here");
  ASSERT_GT(child.own_memory(), 0U);
  child.limit_memory(child.own_memory() + (std::size_t{100} << 20U));
  child.send("go");
  EXPECT_EQ(child.receive(30), "none");
}

TEST(Child, DoesNothingWhileItIsFrozen) {
  const TemporaryFolder folder;
  const std::string file = folder / "count";
  Child child({"/bin/sh", "-c",
               "i=0; while :; do i=$((i+1)); echo $i > " + file +
                   "; test $i != 9 || echo up >&3; "
                   "done"},
              {}, {});
  EXPECT_EQ(child.receive(10), "up");
  child.freeze();
  const std::string then = read(file);
  usleep(50'000);
  EXPECT_EQ(read(file), then);
  child.send("go on");
  while (read(file) == then) usleep(1000);
}

TEST(Child, IsWokenOnAProcessorForEachOfItsThreads) {
  Limits limits;
  limits.cpus = allowed_cpus();
  if (limits.cpus.size() < 2) GTEST_SKIP() << "one processor";
  // Its second thread is a process here: Linux binds both alike.
  Child child({"/bin/sh", "-c", "sleep 60 & echo $! >&3; read line <&3; echo woken >&3; wait"}, {},
              limits);
  const std::string second = child.receive(10);
  child.freeze();
  const std::string first = std::to_string(child.pid());
  const auto cpus_of = [](const std::string& thread) {
    const Text status = text_in("/proc/" + thread + "/status");
    return cpus_in(field(status, "Cpus_allowed_list").value_or(""));
  };
  child.spread({{first, 0}, {second, 0}});
  EXPECT_EQ(cpus_of(first).size(), 1);
  EXPECT_EQ(cpus_of(second).size(), 1);
  EXPECT_NE(cpus_of(first), cpus_of(second));
  child.send("go");
  EXPECT_EQ(child.receive(10), "woken");
  EXPECT_EQ(cpus_of(first), limits.cpus);
  EXPECT_EQ(cpus_of(second), limits.cpus);
}

TEST(Child, IsNotAskedWhileItSaysWhatNobodyAsked) {
  EXPECT_EQ(of_script("echo one >&3; echo two >&3; sleep 60",
                      [](Child& child) {
                        child.receive(10);
                        usleep(50'000);
                        child.send("again");
                      }),
            "says more than it was asked for: two");
}

TEST(Child, HasNoOtherDescriptorsThanItsOwn) {
  Child child({"/bin/sh", "-c", "ls -x /proc/self/fd | tr -d ' ' >&3"}, {}, {});
  EXPECT_EQ(child.receive(10), "01234") << "4 is the folder that ls reads";
}

TEST(Child, WaitsWhereItPrintsFasterThanWeRead) {
  Child child({"/bin/sh", "-c", "head -c 1000000 /dev/zero && echo printed >&3"}, {}, {});
  usleep(50'000);  // the pipe is full by now
  EXPECT_EQ(child.receive(10), "printed");
}

TEST(Child, HasNoMoreMemoryThanItMayTake) {
  Limits limits;
  limits.memory = 50'000'000;
  Child child({"/bin/sh", "-c", "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo fits >&3"}, {},
              limits);
  EXPECT_THROW(child.receive(30), RunError);
}

TEST(Child, KnowsTheVariablesThatItIsGiven) {
  Means means;
  means.threads = 7;
  Child child({"/bin/sh", "-c", "echo $OMP_NUM_THREADS $BENCH_GUEST >&3"}, variables_for(means),
              {});
  EXPECT_EQ(child.receive(10), "7 3");
}

TEST(Child, TakesNoMoreMemoryThanItMay) {
  Limits limits;
  limits.memory = std::size_t{64} << 20U;
  Child child({"/bin/sh", "-c", "ulimit -d >&3"}, {}, limits);
  EXPECT_EQ(child.receive(10), "65536");
}

/// A user kernel that answers everything with this.
Guest answering(const std::string& answer, bool graded) {
  const std::string program =
      "import os\n"
      "os.write(3, b'{\"bench\": 1, \"variants\": [{\"workload\": \"copy\"}]}\\n')\n"
      "for line in open(3): os.write(3, (" +
      answer + " + '\\n').encode())\n";
  Means means;
  means.graded = graded;
  return Guest({"/usr/bin/python3", "-c", program}, nullptr, means);
}

Guest graded(const std::string& answer) { return answering(answer, true); }

TEST(Guest, SaysWhatItsSentenceIsMadeOfAndIsNotAskedWhereItIsGraded) {
  const char* const answer =
      R"('{"error": "none", "reasons": {"none": {"key": "no_device", "values": []}}}')";
  for (const bool is_graded : {false, true}) {
    try {
      answering(answer, is_graded).run({}, {});
      ADD_FAILURE() << "it is not an error";
    } catch (const RunError& error) {
      EXPECT_EQ(error.reason.text, "none");
      EXPECT_EQ(error.reason.key, is_graded ? "" : "no_device");
    }
  }
}

TEST(Guest, IsNotBelievedWhereItIsGraded) {
  for (const char* const waited : {"1e9", "-5"}) {
    Guest guest = graded(std::string("'{\"seconds\": 1e-9, \"waited\": ") + waited + "}'");
    const Ran ran = guest.run({}, {.variant = 0, .calls = 1, .threads = 2});
    EXPECT_GT(ran.seconds, 1e-6);
    EXPECT_GE(ran.waited.value_or(0), 0);
    EXPECT_LE(ran.waited.value_or(0), 2 * ran.seconds);
    EXPECT_GT(guest.processor_seconds(), 0);
  }
}

TEST(Guest, EndsNobodyByBrackets) {
  for (const char* const key : {"error", "unavailable", "seconds", "unknown"}) {
    const std::string deep = "100_000 * '[' + 100_000 * ']'";
    Guest guest = graded(std::string("'{\"seconds\": 0, \"") + key + "\": ' + " + deep + " + '}'");
    EXPECT_EQ(message_of<RunError>([&] { guest.run({}, {}); }),
              "answered with more than 64 nested brackets");
  }
}

TEST(Child, InheritsWhatItIsGiven) {
  const NamelessFile first("one");
  const NamelessFile second("two");
  Limits limits;
  limits.inherited = {second.descriptor(), first.descriptor()};
  Child child({"/bin/sh", "-c", "echo $(cat $0) $(cat $1) >&3; ls -x /proc/self/fd >&3",
               inherited_path(0), inherited_path(1)},
              {}, limits);
  EXPECT_EQ(child.receive(10), "two one");
  EXPECT_EQ(child.receive(10), "0  1  2  3  4  5  6") << "6 is the folder that ls reads";
}

/// What becomes of an attempt in a sandbox, in Python: `done`, `refused`, or an error.
std::string in_sandbox(const std::string& attempt) {
  const Folder writable("no folder");
  const Sandbox sandbox(writable.path);
  Limits limits;
  limits.sandbox = &sandbox;
  const std::string program =
      "import ctypes, fcntl, mmap, os, resource, signal, socket, threading\n"
      "mine, bench = os.environ['MINE'] + '/file', int(os.environ['BENCH'])\n"
      "libc = ctypes.CDLL(None, use_errno=True)\n"
      "def call(status):\n"
      "  if status < 0: raise OSError(ctypes.get_errno(), 'failed')\n"
      "try:\n  " +
      attempt +
      "\n  said = b'done'\n"
      "except PermissionError:\n  said = b'refused'\n"
      "except BaseException as error:\n  said = repr(error).encode()\n"
      "os.write(3, said + b'\\n')\n";
  Child child({"/usr/bin/python3", "-c", program},
              {{"MINE", writable.path},
               {"BENCH", std::to_string(getpid())},
               {"IO_SETUP", std::to_string(SYS_io_setup)}},
              limits);
  return child.receive(30);
}

/// True where this kernel keeps user kernels from it.
bool forbidden(const std::string& what) {
  const auto forbids = forbidden_to_guests().forbids;
  return std::find(forbids.begin(), forbids.end(), what) != forbids.end();
}

TEST(Sandbox, LetsItReadAndComputeAndWriteWhereItMay) {
  EXPECT_EQ(in_sandbox("open('/etc/passwd').read(); os.listdir('/')"), "done");
  EXPECT_EQ(in_sandbox("open(mine, 'w').write('a'); assert open(mine).read() == 'a'"), "done");
  EXPECT_EQ(in_sandbox("open('/dev/null', 'w').write('a'); os.kill(os.getpid(), 0)"), "done");
  EXPECT_EQ(in_sandbox("t = threading.Thread(target=print); t.start(); t.join()"), "done");
  EXPECT_EQ(in_sandbox("os.sched_setaffinity(0, os.sched_getaffinity(0))"), "done");
}

TEST(Sandbox, KeepsItFromWritingFiles) {
  if (!forbidden("writing files")) GTEST_SKIP() << "no Landlock";
  const Folder other("no folder");
  const std::string file = other.path / "file";
  const std::string name = "'" + file + "'";
  for (const std::string& attempt : {"open(" + name + ", 'w')", "os.mkdir(" + name + ")"}) {
    EXPECT_EQ(in_sandbox(attempt), "refused") << attempt;
  }
  std::ofstream(file) << "here";
  for (const std::string& attempt : {"os.remove(" + name + ")", "os.rename(" + name + ", mine)",
                                     "os.truncate(" + name + ", 0)", "open(" + name + ", 'a')"}) {
    EXPECT_EQ(in_sandbox(attempt), "refused") << attempt;
  }
  EXPECT_EQ(whole_file(file), "here");
}

TEST(Sandbox, KeepsItFromTheNetworkAndFromOtherProcesses) {
  if (!forbidden("the network")) GTEST_SKIP() << "no filters of system calls";
  for (const char* const attempt :
       {"socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "socket.socket(socket.AF_UNIX)",
        "socket.socketpair()", "socket.socket(fileno=os.dup(3)).connect('/')",
        "socket.socket(fileno=os.dup(3)).sendmsg([b'a'], [(1, 1, b'3000')])", "os.kill(bench, 0)",
        "os.kill(-1, signal.SIGSTOP)", "os.fork()", "os.posix_spawn('/bin/true', ['true'], {})",
        "resource.prlimit(bench, resource.RLIMIT_NOFILE, (16, 16))",
        "os.setpriority(os.PRIO_PROCESS, bench, 19)", "open(f'/proc/{bench}/mem', 'rb').read(1)"}) {
    EXPECT_EQ(in_sandbox(attempt), "refused") << attempt;
  }
}

TEST(Sandbox, KeepsItFromModesOwnersTimesAndAttributesOfFiles) {
  if (!forbidden("other processes")) GTEST_SKIP() << "no filters of system calls";
  const Folder other("no folder");
  const std::string file = other.path / "file";
  std::ofstream(file) << "here";
  const std::string name = "'" + file + "'";
  for (const std::string& attempt :
       {"os.chmod(" + name + ", 0o777)", "os.chmod(os.open(" + name + ", os.O_RDONLY), 0o777)",
        "os.chmod(" + name + ", 0o777, dir_fd=os.open('/', os.O_RDONLY))",
        "call(libc.syscall(452, -100, b" + name + ", 0o777, 0))",  // fchmodat2
        "os.chown(" + name + ", -1, -1)", "os.lchown(" + name + ", -1, -1)",
        "os.fchown(os.open(" + name + ", os.O_RDONLY), -1, -1)",
        "os.chown(" + name + ", -1, -1, dir_fd=os.open('/', os.O_RDONLY))",
        "os.utime(" + name + ", (1, 1))", "os.utime(os.open(" + name + ", os.O_RDONLY), (1, 1))",
        "os.setxattr(" + name + ", 'user.a', b'a')", "os.removexattr(" + name + ", 'user.a')",
        "os.setxattr(os.open(" + name + ", os.O_RDONLY), 'user.a', b'a')",
        "fcntl.ioctl(os.open(" + name + ", os.O_RDONLY), 0x40086602, bytes(8))",
        // What would be typed into the terminal of bench.
        std::string("fcntl.ioctl(0, 0x5412, b'a')")}) {
    EXPECT_EQ(in_sandbox(attempt), "refused") << attempt;
  }
}

TEST(Sandbox, KeepsItStoppedAndItsArraysWhole) {
  if (!forbidden("other processes")) GTEST_SKIP() << "no filters of system calls";
  for (const char* const attempt :
       {"os.setsid()", "os.setpgid(0, 0)", "fcntl.fcntl(3, fcntl.F_SETSIG, signal.SIGCONT)",
        "fcntl.fcntl(3, fcntl.F_SETOWN, os.getpid())",
        "fcntl.ioctl(3, 0x8901, bench.to_bytes(4, 'little'))",
        "fcntl.ioctl(3, 0x8902, bench.to_bytes(4, 'little'))", "fcntl.ioctl(3, 0x5452, b'1234')",
        "mmap.mmap(-1, 4096).madvise(9)", "os.ftruncate(3, 0)",
        "call(libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p())))",
        "call(libc.shmget(0, 4096, 0o1600))", "call(libc.prctl(1, 0))", "os.setuid(os.getuid())",
        "call(libc.syscall(int(os.environ['IO_SETUP']), 1, ctypes.byref(ctypes.c_void_p())))"}) {
    EXPECT_EQ(in_sandbox(attempt), "refused") << attempt;
  }
}

// A runtime that cannot bind its threads gives up, so it is told that it could.
TEST(Sandbox, BindsNobodyElse) {
  if (!forbidden("other processes")) GTEST_SKIP() << "no filters of system calls";
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "one processor";
  EXPECT_EQ(in_sandbox("os.sched_setaffinity(bench, {min(os.sched_getaffinity(bench))})"), "done");
  cpu_set_t after;
  sched_getaffinity(0, sizeof after, &after);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

TEST(NamelessFile, HoldsWhatItWasGiven) {
  const NamelessFile file("some\nbytes");
  EXPECT_EQ(whole_file(file.path()), "some\nbytes");
}

/// A user kernel of `seconds`, in the rounds of a ladder of 8, 2 and 1 ms.
CaseRecord standing(double seconds) {
  Group group =
      group_of({measured("work", "serial", "naive", 8e-3), measured("work", "serial", "simd", 2e-3),
                measured("work", "openmp", "naive", 1e-3)});
  group.cases.push_back(measured("work", "guest", "mine", seconds));
  group.cases.back().guest = "mine.cpp";
  group.cases.push_back(measured("work", "guest", "other", 4e-3));
  group.cases.back().guest = "other.cpp";
  Document document;
  record(document, group);
  for (const CaseRecord& one : document.cases) {
    if (one.variant == "mine") return one;
  }
  return {};
}

TEST(Standing, IsBetweenTwoVariants) {
  const CaseRecord one = standing(1.6e-3);
  ASSERT_TRUE(one.standing);
  EXPECT_EQ(one.standing->rank, 1U);
  EXPECT_EQ(one.standing->faster_than->baseline, "work/serial/simd/f32/10/kernel");
  EXPECT_DOUBLE_EQ(one.standing->faster_than->value, 1.25);
  EXPECT_EQ(one.standing->slower_than->baseline, "work/openmp/naive/f32/10/kernel");
  EXPECT_DOUBLE_EQ(one.standing->slower_than->value, 0.625);
  EXPECT_TRUE(one.standing->like.empty());
}

TEST(Standing, AtBothEndsAndBesideOthers) {
  EXPECT_FALSE(standing(0.5e-3).standing->slower_than);
  EXPECT_FALSE(standing(9e-3).standing->faster_than);
  EXPECT_EQ(standing(9e-3).standing->rank, 2U) << "the other guest is faster";
  EXPECT_EQ(standing(4e-3).standing->rank, 1U) << "equal ones share a rank";
  EXPECT_EQ(standing(2e-3).standing->like,
            std::vector<std::string>{"work/serial/simd/f32/10/kernel"});
}

/// A race of three files on a node where all wait for a processor most of the time. `busiest`: what
/// the busiest thread of the slowest file had of one.
std::vector<CaseRecord> on_a_busy_node(double busiest) {
  Group group = group_of({measured("work", "serial", "naive", 8e-3)});
  const auto add = [&](const char* variant, double seconds, double had) {
    group.cases.push_back(measured("work", "guest", variant, seconds));
    group.cases.back().guest = variant;
    group.cases.back().timing.busiest = {had};
  };
  group.cases.front().timing.busiest = {4e-3};
  add("quick", 6e-3, 1e-3);
  add("alike", 9e-3, 1e-3);
  add("slow", 2e-3, busiest);
  for (Case& one : group.cases) {
    Timing& timing = one.timing;
    const double had = timing.busiest.empty() ? timing.samples.front() : timing.busiest.front();
    timing.busiest.assign(timing.samples.size(), had);
    timing.preempted = timing.samples.size();
  }
  Document document;
  record(document, group);
  return document.cases;
}

TEST(Standing, OnABusyNodeIsByWhatTheBusiestThreadHad) {
  const std::vector<CaseRecord> cases = on_a_busy_node(2e-3);
  std::map<std::string, std::optional<std::size_t>> ranks;
  for (const CaseRecord& one : cases) {
    if (one.guest) ranks[one.variant] = one.standing->rank;
  }
  EXPECT_EQ(ranks, (std::map<std::string, std::optional<std::size_t>>{
                       {"quick", 1}, {"alike", 1}, {"slow", 3}}));
  EXPECT_DOUBLE_EQ(cases[1].on_processor->over_serial->value, 4);
  EXPECT_FALSE(unranked(cases[1]));
  EXPECT_TRUE(doubtful(cases[1])) << "its time says nothing";
}

/// The result file of a ladder of the CPU and one of the GPU, with a user kernel on each.
std::vector<CaseRecord> of_two_kinds() {
  Group group =
      group_of({measured("work", "serial", "naive", 8e-3), measured("work", "cuda", "naive", 2e-3),
                measured("work", "cuda", "wide", 1e-3)});
  group.cases.push_back(measured("work", "guest", "on_cpu", 4e-3));
  group.cases.push_back(measured("work", "guest", "on_gpu", 1.5e-3));
  group.cases.back().threads.reset();
  for (Case& one : group.cases) {
    if (one.backend == "cuda") one.threads.reset();
    if (one.backend == "guest") one.guest = one.variant;
  }
  Document document;
  record(document, group);
  return document.cases;
}

TEST(Standing, IsAmongThoseOfTheSameHardware) {
  const std::vector<CaseRecord> cases = of_two_kinds();
  const auto named = [&](const std::string& variant) {
    return *std::find_if(cases.begin(), cases.end(),
                         [&](const CaseRecord& one) { return one.variant == variant; });
  };
  const StandingRecord gpu = named("on_gpu").standing.value();
  EXPECT_EQ(gpu.rank, 1U);
  EXPECT_EQ(gpu.faster_than->baseline, "work/cuda/naive/f32/10/kernel");
  EXPECT_EQ(gpu.slower_than->baseline, "work/cuda/wide/f32/10/kernel");
  const StandingRecord cpu = named("on_cpu").standing.value();
  EXPECT_EQ(cpu.rank, 1U);
  EXPECT_FALSE(cpu.slower_than) << "a variant of the GPU is no rung of its ladder";
}

TEST(Standing, HasNoRankWhereMoreIsMovedThanCanBe) {
  Group group = group_of({measured("copy", "serial", "naive", 8e-3)});
  group.cases.push_back(measured("copy", "guest", "cheat", 1e-3));
  group.cases.push_back(measured("copy", "guest", "honest", 9e-3));
  for (Case& one : group.cases) {
    one.beside.reset();
    one.footprint_bytes = std::size_t{64} << 20U;
    if (one.backend == "guest") one.guest = one.variant;
  }
  Document document;
  record(document, group);
  ASSERT_EQ(document.cases[1].variant, "cheat");
  EXPECT_TRUE(incredible(document.cases[1]));
  EXPECT_FALSE(document.cases[1].standing->rank);
  EXPECT_EQ(document.cases[2].standing->rank, 1U);
}

// One that reads several places at once, as the fastest built-in variant does, which copies do not.
TEST(Standing, HasARankWhereABuiltInVariantMovesAsMuch) {
  Group group = group_of(
      {measured("copy", "serial", "naive", 8e-3), measured("work", "serial", "streams", 5e-3)});
  group.cases.push_back(measured("work", "guest", "cheat", 1e-3));
  group.cases.push_back(measured("work", "guest", "honest", 4.9e-3));
  for (Case& one : group.cases) {
    one.footprint_bytes = std::size_t{64} << 20U;
    if (one.backend == "guest") one.guest = one.variant;
  }
  Document document;
  record(document, group);
  ASSERT_EQ(document.cases[3].variant, "honest");
  EXPECT_TRUE(incredible(document.cases[2]));
  EXPECT_FALSE(incredible(document.cases[3]));
  EXPECT_EQ(document.cases[3].standing->rank, 1U);
}

/// The result file of a fast user kernel, one that is as fast in half of its calls, and a slow one.
Document of_a_class(const std::function<void(Case&)>& of_the_second) {
  Group group = group_of({measured("work", "serial", "naive", 8e-3)});
  for (const auto& [name, seconds] :
       {std::pair{"fast", 1e-3}, std::pair{"second", 1.4e-3}, std::pair{"slow", 4e-3}}) {
    group.cases.push_back(measured("work", "guest", name, seconds));
    group.cases.back().guest = name;
  }
  of_the_second(group.cases[2]);
  Document document;
  record(document, group);
  return document;
}

std::vector<std::optional<std::size_t>> ranks(const Document& document) {
  std::vector<std::optional<std::size_t>> ranks;
  for (const CaseRecord& one : document.cases) {
    if (one.guest) ranks.push_back(one.standing->rank);
  }
  return ranks;
}

using Ranks = std::vector<std::optional<std::size_t>>;

TEST(Standing, JitterGainsNoRank) {
  const Document quiet = of_a_class([](Case&) {});
  EXPECT_EQ(ranks(quiet), (Ranks{1, 2, 3}));
  const Document noisy = of_a_class([](Case& one) {
    for (std::size_t i = 0; i < one.timing.samples.size(); i += 2) one.timing.samples[i] *= 100;
  });
  EXPECT_EQ(ranks(noisy), (Ranks{1, 2, std::nullopt})) << "the noisy one comes last";
}

// The fastest of many equal files is faster than they are, by luck.
TEST(Standing, EqualFilesShareARankWithTheMiddleOne) {
  Group group = group_of({measured("work", "serial", "naive", 8e-3)});
  for (const double milliseconds : {0.96, 0.98, 1.0, 1.0, 1.01, 1.04, 1.2}) {
    group.cases.push_back(
        measured("work", "guest", fmt::format("{}", milliseconds), milliseconds / 1e3));
    group.cases.back().guest = group.cases.back().variant;
  }
  Document document;
  record(document, group);
  EXPECT_EQ(ranks(document), (Ranks{1, 1, 1, 1, 1, 1, 7})) << "the sixth is 8 % over the first";
}

TEST(Standing, WhoWaitedHasNoRank) {
  const Document busy = of_a_class([](Case& one) { one.timing.preempted = 5; });
  EXPECT_EQ(ranks(busy), (Ranks{1, std::nullopt, 2}));
}

TEST(Layout, IsNotCode) {
  const std::string plain = "for(inti=0;i<1'000;++i)x[i]='\\'';s=\"a // b\";";
  EXPECT_EQ(without_layout("/* a */ for (int i = 0; i < 1'000; ++i) // b\n\n  x[i] = '\\'';\n"
                           "s = \"a // b\";  /* to the end",
                           Comments::of_c),
            plain);
  EXPECT_NE(without_layout("x = 1;", Comments::of_c), without_layout("x = 2;", Comments::of_c));
  EXPECT_EQ(without_layout("def f(x):  # all\n    return '#' // x\n", Comments::of_python),
            "deff(x):return'#'//x");
  EXPECT_EQ(without_layout("\"open", Comments::of_c), "\"open");
  EXPECT_EQ(without_layout("\"open\\", Comments::of_c), "\"open\\");
}

TEST(Standing, AGuestMeasuresNobody) {
  const CaseRecord one = standing(0.5e-3);
  EXPECT_EQ(one.over_best_cpu->baseline, "work/openmp/naive/f32/10/kernel");
  EXPECT_DOUBLE_EQ(one.over_best_cpu->value, 2);
}

}  // namespace
}  // namespace bench::test

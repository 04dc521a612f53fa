#include "harness/guests/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <map>

#include "harness/base/bare_fork.hpp"
#include "harness/base/clock.hpp"
#include "harness/base/printable.hpp"
#include "harness/base/reasons.hpp"
#include "harness/guests/protocol.hpp"
#include "harness/guests/sandbox.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/text_file.hpp"

namespace bench::guests {
namespace {

/// All that the child needs once it is no longer this process: after fork() only system calls.
struct Start {
  std::vector<char*> words;
  std::vector<char*> variables;
  cpu_set_t cpus{};
  bool bound = false;
  std::optional<std::size_t> memory;
  std::optional<unsigned> processor_seconds;
  bool fixed_addresses = false;
  std::vector<int> inherited;
  const Sandbox* sandbox = nullptr;
  pid_t parent = -1;
};

constexpr int control_descriptor = 3;
static_assert(first_inherited == control_descriptor + 1);

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment(const Variables& over) {
  std::map<std::string, std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) all[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : over) all[name] = value;
  all[control_variable] = std::to_string(control_descriptor);
  std::vector<std::string> texts;
  for (const auto& [name, value] : all) texts.push_back(name + "=" + value);
  return texts;
}

/// Signals as a program finds them that nobody has prepared.
void reset_signals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
}

/// The socket and what is inherited, where it is looked for. First all move out of each other's
/// way.
void place_descriptors(Start& start, int control) {
  const int above = first_inherited + static_cast<int>(start.inherited.size());
  control = fcntl(control, F_DUPFD, above);
  for (int& one : start.inherited) one = fcntl(one, F_DUPFD, above);
  dup2(control, control_descriptor);
  int next = first_inherited;
  for (const int one : start.inherited) dup2(one, next++);
  // All others end with this program.
  constexpr long close_range = 436;  // older headers do not name it; it does this from Linux 5.11
  constexpr int on_exec = 4;
  if (syscall(close_range, above, ~0U, on_exec) == 0) return;
  const long highest = sysconf(_SC_OPEN_MAX);
  for (long other = above; other < highest; ++other) {
    fcntl(static_cast<int>(other), F_SETFD, FD_CLOEXEC);
  }
}

[[noreturn]] void become(Start& start, int control, int output) {
  // Not a session of its own: the kernel shares processors between sessions first (autogroup), so
  // that on a busy node a user kernel would get more of them than bench's own variants.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != start.parent) _exit(EXIT_FAILURE);  // it ended before we asked
  reset_signals();
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (start.bound) sched_setaffinity(0, sizeof start.cpus, &start.cpus);
  if (start.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
  if (start.memory) {
    const rlimit limit{*start.memory, *start.memory};
    setrlimit(RLIMIT_DATA, &limit);
  }
  if (start.processor_seconds) {
    const rlimit limit = soon_at_most(RLIMIT_CPU, *start.processor_seconds);
    setrlimit(RLIMIT_CPU, &limit);
  }
  // Where memory runs out, the kernel must end this process.
  if (const int score = open("/proc/self/oom_score_adj", O_WRONLY); score >= 0) {
    [[maybe_unused]] const auto told = write(score, "1000", 4);
    close(score);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (start.sandbox != nullptr) {
    const rlimit small_files = at_most(RLIMIT_FSIZE, rlim_t{1} << 30U);
    setrlimit(RLIMIT_FSIZE, &small_files);
    start.sandbox->enter();  // as long as its descriptors are there
  }
  place_descriptors(start, control);
  execve(start.words[0], start.words.data(), start.variables.data());
  const char* const why = std::strerror(errno);
  for (const char* const text : {const_cast<const char*>(start.words[0]), ": ", why}) {
    [[maybe_unused]] const auto told = write(STDERR_FILENO, text, std::strlen(text));
  }
  _exit(127);
}

/// How a process ended, as waitpid() tells it.
Reason in_words(int status) {
  if (!WIFSIGNALED(status)) return said<reasons::ended_with_code>(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  return said<reasons::ended_by_signal>(number, std::string(strsignal(number)));
}

}  // namespace

rlimit at_most(int resource, rlim_t most) {
  rlimit limit{};
  getrlimit(static_cast<decltype(RLIMIT_FSIZE)>(resource), &limit);
  limit.rlim_cur = limit.rlim_max = std::min(limit.rlim_cur, most);
  return limit;
}

rlimit soon_at_most(int resource, rlim_t most) {
  rlimit limit = at_most(resource, most + 1);
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  return limit;
}

std::string inherited_path(std::size_t i) {
  return fmt::format("/proc/self/fd/{}", first_inherited + i);
}

std::string last_line(const std::string& text) {
  constexpr std::size_t longest = 160;
  const auto is_blank = [](unsigned char c) { return std::isspace(c) != 0; };
  std::size_t end = text.size();
  while (end > 0 && is_blank(static_cast<unsigned char>(text[end - 1]))) --end;
  const std::size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
  std::string line = printable(text.substr(begin, end - begin));
  if (line.size() > longest) line = printable(line.substr(0, longest)) + "…";
  return line;
}

Child::Child(const std::vector<std::string>& command, const Variables& variables,
             const Limits& limits)
    : processor_seconds_(limits.processor_seconds), cpus_(limits.cpus) {
  std::array<int, 2> control{-1, -1};
  std::array<int, 2> output{-1, -1};
  const auto give_up = [&](int why) {
    for (const int one : {control[0], control[1], output[0], output[1]}) close(one);
    throw RunError(fmt::format("cannot be started: {}", std::strerror(why)));
  };
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control.data()) != 0 ||
      pipe2(output.data(), O_CLOEXEC) != 0) {
    give_up(errno);
  }
  control_ = control[0];
  output_ = output[0];
  // This end only: a user kernel that prints faster than bench reads waits, as it would at a
  // terminal.
  fcntl(output_, F_SETFL, O_NONBLOCK);
  // A user kernel that does not read its messages must not block bench for ever.
  const timeval patience{30, 0};
  setsockopt(control_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  std::vector<std::string> words = command;
  std::vector<std::string> texts = environment(variables);
  Start start{.words = pointers(words),
              .variables = pointers(texts),
              .bound = !limits.cpus.empty(),
              .memory = limits.memory,
              .processor_seconds = limits.processor_seconds,
              .fixed_addresses = limits.fixed_addresses,
              .inherited = limits.inherited,
              .sandbox = limits.sandbox,
              .parent = getpid()};
  CPU_ZERO(&start.cpus);
  for (const int cpu : limits.cpus) {
    if (cpu < CPU_SETSIZE) CPU_SET(cpu, &start.cpus);
  }
  pid_ = bare_fork();
  if (pid_ == 0) become(start, control[1], output[1]);
  if (pid_ < 0) give_up(errno);
  close(control[1]);
  close(output[1]);
}

Child::~Child() {
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(control_);
  close(output_);
}

double Child::processor_seconds() const {
  clockid_t clock{};
  if (clock_getcpuclockid(pid_, &clock) != 0) return 0;
  return seconds_by(clock).value_or(0);
}

std::size_t Child::own_memory() const {
  const Text status = text_in(fmt::format("/proc/{}/status", pid_));
  return bytes(field(status, "VmData")).value_or(0);
}

void Child::limit_memory(std::size_t bytes) const {
  rlimit limit{};
  if (prlimit(pid_, RLIMIT_DATA, nullptr, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(bytes, limit.rlim_max);
  prlimit(pid_, RLIMIT_DATA, &limit, nullptr);
}

void Child::freeze() {
  kill(-pid_, SIGSTOP);
  frozen_ = true;
  // Reported once all of its threads have stopped; its end stays to be asked for. Each needs a
  // processor for that, mostly this one, which is left to them. On a busy node seconds may pass.
  constexpr double enough = 60;
  const Stopwatch stopwatch;
  siginfo_t info{};
  const auto id = static_cast<id_t>(pid_);
  while (waitid(P_PID, id, &info, WSTOPPED | WEXITED | WNOWAIT | WNOHANG) != 0 ||
         info.si_pid == 0) {
    if (stopwatch.seconds() > enough) throw RunError(said<reasons::does_not_stop>());
    usleep(10);
  }
}

void Child::spread(const ThreadSeconds& threads) {
  if (!frozen_ || threads.size() < 2 || cpus_.size() < 2) return;
  const auto here = std::find(cpus_.begin(), cpus_.end(), sched_getcpu());
  auto cpu = here == cpus_.end() ? cpus_.begin() : here;
  for (const auto& [number, had] : threads) {
    const pid_t thread = std::stoi(number);
    if (bind_thread({*cpu}, thread)) apart_.push_back(thread);
    if (++cpu == cpus_.end()) cpu = cpus_.begin();
  }
}

void Child::wake() {
  if (frozen_) kill(-pid_, SIGCONT);
  frozen_ = false;
  for (const pid_t thread : std::exchange(apart_, {})) bind_thread(cpus_, thread);
}

void Child::send(const std::string& line) {
  wake();
  refuse_unasked();
  const std::string text = line + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t some = ::send(control_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) ended();
    sent += static_cast<std::size_t>(some);
  }
}

/// What is there before anything was asked would be taken for the next answer.
void Child::refuse_unasked() {
  std::array<char, 4096> text{};
  const ssize_t some = recv(control_, text.data(), text.size(), MSG_DONTWAIT);
  if (some > 0) unread_.append(text.data(), static_cast<std::size_t>(some));
  if (!unread_.empty()) throw RunError(said<reasons::says_more_than_asked>(last_line(unread_)));
}

Child::Had Child::had() const {
  return {processor_seconds(), thread_times(fmt::format("/proc/{}/task", pid_))};
}

/// It has had its time once a thread of it has worked so long, or has not waited for a processor so
/// long. Threads that wait for each other work, too.
void Child::refuse_late(double seconds, double passed, const Had& before,
                        const Reason& suspicion) const {
  constexpr double longer = 4;
  constexpr double tolerable = 0.1;  // so much waiting does not count
  const Had now = had();
  const double free = passed - std::max(0.0, now.threads.waited - before.threads.waited);
  const double worked = busiest(before.threads.had, now.threads.had, now.worked - before.worked,
                                static_cast<int>(now.threads.had.size()));
  if (worked >= seconds || free >= (1 - tolerable) * seconds) {
    throw NoAnswer(said<reasons::no_answer>(fmt::format("{:g}", seconds), suspicion));
  }
  if (passed >= longer * seconds) {
    throw NotJudged(said<reasons::no_answer_on_busy_node>(fmt::format("{:g}", longer * seconds)));
  }
}

std::string Child::receive(double seconds, const Reason& suspicion) {
  constexpr std::size_t longest = std::size_t{1} << 20U;
  constexpr int patience_ms = 100;
  const Stopwatch stopwatch;
  std::optional<Had> before;  // once it is not quick: looking would take time from it
  while (true) {
    if (const std::size_t end = unread_.find('\n'); end != std::string::npos) {
      const std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (unread_.size() > longest) throw RunError(said<reasons::too_long_a_line>());
    const double left = seconds - stopwatch.seconds();
    if (left <= 0 && before) refuse_late(seconds, stopwatch.seconds(), *before, suspicion);
    pollfd both[] = {{control_, POLLIN, 0}, {mute_ ? -1 : output_, POLLIN, 0}};
    const int soon = left > 0 ? static_cast<int>(left * 1000) + 1 : patience_ms;
    poll(both, 2, std::min(patience_ms, soon));
    if ((both[1].revents & POLLIN) != 0) hear();
    if (both[1].revents == POLLHUP) mute_ = true;  // else poll() would return at once
    if (both[0].revents == 0) {
      if (!before) before = had();
      // Something that it has started may hold the socket open.
      siginfo_t info{};
      const int gone = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
      // What it has said before is there by now.
      if (gone == 0 && info.si_pid == pid_ && poll(both, 1, 0) == 0) ended();
      continue;
    }
    std::array<char, 65536> text{};
    const ssize_t some = recv(control_, text.data(), text.size(), 0);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) ended();
    unread_.append(text.data(), static_cast<std::size_t>(some));
  }
}

/// Keeps the end of what it has printed.
void Child::hear() {
  constexpr std::size_t enough = 4096;
  std::array<char, 65536> text{};
  ssize_t some = 0;
  // Not for ever: it may print faster than we read.
  for (int turn = 0; turn < 16; ++turn) {
    some = ::read(output_, text.data(), text.size());
    if (some <= 0) break;
    printed_.append(text.data(), static_cast<std::size_t>(some));
    if (printed_.size() > enough) printed_.erase(0, printed_.size() - enough);
  }
}

/// Adds the last line that it has printed.
Reason Child::with_last_words(const Reason& end) {
  hear();
  const std::string line = last_line(printed_);
  return line.empty() ? end : said<reasons::found_when>(end, line);
}

void Child::ended() {
  int status = 0;
  constexpr double soon = 1;
  const Stopwatch stopwatch;
  pid_t gone = 0;
  while (gone == 0 && stopwatch.seconds() < soon) {
    gone = waitpid(pid_, &status, WNOHANG);
    if (gone == 0) usleep(1000);
  }
  if (gone == 0) throw RunError(with_last_words(said<reasons::closed_the_connection>()));
  kill(-pid_, SIGKILL);
  pid_ = -1;
  if (processor_seconds_ && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    throw NoAnswer(said<reasons::too_much_processor_time>(*processor_seconds_));
  }
  throw RunError(with_last_words(in_words(status)));
}

}  // namespace bench::guests

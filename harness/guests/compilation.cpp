#include "harness/guests/compilation.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include "harness/base/bare_fork.hpp"
#include "harness/base/clock.hpp"
#include "harness/base/exit.hpp"
#include "harness/base/files.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/signals.hpp"
#include "harness/guests/child.hpp"
#include "harness/guests/loops.hpp"
#include "harness/node/cpus.hpp"

namespace bench::guests {
namespace {

namespace fs = std::filesystem;

constexpr const char* cannot_compile = "cannot be compiled";

constexpr double most_seconds = 120;  // seconds for a compiler

/// Seconds of a process and of those that it has waited for: from what follows its group in
/// /proc/…/stat.
double seconds_in(std::istream& stat) {
  constexpr int others = 8;
  std::string other;
  for (int i = 0; i < others; ++i) stat >> other;
  std::array<double, 4> ticks{};
  for (double& one : ticks) stat >> one;
  return std::accumulate(ticks.begin(), ticks.end(), 0.0) /
         static_cast<double>(sysconf(_SC_CLK_TCK));
}

/// The processes of a command.
class Group {
 public:
  explicit Group(pid_t leader) : leader_(leader) {
    // A source of one line may ask for all of the disk, of the memory, or of the day.
    constexpr rlim_t bytes = rlim_t{1} << 30U;
    for (const auto& [what, size] : {std::pair{RLIMIT_FSIZE, bytes}, {RLIMIT_DATA, 4 * bytes}}) {
      const rlimit limit = at_most(what, size);
      prlimit(leader_, what, &limit, nullptr);
    }
    const rlimit limit = soon_at_most(RLIMIT_CPU, static_cast<rlim_t>(most_seconds));
    prlimit(leader_, RLIMIT_CPU, &limit, nullptr);
  }
  /// Its status, once it has ended.
  std::optional<int> status() const {
    int status = 0;
    const pid_t ended = waitpid(leader_, &status, WNOHANG);
    if (ended < 0) throw RunError("cannot be compiled: it is not known how the compiler ended");
    return ended == leader_ ? std::optional(status) : std::nullopt;
  }
  pid_t leader() const { return leader_; }
  void end() const {
    kill(-leader_, SIGKILL);
    waitpid(leader_, nullptr, 0);
  }

 private:
  pid_t leader_;
};

/// Open until the end of the scope.
struct Descriptor {
  Descriptor(const fs::path& file, int how) : number(open(file.c_str(), how | O_CLOEXEC, 0600)) {
    if (number >= 0) return;
    throw RunError(fmt::format("{}: {}: {}", cannot_compile, file.string(),
                               std::generic_category().message(errno)));
  }
  ~Descriptor() { close(number); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number;
};

/// Ours, but that the program speaks English, for what it says is searched for words, and that its
/// own files are in a folder which is removed whatever ends it.
std::vector<std::string> environment_for(const fs::path& folder) {
  std::vector<std::string> all{"LC_ALL=C.UTF-8", "TMPDIR=" + folder.string()};
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    const bool ours =
        text.starts_with("LC_ALL=") || text.starts_with("LANGUAGE=") || text.starts_with("TMPDIR=");
    if (!ours) all.emplace_back(text);
  }
  return all;
}

/// ` (CXX)` where that variable names the program.
std::string named_by(const std::string& program) {
  for (const char* const variable : {"CXX", "CC", "CUDACXX", "HIPCC", "BENCH_PYTHON"}) {
    const char* const value = std::getenv(variable);
    const auto words = words_of(value == nullptr ? "" : value);
    if (!words.empty() && words.front() == program) return fmt::format(" ({})", variable);
  }
  return "";
}

/// The text without the colours of a terminal, which options such as -fdiagnostics-color=always ask
/// for.
std::string without_colours(const std::string& text) {
  static const std::regex colour("\x1b\\[[0-9;]*[A-Za-z]");
  return std::regex_replace(text, colour, "");
}

std::vector<char*> as_arguments(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Becomes the command, in the child: only system calls. Returns where it cannot become the
/// command.
void become(const std::vector<char*>& words, char* const* variables, int nothing, int output,
            pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);  // it ended before we asked
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(words.front(), words.data(), variables);
}

/// Its output in a file. It is killed where this process ends.
pid_t start(std::vector<std::string> command, const fs::path& output) {
  const Descriptor nothing("/dev/null", O_RDONLY);
  const Descriptor said(output, O_WRONLY | O_CREAT);
  const std::vector<char*> words = as_arguments(command);
  std::vector<std::string> variables = environment_for(output.parent_path());
  const std::vector<char*> environment = as_arguments(variables);
  std::array<int, 2> failure{-1, -1};
  if (pipe2(failure.data(), O_CLOEXEC) != 0) failure = {-1, -1};
  const Unbound unbound;  // a compiler is not one of our threads
  const pid_t parent = getpid();
  const pid_t child = bare_fork();
  int why = child < 0 ? errno : 0;
  if (child == 0) {
    become(words, environment.data(), nothing.number, said.number, parent);
    why = errno;
    [[maybe_unused]] const auto told = write(failure[1], &why, sizeof why);
    _exit(127);
  }
  close(failure[1]);
  if (child > 0 && ::read(failure[0], &why, sizeof why) > 0) waitpid(child, nullptr, 0);
  close(failure[0]);
  if (why == 0) {
    setpgid(child, child);
    return child;
  }
  throw Missing(fmt::format("{}: {}{}: {}", cannot_compile, command.front(),
                            named_by(command.front()), std::generic_category().message(why)));
}

void refuse_to_wait(const Group& compiler, double seconds) {
  const double had = processor_seconds_of(compiler.leader());
  const Patience left = patience_after(seconds, had);
  if (left == Patience::lasts) return;
  compiler.end();
  if (left == Patience::is_over) {
    throw RunError(said<reasons::not_compiled_within>(fmt::format("{:g}", most_seconds)));
  }
  throw NodeIsBusy(said<reasons::node_is_busy>(std::lround(seconds), std::lround(had)));
}

/// Runs a command, its output in a file; returns its exit code.
int run(std::vector<std::string> command, const fs::path& output) {
  // A group of its own, so that all of it can be ended, also when bench is asked to end.
  const HeldSignals held;
  const pid_t child = start(std::move(command), output);
  const Group compiler(child);
  const Stopwatch stopwatch;
  double looked = most_seconds;  // seconds: asking takes time, too
  std::optional<int> ended;
  while (!(ended = compiler.status())) {
    if (HeldSignals::waiting()) {
      compiler.end();
      throw RunError(said<reasons::compiling_interrupted>());
    }
    if (const double seconds = stopwatch.seconds(); seconds > looked) {
      refuse_to_wait(compiler, seconds);
      looked = seconds + 1;
    }
    usleep(1000);
  }
  const int status = *ended;
  return WIFEXITED(status) ? WEXITSTATUS(status) : Exit::by(WTERMSIG(status));
}

}  // namespace

double processor_seconds_of(pid_t group) {
  double all = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;  // not a process
    std::string stat;
    try {
      stat = whole_file(entry.path() / "stat");
    } catch (const std::ios_base::failure&) {
      continue;  // it ended while it was read
    }
    std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
    std::string state;
    long parent = 0;
    long its_group = 0;
    if (fields >> state >> parent >> its_group && its_group == group) all += seconds_in(fields);
  }
  return all;
}

Patience patience_after(double seconds, double processor_seconds) {
  constexpr double least_share = 0.01;
  constexpr double times = 4;
  if (seconds < most_seconds) return Patience::lasts;
  if (processor_seconds > most_seconds || processor_seconds < least_share * seconds) {
    return Patience::is_over;
  }
  return seconds < times * most_seconds ? Patience::lasts : Patience::node_is_busy;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> found(const char* variable, const std::vector<const char*>& programs) {
  if (const char* const named = std::getenv(variable); named != nullptr) {
    std::vector<std::string> words = words_of(named);
    if (!words.empty()) return words;
  }
  for (const char* const program : programs) {
    if (!in_path(program).empty()) return {program};
  }
  return {};
}

std::vector<std::string> compiler(const char* variable, const std::vector<const char*>& programs) {
  std::vector<std::string> words = found(variable, programs);
  if (!words.empty()) return words;
  throw Missing(
      fmt::format("cannot be compiled: no compiler found: set {}, or module load gcc", variable));
}

std::string output_of(const std::vector<std::string>& command) {
  const Folder folder(cannot_compile);
  const fs::path said = folder.path / "said";
  return run(command, said) == 0 ? last_line(whole_file(said)) : "";
}

std::string in_path(const std::string& program) {
  const char* const variable = std::getenv("PATH");
  std::istringstream folders(variable == nullptr ? "" : variable);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / program;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

Family family_of(const std::vector<std::string>& command) {
  for (const std::string& word : command) {  // the first may be ccache
    if (word.starts_with('-')) break;
    std::error_code none;
    const std::string found = in_path(word);
    const std::string name = fs::canonical(found.empty() ? word : found, none).filename();
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("clang") || has("icpx") || has("icx")) return Family::llvm;
    if (has("g++") || has("gcc")) return Family::gnu;
  }
  return Family::other;
}

std::string first_error(const std::string& said) {
  static const std::regex error(
      R"([Ee]rror\s*:|fatal\s*:|undefined reference|multiple definition|relocation truncated|cannot find -l|No space left)");
  // Of the driver, of what the linker or the assembler has said before.
  static const std::regex summary(R"(ld returned \d+ exit|command failed with exit code)");
  std::istringstream lines(said);
  std::string first;
  std::string before;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, summary)) return before.empty() ? last_line(line) : before;
    if (std::regex_search(line, error)) return last_line(line);
    before = last_line(line);
    if (first.empty()) first = before;
  }
  return first;
}

std::string first_warning(const std::string& said, const fs::path& source) {
  static const std::regex warning(R"(^(.+?):(\d+):(?:\d+:)? warning: (.*?)(?: \[-W[^\]]*\])?$)");
  const fs::path whole = fs::absolute(source);
  std::istringstream lines(said);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, found, warning)) continue;
    const fs::path file = found[1].str();
    if (file.parent_path() != whole.parent_path()) continue;
    const std::string where = file == whole
                                  ? fmt::format("line {}", found[2].str())
                                  : fmt::format("{}:{}", file.filename().string(), found[2].str());
    return last_line(fmt::format("{}: {}", where, found[3].str()));
  }
  return "";
}

namespace {

/// The hottest of all these loops; where the text does not have them, the innermost of the first
/// nest, or 0 where there are vectors.
int hottest(const std::string& text, const std::set<int>& scalar, const std::set<int>& vectorised) {
  std::set<int> all = scalar;
  all.insert(vectorised.begin(), vectorised.end());
  if (const int hot = hot_loop(text, all); hot != 0) return hot;
  if (!vectorised.empty() || scalar.empty()) return 0;
  constexpr int nested = 3;  // lines from a loop to the one inside
  int first = *scalar.begin();
  for (const int line : scalar) {
    if (line - first <= nested) first = line;
  }
  return first;
}

}  // namespace

std::optional<ScalarLoop> scalar_loop(const std::string& told, const fs::path& source,
                                      const std::string& text) {
  static const std::regex note(
      R"(^(.+?):(\d+):\d+: (?:missed: couldn't vectorize loop|remark: loop not vect|(optimized: +loop vect|remark: vectorized loop)).*)");
  static const std::regex function(
      R"(\b((?:sin|cos|tan|exp2?|log(?:2|10)?|pow|cbrt|hypot|atan2?|erf|tanh)f?)\s*\()");
  const std::string whole = fs::absolute(source);
  std::set<int> scalar;
  std::set<int> vectorised;
  std::istringstream lines(told);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, found, note)) continue;
    if (fs::absolute(found[1].str()) != whole) continue;  // clang leaves out where it is
    (found[3].matched ? vectorised : scalar).insert(std::stoi(found[2]));
  }
  const int hot = hottest(text, scalar, vectorised);
  if (hot == 0 || vectorised.contains(hot)) return {};
  ScalarLoop first{hot, {}};
  constexpr int body = 12;  // lines of a loop that are searched
  std::istringstream all(text);
  int number = 0;
  for (std::string line; std::getline(all, line) && ++number < first.line + body;) {
    if (number < first.line || !std::regex_search(line, found, function)) continue;
    first.calls = found[1];
    break;
  }
  return first;
}

fs::path written_to(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  if (std::ofstream(file) << text << std::flush) return file;
  throw RunError(fmt::format("{}: {} cannot be written: {}", cannot_compile, file.string(),
                             std::generic_category().message(errno)));
}

Compilation::Compilation(std::vector<std::string> compiler, const char* with)
    : command_(std::move(compiler)), name_(command_[0] + with), folder_(cannot_compile) {}

void Compilation::add(std::initializer_list<const char*> words) {
  for (const char* const word : words) command_.emplace_back(word);
}

std::string Compilation::so_far() const { return fmt::format("{}", fmt::join(command_, " ")); }

void Compilation::include(const fs::path& header) {
  add("-include");
  add(header.string());
}

void Compilation::declare(const std::string& declarations) {
  // For clang a definition may lack noexcept, and may not add it; g++ takes both.
  static const std::regex end(R"(\);)");
  constexpr const char* meaning =
      "#if defined(__clang__) && defined(__cplusplus)\n#define BENCH_NOEXCEPT noexcept\n#else\n"
      "#define BENCH_NOEXCEPT\n#endif\n";
  include(written_to(folder_.path / "bench_kernels.h",
                     meaning + std::regex_replace(declarations, end, ") BENCH_NOEXCEPT;")));
}

void Compilation::add_source(const std::string& source) {
  source_ = source;
  add(fs::absolute(source).string());
}

fs::path Compilation::finish(const char* name, const std::string& shown) {
  const fs::path object = folder_.path / name;
  const fs::path said = folder_.path / "said";
  add("-o");
  add(object.string());
  const int code = run(command_, said);
  said_ = without_colours(whole_file(said));
  if (code == 0) return object;
  std::string why = as_named(first_error(said_));
  std::error_code none;
  const auto room = fs::space(folder_.path, none).available;
  constexpr std::uintmax_t little = 1'000'000;
  if (why.empty() || room < little) {  // what was said may not have found room either
    why += fmt::format("{}; {} bytes are free in {} (TMPDIR)", why.empty() ? "nothing is said" : "",
                       room, folder_.path.parent_path().string());
  }
  throw DoesNotCompile(fmt::format("{} ({})", why, name_), shown);
}

std::string Compilation::as_named(std::string error) const {
  if (source_.empty()) return error;
  const std::string whole = fs::absolute(source_);
  if (error.starts_with(whole)) error.replace(0, whole.size(), source_);
  return error;
}

}  // namespace bench::guests

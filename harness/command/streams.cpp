#include "harness/command/streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "harness/base/printable.hpp"
#include "harness/command/colour.hpp"
#include "harness/command/progress.hpp"

namespace bench {
namespace {

/// What the user typed may hold anything, of any length.
std::string line_of(const std::string& message) {
  constexpr std::size_t longest = 600;
  return "bench: " + shortened(printable(message), longest);
}

void put(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

}  // namespace

void open_standard_streams() {
  // In the unused direction, as if they were still closed.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) throw std::runtime_error("cannot write to stdout");
}

void print_nothing_more() {
  [[maybe_unused]] const std::FILE* const nowhere = std::freopen("/dev/null", "w", stdout);
}

void tell(const std::string& message) { put(line_of(message)); }

void complain(const std::string& message) {
  const std::string line = line_of(message);
  put(colours_wanted(isatty(STDERR_FILENO) == 1) ? red(line) : line);
}

}  // namespace bench

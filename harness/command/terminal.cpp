#include "harness/command/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace bench {
namespace {

constexpr std::size_t usual = 80;

const char* environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::size_t terminal_width(int stream) {
  winsize size{};
  if (ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const int columns = std::atoi(environment("COLUMNS"));
  return columns > 0 ? static_cast<std::size_t>(columns) : usual;
}

std::size_t text_width(int stream) {
  constexpr std::size_t least = 40;
  return std::clamp(terminal_width(stream), least, usual);
}

bool can_rewrite_lines(int stream) {
  const std::string_view terminal = environment("TERM");
  return isatty(stream) == 1 && !terminal.empty() && terminal != "dumb";
}

}  // namespace bench

#include "harness/guests/loops.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

#include "harness/guests/translate.hpp"

namespace bench::guests {
namespace {

constexpr double many = 1e6;  // elements

struct Loop {
  std::size_t begin = 0;
  std::size_t end = 0;
  int line = 0;
  double turns = many;
};

int line_at(const std::string& code, std::size_t at) {
  return 1 + static_cast<int>(
                 std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// The position after the sign that closes what opens there.
std::size_t behind_closing(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    if (std::string_view("([{").find(code[i]) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(code[i]) != std::string_view::npos && --depth == 0) {
      return i + 1;
    }
  }
  return code.size();
}

/// The first sign of a statement: neither blank nor a directive.
std::size_t begin_of_statement(const std::string& code, std::size_t at) {
  while (at < code.size()) {
    if (std::isspace(static_cast<unsigned char>(code[at])) != 0) {
      ++at;
    } else if (code[at] == '#') {
      at = std::min(code.find('\n', at), code.size());
    } else {
      break;
    }
  }
  return at;
}

std::size_t end_of_statement(const std::string& code, std::size_t from) {
  static const std::regex head(R"(^(for|while|if|switch)\b\s*(constexpr\s*)?\()");
  std::size_t at = begin_of_statement(code, from);
  std::smatch found;
  const auto here = code.begin() + static_cast<std::ptrdiff_t>(at);
  if (at < code.size() && code[at] == '{') return behind_closing(code, at);
  if (std::regex_search(here, code.end(), found, head, std::regex_constants::match_continuous)) {
    const std::size_t open = at + static_cast<std::size_t>(found.length()) - 1;
    return end_of_statement(code, behind_closing(code, open));
  }
  while (at < code.size() && code[at] != ';') {
    at = std::string_view("([{").find(code[at]) == std::string_view::npos
             ? at + 1
             : behind_closing(code, at);
  }
  return std::min(at + 1, code.size());
}

/// How often a loop with this head turns: as often as a number in it says, or a constant; threads
/// and bins are few.
double turns_of(const std::string& head, const std::string& code) {
  static const std::regex bound(R"([<>!]=?\s*([A-Za-z_]\w*|\d+)\s*(?:;|&&|\|\||$))");
  static const std::regex few(R"(.*(bin|thread|team).*)", std::regex::icase);
  constexpr double some = 64;
  std::smatch found;
  if (!std::regex_search(head, found, bound))
    return head.find(':') == std::string::npos ? many : some;
  const std::string most = found[1];
  if (std::isdigit(static_cast<unsigned char>(most[0])) != 0) return std::stod(most);
  const std::regex constant("(?:\\b(?:constexpr|const|enum)\\b[^;\\n]*\\b|#define\\s+)" + most +
                            R"(\s*=?\s*(\d+))");
  if (std::regex_search(code, found, constant)) return std::stod(found[1]);
  return std::regex_match(most, few) ? some : many;
}

std::vector<Loop> loops_in(const std::string& code) {
  static const std::regex word(R"(\b(for|while)\s*\()");
  std::vector<Loop> all;
  for (std::sregex_iterator at(code.begin(), code.end(), word), end; at != end; ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    const std::size_t open = begin + static_cast<std::size_t>(at->length()) - 1;
    const std::size_t close = behind_closing(code, open);
    const std::string head = code.substr(open + 1, close - open - 2);
    all.push_back(
        {begin, end_of_statement(code, close), line_at(code, begin), turns_of(head, code)});
  }
  return all;
}

/// How often what is there runs in a call.
double runs_at(const std::vector<Loop>& loops, std::size_t at) {
  double runs = 1;
  for (const Loop& one : loops) {
    if (one.begin <= at && at < one.end) runs *= one.turns;
  }
  return runs;
}

/// The line of the first place that runs more than a few times in a call; 0 where there is none.
int often(const std::string& code, const std::vector<Loop>& loops, const std::regex& what) {
  for (std::sregex_iterator at(code.begin(), code.end(), what), end; at != end; ++at) {
    const auto here = static_cast<std::size_t>(at->position());
    constexpr double few = 1e3;
    if (runs_at(loops, here) > few) return line_at(code, here);
  }
  return 0;
}

}  // namespace

int hot_loop(const std::string& source, const std::set<int>& lines) {
  const std::string code = code_of(source);
  const std::vector<Loop> loops = loops_in(code);
  int hottest = 0;
  double most = 0;
  for (const int line : lines) {
    double runs = 0;
    for (const Loop& one : loops) {
      if (one.line == line) runs = std::max(runs, runs_at(loops, one.begin));
    }
    if (runs == 0) return 0;
    if (runs > most) {
      most = runs;
      hottest = line;
    }
  }
  return hottest;
}

std::vector<SlowLine> slow_lines(const std::string& source) {
  static const std::regex wide(R"((?:^|[^\w.])(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))");
  static const std::regex waits(R"(#\s*pragma\s+omp\s+(?:critical|atomic)\b|\block_guard\b)");
  static const std::regex starts(R"(#\s*pragma\s+omp\s+parallel\b|\bstd::j?thread\b)");
  static const std::regex allocates(
      R"(\b(?:m|c)alloc\s*\([^;]*\bn\b|\bnew\s+\w+\s*\[[^\]]*\bn\b|\bvector<[^;>]*>\s+\w+\s*[({][^;]*\bn\b|\bpush_back\s*\()");
  const std::string code = code_of(source);
  const std::vector<Loop> loops = loops_in(code);
  std::vector<SlowLine> all;
  const bool floats =
      code.find("_f32") != std::string::npos && code.find("_f64") == std::string::npos;
  if (floats && code.find("double") == std::string::npos) {
    all.push_back({Slows::computes_in_double, often(code, loops, wide)});
  }
  all.push_back({Slows::waits_in_loop, often(code, loops, waits)});
  all.push_back({Slows::starts_threads_in_loop, often(code, loops, starts)});
  std::smatch found;
  if (std::regex_search(code, found, allocates)) {
    all.push_back({Slows::allocates, line_at(code, static_cast<std::size_t>(found.position()))});
  }
  std::erase_if(all, [](const SlowLine& one) { return one.line == 0; });
  return all;
}

}  // namespace bench::guests

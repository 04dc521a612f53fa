#include "harness/guests/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>
#include <string_view>

namespace bench::guests {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The same text with blanks in place of comments and of what stands in quotation marks, so that
/// nothing is found there.
std::string code_of(const std::string& source) {
  std::string code = source;
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
  };
  const auto after = [&](std::string_view what, std::size_t from) {
    const std::size_t at = source.find(what, from);
    return at == std::string::npos ? source.size() : at + what.size();
  };
  for (std::size_t i = 0; i < source.size();) {
    std::size_t end = i + 1;
    if (source.compare(i, 2, "//") == 0) {
      end = after("\n", i);
      blank(i, end);
    } else if (source.compare(i, 2, "/*") == 0) {
      end = after("*/", i + 2);
      blank(i, end);
    } else if (source[i] == '"' || (source[i] == '\'' && (i == 0 || !is_word(source[i - 1])))) {
      while (end < source.size() && source[end] != source[i] && source[end] != '\n') {
        end += source[end] == '\\' ? 2 : 1;
      }
      blank(i + 1, end);
      ++end;
    }
    i = end;
  }
  return code;
}

/// Where the name of the kernel begins that ends before `end`: `kernel`, `space::kernel<float, 4>`.
std::size_t name_before(const std::string& code, std::size_t end) {
  const auto skip_blanks = [&] {
    while (end > 0 && std::isspace(static_cast<unsigned char>(code[end - 1])) != 0) --end;
  };
  skip_blanks();
  if (end > 0 && code[end - 1] == '>') {
    int depth = 0;
    do {
      --end;
      depth += code[end] == '>' ? 1 : code[end] == '<' ? -1 : 0;
    } while (end > 0 && depth > 0);
    skip_blanks();
  }
  while (end > 0 && (is_word(code[end - 1]) || code[end - 1] == ':')) --end;
  return end;
}

/// The parenthesis that closes the one at `open`.
std::size_t closing(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < code.size(); ++i) {
    depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
    if (depth == 0) return i;
  }
  return code.size();
}

std::string with_calls(std::string text) {
  const std::string code = code_of(text);
  // From the last to the first: what comes before stays where it is.
  for (std::size_t open = code.rfind("<<<"); open != std::string::npos && open > 0;
       open = code.rfind("<<<", open - 1)) {
    const std::size_t close = code.find(">>>", open);
    const std::size_t arguments = close == std::string::npos ? close : code.find('(', close);
    if (arguments == std::string::npos) continue;
    const std::size_t name = name_before(code, open);
    const std::string kernel = text.substr(name, open - name);
    const std::string shape = text.substr(open + 3, close - open - 3);
    // Up to the end of the call: `[=]` copies the arguments when it is launched.
    const std::size_t end = closing(code, arguments) + 1;
    // Looked at once more, in one line; what stands in braces alone has no type there.
    std::string given = code.substr(arguments, end - arguments);
    std::replace(given.begin(), given.end(), '\n', ' ');
    if (given.find('{') != std::string::npos) given = "()";
    text.replace(name, end - name,
                 fmt::format("::bench_guest::Launch(__LINE__, {}).given{}([=] {{ {}{}; }})", shape,
                             given, kernel, text.substr(arguments, end - arguments)));
  }
  return text;
}

std::string with_dynamic_shared_memory(const std::string& source) {
  // Within a kernel; the size is that of the launch.
  static const std::regex declaration(
      R"(extern\s+__shared__\s+((?:__align__\s*\(\s*\d+\s*\)\s*)?)([\w:][\w:\s]*?)\s+(\w+)\s*\[\s*\]\s*;)");
  return std::regex_replace(
      source, declaration,
      "$2* $3 = static_cast<$2*>(::bench::cuda::stand_in::dynamic_shared_bytes());");
}

/// A shared array for which there is no place: g++ gives that of a template no section, so blocks
/// would seem to share it, and one outside of a kernel would be looked for before any is there.
std::string unfit_shared_array(const std::string& code) {
  static const std::regex braces(R"(namespace[\s\w:]*\{|[{};]|extern\s+__shared__|__shared__)");
  int depth = 0;
  std::size_t begin = 0;  // of the declaration that is read
  bool in_template = false;
  for (std::sregex_iterator at(code.begin(), code.end(), braces), end; at != end; ++at) {
    const std::string found = at->str();
    const auto position = static_cast<std::size_t>(at->position());
    if (found.starts_with("extern") && depth == 0) {
      return "a dynamic shared array outside of a kernel";
    }
    if (found == "__shared__" && in_template) return "a shared array in a template";
    if (found == "{") {
      if (depth == 0) {
        in_template = code.substr(begin, position - begin).find("template") != std::string::npos;
      }
      ++depth;
    }
    if (found == "}" && depth > 0) {
      --depth;
      in_template = in_template && depth > 0;
    }
    if (depth == 0) begin = position + found.size();
  }
  return "";
}

}  // namespace

std::string beyond_the_cpu(const std::string& source) {
  static const std::regex libraries(
      R"(#\s*include\s*<((?:cub|thrust|cuda/std|cooperative_groups|mma|cublas|curand|cufft)[^>]*)>)");
  std::smatch found;
  if (std::regex_search(source, found, libraries)) return found[1];
  return unfit_shared_array(code_of(source));
}

std::string in_plain_cpp(const std::string& source) {
  // language.h gives kernels the linkage that these would.
  static const std::regex linkage(
      R"((?:extern\s+"C"\s+|static\s+)(?=__global__|__shared__)|(__global__|__shared__)\s+static\b)");
  return with_dynamic_shared_memory(std::regex_replace(with_calls(source), linkage, "$1"));
}

}  // namespace bench::guests

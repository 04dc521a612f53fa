#include "harness/guests/layout.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace bench::guests {
namespace {

bool is(int (*kind)(int), char c) { return kind(static_cast<unsigned char>(c)) != 0; }

/// Where text in quotation marks ends that begins at `at`: at the end of its line at the latest.
std::size_t end_of_text(std::string_view source, std::size_t at) {
  const char mark = source[at++];
  while (at < source.size() && source[at] != mark && source[at] != '\n') {
    at += source[at] == '\\' ? 2U : 1U;
  }
  return std::min(at + 1, source.size());
}

}  // namespace

std::string without_layout(const std::string& source, Comments comments) {
  const std::string_view all = source;
  const bool c = comments == Comments::of_c;
  std::string code;
  for (std::size_t i = 0; i < all.size();) {
    const std::string_view rest = all.substr(i);
    // In 1'000 it is not a mark.
    const bool number = c && rest[0] == '\'' && !code.empty() && is(std::isalnum, code.back());
    if (rest.starts_with(c ? "//" : "#")) {
      i = std::min(all.find('\n', i), all.size());
    } else if (c && rest.starts_with("/*")) {
      const std::size_t end = all.find("*/", i + 2);
      i = end == std::string_view::npos ? all.size() : end + 2;
    } else if ((rest[0] == '"' || rest[0] == '\'') && !number) {
      const std::size_t end = end_of_text(all, i);
      code += all.substr(i, end - i);
      i = end;
    } else {
      if (!is(std::isspace, rest[0])) code += rest[0];
      ++i;
    }
  }
  return code;
}

}  // namespace bench::guests

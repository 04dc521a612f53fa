#include "harness/nodelist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace bench {
namespace {

constexpr std::size_t most_names = 100'000;

using Names = std::optional<std::vector<std::string>>;

/// Parts between the commas that are outside of brackets; nothing where brackets do not match.
Names parts(std::string_view list) {
  std::vector<std::string> found(1);
  bool inside = false;
  for (const char c : list) {
    if (c == '[' || c == ']') {
      if (inside == (c == '[')) return {};
      inside = !inside;
    }
    if (c == ',' && !inside) {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  if (inside) return {};
  return found;
}

std::optional<unsigned long> whole_number(std::string_view digits) {
  unsigned long value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return {};
  return value;
}

/// `01-03` or `07`; numbers keep their leading zeros.
Names range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view first = text.substr(0, dash);
  const std::string_view last = dash == std::string_view::npos ? first : text.substr(dash + 1);
  const auto from = whole_number(first);
  const auto to = whole_number(last);
  if (!from || !to || *to < *from || *to - *from >= most_names) return {};
  std::vector<std::string> numbers;
  for (unsigned long i = *from; i <= *to; ++i) {
    numbers.push_back(fmt::format("{:0{}}", i, first.size()));
  }
  return numbers;
}

/// One name with any number of brackets.
Names names(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return std::vector<std::string>{std::string(text)};
  const std::size_t close = text.find(']', open);
  const std::string_view inside = text.substr(open + 1, close - open - 1);
  const Names rest = names(text.substr(close + 1));
  const Names ranges = parts(inside);
  if (!rest || !ranges) return {};
  std::vector<std::string> found;
  for (const std::string& part : *ranges) {
    const Names numbers = range(part);
    if (!numbers || (found.size() + numbers->size()) * rest->size() > most_names) return {};
    for (const std::string& number : *numbers) {
      for (const std::string& end : *rest) {
        found.push_back(std::string(text.substr(0, open)) + number + end);
      }
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> expand_nodelist(std::string_view list) {
  const Names all = parts(list);
  if (list.empty() || !all) return {};
  std::vector<std::string> found;
  for (const std::string& part : *all) {
    const Names some = names(part);
    if (part.empty() || !some || found.size() + some->size() > most_names) return {};
    found.insert(found.end(), some->begin(), some->end());
  }
  return found;
}

}  // namespace bench

#include "harness/node/nodelist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

namespace bench {
namespace {

// More than any cluster has. A list may come from a file, and is refused before much is made of it.
constexpr std::size_t most_names = 100'000;
constexpr std::size_t longest_name = 255;

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
      if (found.size() == most_names) return {};
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
  if (first.size() > longest_name) return {};
  std::vector<std::string> numbers;
  for (unsigned long i = *from; i <= *to; ++i) {
    numbers.push_back(fmt::format("{:0{}}", i, first.size()));
  }
  return numbers;
}

/// What a bracket may stand for: `01-03,07`.
Names ranges(std::string_view inside) {
  const Names all = parts(inside);
  if (!all) return {};
  std::vector<std::string> found;
  for (const std::string& part : *all) {
    const Names numbers = range(part);
    if (!numbers || found.size() + numbers->size() > most_names) return {};
    found.insert(found.end(), numbers->begin(), numbers->end());
  }
  return found;
}

/// Each name with each ending.
Names combined(const std::vector<std::string>& names, const std::vector<std::string>& endings) {
  if (names.size() * endings.size() > most_names) return {};
  std::vector<std::string> found;
  for (const std::string& name : names) {
    for (const std::string& ending : endings) {
      if (name.size() + ending.size() > longest_name) return {};
      found.push_back(name + ending);
    }
  }
  return found;
}

/// One name with any number of brackets.
Names names(std::string_view text) {
  Names found = std::vector<std::string>{""};
  while (found && !text.empty()) {
    const bool bracket = text.front() == '[';
    const std::size_t end = text.find(bracket ? ']' : '[');
    const std::string_view piece = text.substr(0, end);
    const Names endings =
        bracket ? ranges(piece.substr(1)) : std::vector<std::string>{std::string(piece)};
    text.remove_prefix(std::min(piece.size() + (bracket ? 1 : 0), text.size()));
    found = endings ? combined(*found, *endings) : Names{};
  }
  return found;
}

/// A name around its last number; a task or a GPU of the node may follow.
struct Numbered {
  std::string before;
  std::string digits;
  std::string after;

  explicit Numbered(const std::string& name) {
    const std::size_t end = std::min(name.find('/'), name.size());
    std::size_t begin = end;
    while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
    before = name.substr(0, begin);
    digits = name.substr(begin, end - begin);
    after = name.substr(end);
  }
  auto order() const { return std::tuple(before, after, digits.size(), digits); }
  bool followed_by(const Numbered& next) const {
    const auto number = whole_number(digits);
    return number && std::tie(before, after) == std::tie(next.before, next.after) &&
           fmt::format("{:0{}}", *number + 1, digits.size()) == next.digits;
  }
};

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

bool NodeOrder::operator()(std::string_view a, std::string_view b) const {
  const auto take = [](std::string_view& text, bool digits) {
    const auto* const end = std::find_if(text.begin(), text.end(), [digits](unsigned char c) {
      return (std::isdigit(c) != 0) != digits;
    });
    const std::string_view part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(part.size());
    return part;
  };
  const auto whole = std::pair(a, b);
  for (bool digits = false; !a.empty() && !b.empty(); digits = !digits) {
    std::string_view first = take(a, digits);
    std::string_view second = take(b, digits);
    if (digits) {
      first.remove_prefix(std::min(first.find_first_not_of('0'), first.size()));
      second.remove_prefix(std::min(second.find_first_not_of('0'), second.size()));
      if (first.size() != second.size()) return first.size() < second.size();
    }
    if (first != second) return first < second;
  }
  return std::tuple(!a.empty(), whole.first) < std::tuple(!b.empty(), whole.second);
}

std::vector<NodeRange> node_ranges(const std::vector<std::string>& names) {
  std::vector<Numbered> sorted(names.begin(), names.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Numbered& a, const Numbered& b) { return a.order() < b.order(); });
  std::vector<NodeRange> found;
  for (auto first = sorted.begin(); first != sorted.end();) {
    auto last = first;
    while (std::next(last) != sorted.end() && last->followed_by(*std::next(last))) ++last;
    const std::string digits =
        first == last ? first->digits : "[" + first->digits + "-" + last->digits + "]";
    found.push_back(
        {first->before + digits + first->after, static_cast<std::size_t>(last - first) + 1});
    first = std::next(last);
  }
  return found;
}

}  // namespace bench

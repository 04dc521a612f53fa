#include "harness/base/suggest.hpp"

#include <algorithm>
#include <numeric>

namespace bench {
namespace {

/// Levenshtein's distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
  std::string best;
  // Farther than this it would be a guess, not a correction. Long input is no typing error.
  std::size_t best_distance = typed.size() > 200 ? 0 : typed.size() / 2 + 1;
  // Of few characters all are counted: f16 is no slip of i16.
  constexpr std::size_t few = 3;
  for (const std::string& name : known) {
    if (typed.size() <= few && !name.starts_with(typed.substr(0, 1))) continue;
    const std::size_t distance = edit_distance(typed.substr(0, 200), name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known) {
  const std::string near = nearest(typed, known);
  return near.empty() ? "" : " (did you mean " + near + "?)";
}

}  // namespace bench

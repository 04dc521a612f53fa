#include "harness/workload/numpy_random.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace bench {
namespace {

/// 53 random bits of two words.
double unit_double(const std::uint32_t* words) {
  const auto a = static_cast<double>(words[0] >> 5U);
  const auto b = static_cast<double>(words[1] >> 6U);
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

/// Two numbers of the normal distribution; nothing where the point of these four words is not
/// within the circle.
struct Pair {
  bool found = false;
  double first = 0;
  double second = 0;
};

Pair pair_of(const std::uint32_t* words) {
  const double x = 2.0 * unit_double(words) - 1.0;
  const double y = 2.0 * unit_double(words + 2) - 1.0;
  const double square = x * x + y * y;
  if (square >= 1.0 || square == 0.0) return {};
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  return {true, factor * y, factor * x};
}

}  // namespace

std::vector<std::uint32_t> NumpyRandom::words(std::size_t count) {
  std::vector<std::uint32_t> words(count);
  engine_.draw(words.data(), count);
  return words;
}

void NumpyRandom::draw_doubles(Doubles& values) {
  const auto drawn = words(2 * values.size());
#pragma omp parallel for schedule(static) if (values.size() > worth_a_team)
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = unit_double(&drawn[2 * i]);
}

void NumpyRandom::draw_gauss(Doubles& values) {
  std::size_t done = 0;
  const auto put = [&](double value) {
    if (done < values.size()) {
      values[done++] = value;
    } else {
      saved_gauss_ = value;
    }
  };
  if (saved_gauss_) put(*std::exchange(saved_gauss_, std::nullopt));
  std::vector<Pair> pairs;
  while (done < values.size()) {
    // As many as are needed if all are found, so that no word is drawn in vain.
    pairs.resize((values.size() - done + 1) / 2);
    const auto drawn = words(4 * pairs.size());
#pragma omp parallel for schedule(static) if (pairs.size() > worth_a_team)
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = pair_of(&drawn[4 * i]);
    for (const Pair& pair : pairs) {
      if (!pair.found) continue;
      put(pair.first);
      put(pair.second);
    }
  }
}

/// Evenly among 0 … most: as many bits as that has are drawn until they are not above it.
std::size_t NumpyRandom::up_to(std::size_t most) {
  constexpr std::size_t one_word = std::numeric_limits<std::uint32_t>::max();
  const std::size_t mask = (std::size_t{1} << std::bit_width(most)) - 1;
  std::size_t value = 0;
  do {
    value = word();
    if (most > one_word) value = value << 32U | word();
    value &= mask;
  } while (value > most);
  return value;
}

}  // namespace bench

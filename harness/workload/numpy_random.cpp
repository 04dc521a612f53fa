#include "harness/workload/numpy_random.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace bench {

double NumpyRandom::next_double() {
  const auto a = static_cast<double>(engine_() >> 5);
  const auto b = static_cast<double>(engine_() >> 6);
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

double NumpyRandom::next_gauss() {
  if (saved_gauss_) {
    const double value = *saved_gauss_;
    saved_gauss_.reset();
    return value;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2.0 * next_double() - 1.0;
    y = 2.0 * next_double() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  saved_gauss_ = factor * x;
  return factor * y;
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

#include "harness/workload/numpy_random.hpp"

#include <algorithm>
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

/// The pairs that are found among `count`, in order, by all threads: each block first closes its
/// own gaps.
class Pairs {
 public:
  Pairs(const std::uint32_t* words, std::size_t count) : blocks_((count + block - 1) / block) {
    pairs_.resize(count);
#pragma omp parallel for schedule(static) if (count > worth_a_team)
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const std::size_t begin = b * block;
      std::size_t& found = blocks_[b].found;
      for (std::size_t i = begin; i < std::min(count, begin + block); ++i) {
        pairs_[begin + found] = pair_of(&words[4 * i]);
        found += pairs_[begin + found].found ? 1 : 0;
      }
    }
    for (Block& one : blocks_) one.before = std::exchange(found_, found_ + one.found);
  }

  std::size_t found() const { return found_; }

  /// Both numbers of each pair, one after the other; `to` has room for them.
  void copy(double* to) const {
#pragma omp parallel for schedule(static) if (found_ > worth_a_team)
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      double* at = to + 2 * blocks_[b].before;
      for (std::size_t i = 0; i < blocks_[b].found; ++i) {
        const Pair& pair = pairs_[b * block + i];
        *at++ = pair.first;
        *at++ = pair.second;
      }
    }
  }

 private:
  static constexpr std::size_t block = 1024;
  struct Block {
    std::size_t found = 0;
    std::size_t before = 0;  ///< found in the blocks before
  };

  std::vector<Pair> pairs_;
  std::vector<Block> blocks_;
  std::size_t found_ = 0;
};

}  // namespace

const std::uint32_t* NumpyRandom::words(std::size_t count) {
  words_.resize(std::max(words_.size(), count));
  engine_.draw(words_.data(), count);
  return words_.data();
}

void NumpyRandom::draw_doubles(Doubles& values) {
  const auto* const drawn = words(2 * values.size());
#pragma omp parallel for schedule(static) if (values.size() > worth_a_team)
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = unit_double(&drawn[2 * i]);
}

void NumpyRandom::draw_gauss(Doubles& values) {
  std::size_t done = 0;
  if (saved_gauss_ && !values.empty()) values[done++] = *std::exchange(saved_gauss_, std::nullopt);
  while (done < values.size()) {
    // As many as are needed if all are found, so that no word is drawn in vain.
    const std::size_t wanted = values.size();
    const std::size_t count = (wanted - done + 1) / 2;
    const Pairs pairs(words(4 * count), count);
    values.resize(std::max(wanted, done + 2 * pairs.found()));
    pairs.copy(&values[done]);
    done += 2 * pairs.found();
    if (values.size() > wanted) saved_gauss_ = values.back();
    values.resize(wanted);
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

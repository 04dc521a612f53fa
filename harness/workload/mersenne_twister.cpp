#include "harness/workload/mersenne_twister.hpp"

#include <algorithm>

namespace bench {
namespace {

constexpr std::size_t middle = 397;

/// What the highest bit of one word and the other bits of the next one give to a later word.
std::uint32_t twist(std::uint32_t word, std::uint32_t next) {
  const std::uint32_t joined = (word & 0x80000000U) | (next & 0x7fffffffU);
  return (joined >> 1U) ^ ((0U - (next & 1U)) & 0x9908b0dfU);
}

std::uint32_t tempered(std::uint32_t word) {
  word ^= word >> 11U;
  word ^= (word << 7U) & 0x9d2c5680U;
  word ^= (word << 15U) & 0xefc60000U;
  return word ^ (word >> 18U);
}

}  // namespace

MersenneTwister::MersenneTwister(std::uint32_t seed) {
  state_[0] = seed;
  for (std::uint32_t i = 1; i < length; ++i) {
    state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30U)) + i;
  }
}

void MersenneTwister::advance() {
  constexpr std::size_t rest = length - middle;
  auto& state = state_;
  for (std::size_t i = 0; i < rest; ++i) {
    state[i] = state[i + middle] ^ twist(state[i], state[i + 1]);
  }
  for (std::size_t i = rest; i < length - 1; ++i) {
    state[i] = state[i - rest] ^ twist(state[i], state[i + 1]);
  }
  state[length - 1] = state[middle - 1] ^ twist(state[length - 1], state[0]);
  for (std::size_t i = 0; i < length; ++i) words_[i] = tempered(state[i]);
  used_ = 0;
}

void MersenneTwister::draw(std::uint32_t* words, std::size_t count) {
  while (count > 0) {
    if (used_ == length) advance();
    const std::size_t some = std::min(count, length - used_);
    std::copy_n(&words_[used_], some, words);
    used_ += some;
    words += some;
    count -= some;
  }
}

}  // namespace bench

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bench {

/// MT19937 (Matsumoto and Nishimura, 1998): the words of std::mt19937. A whole state is advanced
/// and tempered at a time, in loops that vectorise; one by one, words take longer than anything
/// else that is done for an input.
class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed);

  std::uint32_t next() {
    if (used_ == length) advance();
    return words_[used_++];
  }
  void draw(std::uint32_t* words, std::size_t count);

 private:
  static constexpr std::size_t length = 624;
  void advance();

  std::array<std::uint32_t, length> state_;
  std::array<std::uint32_t, length> words_{};
  std::size_t used_ = length;
};

}  // namespace bench

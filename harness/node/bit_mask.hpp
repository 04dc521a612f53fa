// Sets of small numbers as the kernel writes them: a bit for each, in words.
#pragma once

#include <climits>
#include <cstddef>
#include <span>
#include <vector>

namespace bench {

constexpr std::size_t bits_per_word = CHAR_BIT * sizeof(unsigned long);

/// The numbers in it, ascending.
inline std::vector<int> numbers_in(std::span<const unsigned long> mask) {
  std::vector<int> numbers;
  for (std::size_t number = 0; number < mask.size() * bits_per_word; ++number) {
    const unsigned long word = mask[number / bits_per_word] >> (number % bits_per_word);
    if ((word & 1U) != 0) numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

}  // namespace bench

// Numbers of 16 bits (binary16 of IEEE 754), in which data are stored. What is computed from them
// is wider. CUDA files include it, in C++17.
#pragma once

#include <cstdint>
#include <cstring>

namespace bench {

/// A number that is only stored: it turns into a float, exactly, and a float is rounded to the
/// nearest of them.
struct Half {
  std::uint16_t bits;

  Half() = default;
  explicit Half(float x) : bits(rounded(x)) {}
  explicit Half(double x) : Half(static_cast<float>(x)) {}
  operator float() const {
    // As the bits of a float with the exponent of a half, which a product makes right; without
    // branches, so that loops over it are vectorised.
    constexpr std::uint32_t scale_bits = 0x7780'0000;  // 2^112
    const std::uint32_t size = bits & 0x7fffU;
    const float scaled = float_of(size << 13U) * float_of(scale_bits);
    const std::uint32_t no_number = size >= 0x7c00U ? 0x7f80'0000U : 0U;
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    return float_of(bits_of(scaled) | no_number | sign);
  }

 private:
  static float float_of(std::uint32_t bits) {
    float x = 0;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  static std::uint32_t bits_of(float x) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  static std::uint16_t rounded(float x) {
    constexpr std::uint32_t infinity = 0x7c00;
    const std::uint32_t sign = bits_of(x) >> 16U & 0x8000U;
    const std::uint32_t size = bits_of(x) & 0x7fff'ffffU;
    std::uint32_t result = 0;
    if (size > 0x7f80'0000U) {
      result = infinity | 0x200U;  // not a number
    } else if (size >= 0x477f'f000U) {
      result = infinity;  // 65 520 and above
    } else if (size < 0x3880'0000U) {
      // Below 2^-14 all have the same distance, 2^-24: added to 0.5, the last bits are theirs.
      result = bits_of(float_of(size) + 0.5F) - bits_of(0.5F);
    } else {
      const std::uint32_t to_even = size >> 13U & 1U;
      result = (size - 0x3800'0000U + 0xfffU + to_even) >> 13U;
    }
    return static_cast<std::uint16_t>(sign | result);
  }
};
static_assert(sizeof(Half) == 2);

}  // namespace bench

// Any bytes as a .npy file: parsed, or refused with a sentence.

#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "harness/plan/npy.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const bench::NpyHeader header = bench::parse_npy_header(bytes, size);
    if (header.data_begin + header.elements() * bench::bytes_of(header.dtype) > size)
      __builtin_trap();
  } catch (const std::invalid_argument& error) {
    for (const char c : std::string_view(error.what())) {
      if (c == '\n' || c == '\x1b' || c == '\0') __builtin_trap();  // one line, for a terminal
    }
  }
  return 0;
}

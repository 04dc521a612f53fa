#include "harness/arrays/place.hpp"

#include <cstring>

#include "harness/workload/verify.hpp"

namespace bench {

void poison(const Arrays& arrays, const Piece& piece) {
  std::memset(arrays.output<unsigned char>() + piece.offset, poison_byte, piece.bytes);
}

std::vector<Piece> pieces(const ArraySpec& extent, const Elements& elements) {
  if (elements.are_all()) return {{0, extent.bytes()}};
  std::vector<Piece> some;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    some.push_back({elements[k] * extent.element_bytes, extent.element_bytes});
  }
  return some;
}

}  // namespace bench

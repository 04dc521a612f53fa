#include "harness/workload/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bench {

std::vector<std::size_t> sides_of(SizeFormat form, const Shape& shape) {
  if (!has_rows(form)) return {shape.elements()};
  if (form == SizeFormat::product) return {shape.rows, shape.cols, shape.inner};
  return {shape.rows, shape.cols};
}

Shape square(SizeFormat form, std::size_t n, const Shape& like) {
  return {.rows = has_rows(form) ? n : 1,
          .cols = n,
          .bins = like.bins,
          .steps = like.steps,
          .inner = form == SizeFormat::product ? n : 0};
}

std::string label(SizeFormat form, const Shape& shape) {
  std::string sides = fmt::format("{}", fmt::join(sides_of(form, shape), "x"));
  if (form == SizeFormat::binned) return fmt::format("{}:{}", sides, shape.bins);
  if (form == SizeFormat::stepped) return fmt::format("{}:{}", sides, shape.steps);
  return sides;
}

}  // namespace bench

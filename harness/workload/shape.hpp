// How large a problem is, and how that is written.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/fields.hpp"
#include "harness/base/names.hpp"

namespace bench {

/// How sizes are written: N, N:BINS, RxC, RxC:STEPS, or MxNxK of a product of matrices.
enum class SizeFormat { vector, binned, matrix, stepped, product };
template <>
struct NamesOf<SizeFormat> {
  static constexpr std::array<std::pair<SizeFormat, std::string_view>, 5> all{
      {{SizeFormat::vector, "vector"},
       {SizeFormat::binned, "binned"},
       {SizeFormat::matrix, "matrix"},
       {SizeFormat::stepped, "stepped"},
       {SizeFormat::product, "product"}}};
};
/// Whether the result has rows and columns.
constexpr bool has_rows(SizeFormat form) {
  return form != SizeFormat::vector && form != SizeFormat::binned;
}

/// The shape of a result; a vector of n elements is 1 × n. What a format does not have is 0.
struct Shape {
  std::size_t rows = 1;
  std::size_t cols = 0;
  std::size_t bins = 0;
  std::size_t steps = 0;
  std::size_t inner = 0;  ///< of a product: columns of the first matrix, rows of the second

  std::size_t elements() const { return rows * cols; }
  bool operator==(const Shape&) const = default;
};

/// The fields, as the process of a user kernel is told them.
void fields(auto& visit, Of<Shape> auto& one) {
  visit(FIELD(rows));
  visit(FIELD(cols));
  visit(FIELD(bins));
  visit(FIELD(steps));
  visit(FIELD(inner));
}

/// The sides as result files have them: N, or rows and columns, or M, N and K.
std::vector<std::size_t> sides_of(SizeFormat form, const Shape& shape);

/// The square with sides of n, or the vector of n; bins and steps as in `like`.
Shape square(SizeFormat form, std::size_t n, const Shape& like);

/// The size as names have it: `1000000`, `1000000:256`, `8192x8192`, `4096x4096:8`, `33x34x35`.
std::string label(SizeFormat form, const Shape& shape);

}  // namespace bench

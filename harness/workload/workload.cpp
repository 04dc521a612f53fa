#include "harness/workload/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "harness/base/reasons.hpp"

namespace bench {

std::size_t bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f64:
      return 8;
    case Dtype::i16:
      return 2;
    case Dtype::f32:
    case Dtype::u32:
      break;
  }
  return 4;
}

Reason beyond_32_bits(std::size_t n) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (n <= most) return {};
  return said<reasons::counts_in_32_bits>(most);
}

std::size_t Problem::footprint() const {
  std::size_t sum = output.bytes();
  for (const ArraySpec& input : inputs) sum += input.bytes();
  for (const ArraySpec& work : workspace) sum += work.bytes();
  return sum;
}

namespace {

/// fmt prints the shortest text that reads back to the same number; the course prints at least
/// seven digits, so shorter ones are filled up.
template <class Real>
std::string padded(Real value) {
  const std::string shortest = fmt::format("{}", value);
  const auto digits = std::count_if(shortest.begin(), shortest.end(),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits >= 7 || !std::isfinite(value) ? shortest : fmt::format("{:#.7g}", value);
}

std::string element_text(Dtype element, const void* array, std::size_t i) {
  if (element == Dtype::u32) return std::to_string(static_cast<const std::uint32_t*>(array)[i]);
  if (element == Dtype::i16) return std::to_string(static_cast<const std::int16_t*>(array)[i]);
  return element == Dtype::f32 ? padded(static_cast<const float*>(array)[i])
                               : padded(static_cast<const double*>(array)[i]);
}

}  // namespace

std::string Problem::show(const Arrays& arrays, std::size_t most) const {
  const std::size_t count = std::min(most, output.count);
  const std::vector<double> definition = wanted(arrays, count);
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) {
    std::string line = fmt::format("[{}]", i);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const auto from = source(i, k);
      if (!from) break;
      line += (k == 0 ? "  of " : ", ") + element_text(inputs[k].element, arrays.inputs[k], *from);
    }
    line += "  result " + element_text(output.element, arrays.result, i);
    if (!definition.empty()) {
      const int digits = output.element == Dtype::f64 ? std::numeric_limits<double>::max_digits10
                                                      : std::numeric_limits<float>::max_digits10;
      line += is_whole(output.element) ? fmt::format("  reference {:.0f}", definition[i])
                                       : fmt::format("  reference {:.{}g}", definition[i], digits);
    }
    lines += line + "\n";
  }
  return lines;
}

std::string label(SizeFormat form, const Shape& shape) {
  switch (form) {
    case SizeFormat::matrix:
      return fmt::format("{}x{}", shape.rows, shape.cols);
    case SizeFormat::binned:
      return fmt::format("{}:{}", shape.elements(), shape.bins);
    case SizeFormat::vector:
      break;
  }
  return fmt::format("{}", shape.elements());
}

constexpr const char* too_large = "is too large; at most 1e15";

std::size_t parse_count(std::string_view text) {
  const auto refuse = [&](const char* why) {
    return std::invalid_argument(fmt::format("'{}' {}", text, why));
  };
  const char* const end = text.data() + text.size();
  std::size_t integer = 0;
  const auto whole = std::from_chars(text.data(), end, integer);
  if (whole.ec == std::errc() && whole.ptr == end) return integer;

  double value = 0;
  const auto number = std::from_chars(text.data(), end, value);
  if (number.ec == std::errc::result_out_of_range && number.ptr == end) {
    const bool tiny =
        text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    throw refuse(tiny ? "is not a whole number" : too_large);
  }
  if (number.ec != std::errc() || number.ptr != end || std::isnan(value)) {
    throw refuse("is not a number; write for example 1000000 or 1e6");
  }
  if (value < 0) throw refuse("is negative; give a positive number");
  if (value > 1e15) throw refuse(too_large);
  if (value != std::floor(value)) throw refuse("is not a whole number");
  return static_cast<std::size_t>(value);
}

namespace {

/// Guards every later product of sizes against overflow.
void require_sane(std::size_t rows, std::size_t cols, std::string_view text) {
  constexpr std::size_t limit = 1'000'000'000'000'000;
  if (rows > limit || cols > limit || (cols > 0 && rows > limit / cols)) {
    throw std::invalid_argument(fmt::format("'{}' {}", text, too_large));
  }
}

/// ⌊√n⌋, exactly.
std::size_t integer_root(std::size_t n) {
  auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (root * root > n) --root;
  while ((root + 1) * (root + 1) <= n) ++root;
  return root;
}

Shape dimensions(const Workload& workload, std::string_view text) {
  if (text == "tiny") return workload.tiny;
  if (text == "default") return workload.default_shape;
  if (text == "course") return workload.course;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    throw std::invalid_argument(fmt::format("'{}' has bins; write --size {} --bins {}", text,
                                            text.substr(0, colon), text.substr(colon + 1)));
  }
  const std::size_t cross = text.find('x');
  if (cross == 0 || cross + 1 == text.size()) {
    throw std::invalid_argument(
        fmt::format("'{}' lacks a number next to the x; write for example 4096x4096", text));
  }
  if (cross == std::string_view::npos) {
    const std::size_t n = parse_count(text);
    require_sane(1, n, text);
    if (workload.form != SizeFormat::matrix) return {.rows = 1, .cols = n};
    return {.rows = integer_root(n), .cols = integer_root(n)};
  }
  const std::size_t rows = parse_count(text.substr(0, cross));
  const std::size_t cols = parse_count(text.substr(cross + 1));
  require_sane(rows, cols, text);
  if (workload.form != SizeFormat::matrix) return {.rows = 1, .cols = rows * cols};
  return {.rows = rows, .cols = cols};
}

}  // namespace

Shape beyond_cache(const Workload& workload, std::size_t l2_bytes, std::size_t most_bytes) {
  const auto bytes_of_arrays = [&](const Shape& shape) {
    return workload.make(workload.dtypes.front(), shape)->footprint();
  };
  const double enough = beyond_l2 * static_cast<double>(l2_bytes);
  Shape shape = workload.default_shape;
  constexpr std::size_t most = 100;
  for (std::size_t factor = 2; factor <= most; factor += factor < 20 ? 1 : 10) {
    if (static_cast<double>(bytes_of_arrays(shape)) >= enough) break;
    Shape larger = workload.default_shape;
    if (workload.form == SizeFormat::matrix) {
      larger.rows = 2 * shape.rows;
      larger.cols = 2 * shape.cols;
    } else {
      larger.cols *= factor;
    }
    if (bytes_of_arrays(larger) > most_bytes) break;
    shape = larger;
  }
  return shape;
}

std::optional<Shape> within_cache(const Workload& workload, Dtype dtype, Shape shape,
                                  std::size_t bytes) {
  // Clearing and merging the bins must not show in the time.
  constexpr std::size_t elements_per_bin = 32;
  const std::size_t least = std::max<std::size_t>(1, shape.bins * elements_per_bin);
  while (shape.elements() >= least) {
    if (workload.make(dtype, shape)->footprint() <= bytes) return shape;
    (shape.rows > shape.cols ? shape.rows : shape.cols) /= 2;
  }
  return {};
}

Shape parse_size(const Workload& workload, std::string_view text, std::size_t bins) {
  Shape shape = dimensions(workload, text);
  if (workload.form != SizeFormat::binned) return shape;
  if (shape.bins == 0) shape.bins = workload.default_shape.bins;
  if (bins > 0) shape.bins = bins;
  if (shape.bins > workload.max_bins) {
    throw std::invalid_argument(fmt::format("--bins: {} are too many for {}: at most {}",
                                            shape.bins, workload.name, workload.max_bins));
  }
  return shape;
}

}  // namespace bench

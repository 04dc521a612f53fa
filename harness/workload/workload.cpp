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
    case Dtype::f16:
      return 2;
    case Dtype::f32:
    case Dtype::u32:
    case Dtype::unknown:
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
  if (element == Dtype::f16) return padded(static_cast<float>(static_cast<const Half*>(array)[i]));
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
void require_sane(std::initializer_list<std::size_t> sides, std::string_view text) {
  constexpr std::size_t limit = 1'000'000'000'000'000;
  std::size_t product = 1;
  for (const std::size_t side : sides) {
    if (side > limit || (side > 0 && product > limit / side)) {
      throw std::invalid_argument(fmt::format("'{}' {}", text, too_large));
    }
    product *= std::max<std::size_t>(side, 1);
  }
}

/// ⌊√n⌋, exactly.
std::size_t integer_root(std::size_t n) {
  auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (root * root > n) --root;
  while ((root + 1) * (root + 1) <= n) ++root;
  return root;
}

/// The numbers between the crosses.
std::vector<std::size_t> sides_in(std::string_view text) {
  std::vector<std::size_t> sides;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    if (begin == end && text.find('x') != std::string_view::npos) {
      throw std::invalid_argument(
          fmt::format("'{}' lacks a number next to the x; write for example 4096x4096", text));
    }
    sides.push_back(parse_count(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return sides;
}

Shape dimensions(const Workload& workload, std::string_view text) {
  if (text == "tiny") return workload.tiny;
  if (text == "default") return workload.default_shape;
  if (text == "course") return workload.course;
  const SizeFormat form = workload.form;
  const auto refuse = [&](const std::string& why) {
    return std::invalid_argument(fmt::format("'{}' {}", text, why));
  };
  Shape shape{.bins = 0, .steps = form == SizeFormat::stepped ? workload.default_shape.steps : 0};
  const std::size_t colon = text.find(':');
  const std::string_view plane = text.substr(0, colon);
  if (colon != std::string_view::npos) {
    const std::string_view behind = text.substr(colon + 1);
    if (form == SizeFormat::stepped) {
      shape.steps = parse_count(behind);
    } else if (form == SizeFormat::binned) {
      throw refuse(fmt::format("has bins; write --size {} --bins {}", plane, behind));
    } else {
      throw refuse(fmt::format("has a number behind the colon; {} takes none", workload.name));
    }
  }
  const std::vector<std::size_t> sides = sides_in(plane);
  for (const std::size_t side : sides) require_sane({side}, text);
  if (sides.size() > (form == SizeFormat::product ? 3 : 2)) {
    throw refuse(fmt::format("has {} sides; {} takes at most {}", sides.size(), workload.name,
                             form == SizeFormat::product ? 3 : 2));
  }
  const bool square = sides.size() == 1 && has_rows(form);
  shape.rows = square ? integer_root(sides[0]) : sides.size() == 1 ? 1 : sides[0];
  shape.cols = square ? shape.rows : sides.size() == 1 ? sides[0] : sides[1];
  if (form == SizeFormat::product) shape.inner = sides.size() == 3 ? sides[2] : shape.cols;
  require_sane({shape.rows, shape.cols}, text);
  require_sane({shape.rows, shape.inner}, text);
  require_sane({shape.inner, shape.cols}, text);
  if (!has_rows(form)) return {.rows = 1, .cols = shape.elements()};
  return shape;
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
    if (has_rows(workload.form)) {
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
    std::size_t* longest = &shape.cols;
    for (std::size_t* const side : {&shape.rows, &shape.inner}) {
      if (*side > *longest) longest = side;
    }
    *longest /= 2;
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

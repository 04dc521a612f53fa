#include "harness/plan/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "harness/plan/hash.hpp"

namespace bench {
namespace {

[[noreturn]] void refuse(const NpyFile& file, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", file.path().string(), why));
}

/// What a number that is only stored is computed in.
template <class Real>
using Number = std::conditional_t<std::is_same_v<Real, Half>, float, Real>;

}  // namespace

template <class Real>
InputFiles::Array InputFiles::scanned(std::unique_ptr<NpyFile> file) {
  constexpr std::size_t part = std::size_t{1} << 20U;
  const std::size_t n = file->elements();
  std::vector<Real> piece(std::min(n, part));
  Hasher hasher;
  std::size_t first_nan = n;
  for (std::size_t at = 0; at < n; at += part) {
    const std::size_t count = std::min(part, n - at);
    file->copy_to(piece.data(), at * sizeof(Real), count * sizeof(Real));
    hasher.update(piece.data(), count * sizeof(Real));
    const auto end = piece.begin() + static_cast<std::ptrdiff_t>(count);
    const auto nan = std::find_if(piece.begin(), end,
                                  [](Real x) { return std::isnan(static_cast<Number<Real>>(x)); });
    if (nan != end && first_nan == n) {
      first_nan = at + static_cast<std::size_t>(nan - piece.begin());
    }
  }
  return {std::move(file), hasher.text(), first_nan};
}

InputFiles::InputFiles(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    auto file = std::make_unique<NpyFile>(path);
    if (!arrays_.empty()) {
      const NpyFile& first = *arrays_.front().file;
      if (file->dtype() != first.dtype()) {
        refuse(*file,
               fmt::format("holds {}, {} holds {}: all must have the same precision",
                           name_of(file->dtype()), first.path().string(), name_of(first.dtype())));
      }
    }
    switch (file->dtype()) {
      case Dtype::f64:
        arrays_.push_back(scanned<double>(std::move(file)));
        break;
      case Dtype::i16:
        arrays_.push_back(scanned<std::int16_t>(std::move(file)));
        break;
      case Dtype::f16:
        arrays_.push_back(scanned<Half>(std::move(file)));
        break;
      default:
        arrays_.push_back(scanned<float>(std::move(file)));
    }
  }
}

Dtype InputFiles::dtype() const { return arrays_.front().file->dtype(); }

Shape InputFiles::shape_for(const Workload& workload, std::size_t bins) const {
  if (workload.own_inputs != nullptr) {
    throw std::invalid_argument(fmt::format("--input: {} {}", workload.name, workload.own_inputs));
  }
  const NpyFile& file = *arrays_.front().file;
  const bool matrix = has_rows(workload.form);
  if (matrix && file.dimensions() != 2) {
    refuse(file, fmt::format("is a vector of {}; {} wants a matrix (in NumPy: "
                             "array.reshape(rows, columns))",
                             file.elements(), workload.name));
  }
  if (!matrix && file.dimensions() != 1) {
    refuse(file, fmt::format("is a matrix, {}; {} wants a vector (in NumPy: array.ravel())",
                             shape_text(file.shape()), workload.name));
  }
  const std::size_t wanted = workload.make(dtype(), workload.tiny)->inputs.size();
  if (wanted != arrays_.size()) {
    const std::string taken = wanted == 1   ? "one array"
                              : wanted == 2 ? "two arrays (A.npy,B.npy)"
                                            : fmt::format("{} arrays (A.npy,B.npy,…)", wanted);
    throw std::invalid_argument(
        fmt::format("--input: {} takes {}, {} given", workload.name, taken, arrays_.size()));
  }
  Shape shape = matrix ? Shape{.rows = file.rows(), .cols = file.cols()}
                       : Shape{.rows = 1, .cols = file.elements()};
  shape.steps = workload.default_shape.steps;
  if (workload.form == SizeFormat::product) {
    shape.inner = shape.cols;
    shape.cols = arrays_.back().file->cols();
  }
  refuse_other_shapes(workload, shape);
  for (const Array& array : arrays_) {
    if (workload.takes_nan || array.first_nan == array.file->elements()) continue;
    refuse(*array.file, fmt::format("NaN at index {}; {} has no value there (in NumPy: "
                                    "np.nan_to_num(array))",
                                    array.first_nan, workload.name));
  }
  if (workload.form == SizeFormat::binned) {
    shape.bins = parse_size(workload, "tiny", bins > 0 ? bins : workload.default_shape.bins).bins;
  }
  return shape;
}

void InputFiles::refuse_other_shapes(const Workload& workload, const Shape& shape) const {
  const NpyFile& first = *arrays_.front().file;
  const auto shapes = workload.make(dtype(), shape)->input_shapes;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const NpyFile& file = *arrays_[i].file;
    const auto wanted = shapes.empty() ? first.shape() : shapes[i];
    if (file.shape() == wanted) continue;
    refuse(file, fmt::format("has the shape {}; {} wants {} here, since {} has {}",
                             shape_text(file.shape()), workload.name, shape_text(wanted),
                             first.path().string(), shape_text(first.shape())));
  }
}

void InputFiles::load(std::size_t i, void* destination) const {
  const NpyFile& file = *arrays_.at(i).file;
  const std::size_t bytes = file.elements() * bytes_of(file.dtype());
  file.copy_to(destination, 0, bytes);
  if (hash_text(destination, bytes) == arrays_.at(i).hash) return;
  throw std::runtime_error(
      fmt::format("{}: has changed since it was opened", file.path().string()));
}

std::string InputFiles::label() const {
  std::string text;
  for (const Array& array : arrays_) {
    if (!text.empty()) text += '+';
    text += array.file->path().filename().string();
  }
  // What has a meaning in names, or none in text.
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.' && c != '+'; },
      '_');
  return text;
}

std::vector<InputFile> InputFiles::facts() const {
  std::vector<InputFile> facts;
  for (const Array& array : arrays_) {
    const NpyFile& file = *array.file;
    facts.push_back({file.path().string(), file.shape(), file.dtype(), array.hash});
  }
  return facts;
}

}  // namespace bench
